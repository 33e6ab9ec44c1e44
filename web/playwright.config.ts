import { defineConfig } from "@playwright/test";
import { existsSync } from "node:fs";

// Debian's Chromium, or one that is named; without either, Playwright's own.
const found = [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  (path) => path !== undefined && path !== "" && existsSync(path),
);

export default defineConfig({
  testDir: "e2e",
  // The platform runs one benchmark at a time: so do its tests.
  workers: 1,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // What fails has another try, in a browser of its own. What passes then is listed as flaky and fails nobody.
  retries: 1,
  timeout: 600_000,
  // A machine that does other work, too, is slower, and no less right.
  expect: { timeout: 90_000 },
  reporter: [["list"]],
  use: {
    baseURL: process.env.LLMBENCH_E2E_URL,
    viewport: { width: 1440, height: 900 },
    // What pulses and slides is drawn sixty times a second, by the processors that the platform needs.
    contextOptions: { reducedMotion: "reduce" },
    // A trace records every step, failing or not, and costs a third of the time: TRACE=1 asks for it.
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
    // What an installation without runs shows can only be seen before the first one.
    { name: "fresh", testMatch: "fresh.spec.ts" },
    { name: "flows", testIgnore: "fresh.spec.ts", dependencies: ["fresh"] },
  ],
});
