import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// The platform's edge: `llmbench up` serves API and live feed there.
const edge = process.env.LLMBENCH_EDGE_URL ?? `http://127.0.0.1:${process.env.LLMBENCH_PORT ?? "8400"}`;

// The only place of the version.
const project = readFileSync(new URL("../pyproject.toml", import.meta.url), "utf8");
const version = /^version = "(.+)"$/m.exec(project)?.[1];

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const SOURCES = { find: "@", replacement: path("./src") };
// The package exports only its development build, with warnings that nobody reads here.
const PRODUCTION = [
  { find: /^react-router$/, replacement: path("./node_modules/react-router/dist/production/index.mjs") },
  { find: /^react-router\/dom$/, replacement: path("./node_modules/react-router/dist/production/dom-export.mjs") },
];

export default defineConfig(({ command }) => ({
  define: { LLMBENCH_VERSION: JSON.stringify(version) },
  plugins: [react(), tailwindcss()],
  resolve: { alias: command === "build" ? [SOURCES, ...PRODUCTION] : [SOURCES] },
  server: {
    host: "127.0.0.1",
    // The sample tasks lie with the command line.
    fs: { allow: [".."] },
    proxy: {
      // The services refuse changes from another origin, and the dev server has one.
      "/api": { target: edge, changeOrigin: true, headers: { origin: edge } },
      "/v1": { target: edge, changeOrigin: true, headers: { origin: edge } },
      "/ws": { target: edge, changeOrigin: true, ws: true, rewriteWsOrigin: true },
    },
  },
  // The manifest tells scripts/check-bundle.mjs which chunks a route loads.
  build: {
    manifest: true,
    sourcemap: false,
    assetsInlineLimit: 0,
    // The documentation and the reference of the HTTP APIs are pages of their own: the SPA loads nothing of them.
    rolldownOptions: {
      input: { app: "index.html", api: "docs/api/index.html", docs: "docs/site/page.html" },
      // The entry lists the files of every screen: without names it is about a kilobyte smaller.
      output: { chunkFileNames: "assets/[hash].js" },
    },
  },
  test: {
    restoreMocks: true,
    reporters: ["default", "./scripts/flaky-reporter.mjs"],
    // Test files share modules and the document: recreating them takes longer than the tests.
    isolate: false,
    projects: [
      { extends: true, test: { name: "plain", environment: "node", include: ["src/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "screens",
          environment: "jsdom",
          include: ["src/**/*.test.tsx"],
          setupFiles: ["src/testing/setup.ts"],
          // Tests type key by key, which is slow on a busy machine.
          testTimeout: 120_000,
          // A failed test is repeated. If it passes then, it is listed as flaky.
          retry: 1,
        },
      },
    ],
  },
}));
