import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

/** `make screens`: not tests, but the pictures of docs/screens. */
export default defineConfig({ ...tests, testDir: "pictures", retries: 0, projects: [{ name: "pictures" }], use: { ...tests.use, trace: "off" } });
