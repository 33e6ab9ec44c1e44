import { defineConfig } from "@playwright/test";
import { existsSync } from "node:fs";

// Debian's Chromium, or one that is named; without either, Playwright's own.
const found = [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  (path) => path !== undefined && path !== "" && existsSync(path),
);

export default defineConfig({
  testDir: "e2e",
  // The platform runs one benchmark at a time, and so do its tests.
  workers: 1,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // A failed test is repeated in a new browser. If it passes then, it is listed as flaky.
  retries: 1,
  timeout: 600_000,
  // A busy machine is slower, and its results are still right.
  expect: { timeout: 90_000 },
  // The report is for tests/browser/verdict.py, which lists the failures again at the end of `make test`.
  reporter: [["list"], ...(process.env.LLMBENCH_E2E_REPORT ? [["json", { outputFile: process.env.LLMBENCH_E2E_REPORT }] as const] : [])],
  use: {
    actionTimeout: 90_000,
    baseURL: process.env.LLMBENCH_E2E_URL,
    viewport: { width: 1440, height: 900 },
    // Animations cost CPU time that the platform needs.
    contextOptions: { reducedMotion: "reduce" },
    // A trace records every step and costs a third of the time: TRACE=1 turns it on.
    trace: process.env.TRACE ? "retain-on-failure" : "off",
    launchOptions: {
      ...(found ? { executablePath: found } : {}),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    // The screens of an installation without runs can only be tested before the first run.
    { name: "fresh", testMatch: "fresh.spec.ts" },
    { name: "flows", testIgnore: ["fresh.spec.ts", "sign-in/**"], dependencies: ["fresh"] },
    // A platform with LLMBENCH_AUTH=on: `python -m tests.browser` starts it for this project only.
    { name: "sign-in", testMatch: "sign-in/*.spec.ts" },
  ],
});
