import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

/** `make bench`: figures, not tests. `benchmarks/browser.py` starts it. */
export default defineConfig({ ...tests, testDir: "bench", retries: 0, timeout: 300_000, projects: [{ name: "bench" }], use: { ...tests.use, trace: "off" } });
