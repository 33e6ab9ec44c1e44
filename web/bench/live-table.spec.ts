import { expect, test } from "@playwright/test";
import type { RunDetail } from "../src/api/generated/orchestrator";
import { paceDuring, paceMeasures, report } from "./measures";

const runId = process.env.LLMBENCH_BENCH_RUN ?? "";
const rows = Number(process.env.LLMBENCH_BENCH_ITEMS);
const feed = process.env.LLMBENCH_BENCH_FEED ?? "";
const SCROLL_EVERY_MS = 100;

test("live table", async ({ page, request }) => {
  // The run has finished for the services. The page receives events as if it were running and its items changed.
  const run = (await (await request.get(`/api/runs/${runId}`)).json()) as RunDetail;
  const live: RunDetail = { ...run, status: "RUNNING", outcome: null, finished_at: null };
  await page.route(new RegExp(`/api/runs/${runId}\\??$`), (route) => route.fulfill({ json: live }));
  await page.goto(`/runs/${runId}/items`);
  const items = page.getByRole("table", { name: "Items" });
  await expect(items).toHaveAttribute("aria-rowcount", String(rows + 1), { timeout: 120_000 });
  await expect(page.getByRole("status", { name: "Connection" })).toHaveText("Live");
  await items.scrollIntoViewIfNeeded();
  await items.hover();

  let fed = { sent: 0, seconds: 1 };
  const pace = await paceDuring(page, async () => {
    const state = { over: false };
    const feeding = request.post(feed, { timeout: 60_000 }).then(async (answer) => {
      fed = (await answer.json()) as typeof fed;
      state.over = true;
    });
    for (let turn = 1; !state.over; turn += 1) {
      await page.mouse.wheel(0, turn % 40 < 30 ? 240 : -480);
      await page.waitForTimeout(SCROLL_EVERY_MS);
    }
    await feeding;
  });
  const failed = page.getByRole("group", { name: "Filter items by state" }).getByRole("button", { name: /^Failed/ });
  // The counts are drawn once a second.
  await page.waitForTimeout(2500);
  const applied = Number(((await failed.textContent()) ?? "").replaceAll(/\D/g, ""));
  report([
    { name: "events a second", value: fed.sent / fed.seconds, unit: "/s", aim: "200" },
    { name: "events applied", value: (100 * applied) / fed.sent, unit: "%", aim: "98 or more" },
    ...paceMeasures(pace),
  ]);
});
