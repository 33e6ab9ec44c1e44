import { expect, test } from "@playwright/test";
import { report } from "./measures";

const runId = process.env.LLMBENCH_BENCH_RUN ?? "";

test("first row", async ({ page }) => {
  const began = performance.now();
  await page.goto(`/runs/${runId}/items`);
  await expect(page.getByRole("table", { name: "Items" }).getByRole("link").first()).toBeVisible({ timeout: 60_000 });
  report([{ name: "the run's page, until its first row is visible", value: (performance.now() - began) / 1000, unit: "s" }]);
});
