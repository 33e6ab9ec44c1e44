import { expect, test } from "@playwright/test";
import { paceDuring, paceMeasures, report, type Measure } from "./measures";

const runId = process.env.LLMBENCH_BENCH_RUN ?? "";
const rows = Number(process.env.LLMBENCH_BENCH_ITEMS);
const SCROLL_MS = 5000;

test("large run", async ({ page, request }) => {
  const began = performance.now();
  expect((await request.get(`/api/runs/${runId}`)).ok()).toBe(true);
  const answer = performance.now() - began;
  await page.goto("/providers");
  await expect(page.getByRole("heading", { name: "Providers" })).toBeVisible();

  // First from a link within the app, then by address.
  const measures: Measure[] = [{ name: "the server's answer for the run", value: answer, unit: "ms" }];
  for (const name of ["opened for the first time", "opened again"]) {
    const opened = performance.now();
    await page.goto(`/runs/${runId}/items`);
    const items = page.getByRole("table", { name: "Items" });
    await expect(items.getByRole("link").first()).toBeVisible({ timeout: 60_000 });
    measures.push({ name: `${name}: until rows can be read`, value: performance.now() - opened, unit: "ms", aim: "1,500 or less" });
    await expect(items).toHaveAttribute("aria-rowcount", String(rows + 1), { timeout: 120_000 });
    measures.push({ name: `${name}: until every row is there`, value: performance.now() - opened, unit: "ms" });
  }
  const items = page.getByRole("table", { name: "Items" });
  await items.scrollIntoViewIfNeeded();
  await items.hover();
  const pace = await paceDuring(page, async () => {
    for (const started = performance.now(); performance.now() - started < SCROLL_MS; ) {
      await page.mouse.wheel(0, 900);
      await page.waitForTimeout(16);
    }
  });
  report([...measures, ...paceMeasures(pace)]);
});
