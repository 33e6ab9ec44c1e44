/** Write pictures of `/dev/components`, in both themes and two sizes, to docs/screens. The page exists in development only. */

import { expect, test } from "@playwright/test";
import { fileURLToPath } from "node:url";
import { createServer, type ViteDevServer } from "vite";
import { SIZES, take } from "./take";

let server: ViteDevServer;

test.beforeAll(async () => {
  server = await createServer({ root: fileURLToPath(new URL("..", import.meta.url)), server: { port: 0 }, logLevel: "error" });
  await server.listen();
});
test.afterAll(async () => server.close());

for (const colorScheme of ["light", "dark"] as const) {
  for (const viewport of SIZES) {
    test.describe(`${colorScheme}, ${viewport.width} px`, () => {
      test.use({ colorScheme, viewport });

      test("components", async ({ page }) => {
        await page.goto(new URL("/dev/components", server.resolvedUrls?.local[0]).href);
        await expect(page.getByRole("region", { name: "Empty, loading, at fault" })).toBeVisible();
        await take(page, `components-${colorScheme}-${viewport.width}`, { whole: true });
      });
    });
  }
}
