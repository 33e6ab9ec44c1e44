import type { Page } from "@playwright/test";
import { expect, test, type Platform } from "./platform";

test("a run is watched from the list to FINISHED without a reload", async ({ page, platform }) => {
  await page.goto("/runs");
  await expect(page.getByRole("heading", { name: "Runs", exact: true })).toBeVisible();
  const run = await platform.start({ name: "Watched live", models: ["mock-50ms", "mock-50ms-second"], tasks: 6 });

  // It appears in a list that was open before it existed.
  await page.locator(`a[href="/runs/${run.id}"]`).click();
  await expect(page.getByRole("heading", { name: "Watched live" })).toBeVisible();
  await expect(page.getByRole("status", { name: "Connection" })).toHaveText("Live");
  await page.evaluate(() => document.documentElement.setAttribute("data-same-page", ""));

  const items = page.getByRole("table", { name: "Items" });
  await expect(items.getByText("Completed").first()).toBeVisible();
  await expect(page.getByText("Finished", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("12 items judged")).toBeVisible();
  await expect(page.getByRole("group", { name: "Filter items by state" }).getByRole("button", { name: "Completed 12" })).toBeVisible();
  await expect(page.getByRole("log")).toContainText("Verdict");

  // What is shown is what the server says.
  const rows = await platform.items(run.id);
  await expect(items).toHaveAttribute("aria-rowcount", String(rows.length + 1));
  for (const row of rows.slice(0, 5)) {
    const line = items.getByRole("row").filter({ has: page.locator(`a[href*="${row.id}"]`) });
    await expect(line).toContainText(String(row.score));
    await expect(line).toContainText(row.reason ?? "");
  }
  await expect(page.getByRole("group", { name: "Results by target" }).getByRole("row")).toHaveCount(3);
  expect(await page.evaluate(() => document.documentElement.hasAttribute("data-same-page"))).toBe(true);
});

test("pause shows PAUSING, then PAUSED; resume goes on", async ({ page, platform }) => {
  const run = await platform.start({ name: "Paused and resumed", models: ["mock-1.5s"], tasks: 4 });
  await page.goto(`/runs/${run.id}`);
  const items = page.getByRole("table", { name: "Items" });
  await expect(items.getByText("In progress").first()).toBeVisible();

  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("button", { name: "Pausing…" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
  // The answer that was under way has been kept.
  expect((await platform.run(run.id)).counts.answered).toBeGreaterThan(0);

  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("Running", { exact: true })).toBeVisible();
  await expect(page.getByText("Finished", { exact: true })).toBeVisible({ timeout: 60_000 });
});

test("a reload in mid-run loses nothing and doubles nothing", async ({ page, platform }) => {
  const run = await platform.start({ name: "Reloaded", models: ["mock-200ms"], tasks: 12 });
  await page.goto(`/runs/${run.id}`);
  const items = page.getByRole("table", { name: "Items" });
  await expect(items.getByText("Waiting for judge").first()).toBeVisible();
  await page.reload();
  await expect(page.getByText("Finished", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expectWhole(page, platform, run.id);
});

test("lost frames and a cut connection leave neither gap nor duplicate", async ({ page, platform }) => {
  let connections = 0;
  await page.routeWebSocket("**/ws", (socket) => {
    connections += 1;
    const server = socket.connectToServer();
    let messages = 0;
    server.onMessage((message) => {
      messages += 1;
      if (messages > 5 && messages % 4 === 0) return;
      socket.send(message);
      if (connections === 1 && messages === 9) void socket.close({ code: 1001 });
    });
  });
  const run = await platform.start({ name: "Over a bad line", models: ["mock-200ms"], tasks: 24 });
  await page.goto(`/runs/${run.id}`);
  await expect(page.getByText("Finished", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expectWhole(page, platform, run.id);
  expect(connections).toBeGreaterThan(1);
});

/** Log and rows are those of the server, each once. */
async function expectWhole(page: Page, platform: Platform, runId: string): Promise<void> {
  const events = await platform.events(runId);
  const logged = events.filter((event) => event.type === "llmbench.run.logged.v1").map((event) => event.run_seq);
  await expect.poll(() => shownSeqs(page)).toEqual(logged);
  const rows = await platform.items(runId);
  const items = page.getByRole("table", { name: "Items" });
  await expect(items).toHaveAttribute("aria-rowcount", String(rows.length + 1));
  await expect(page.getByRole("group", { name: "Filter items by state" }).getByRole("button", { name: `Completed ${rows.length}` })).toBeVisible();
}

/** Every line of the log by its number: scrolled through, because only a part of it is drawn. */
async function shownSeqs(page: Page): Promise<number[]> {
  return page.getByRole("log").evaluate(async (log) => {
    const seen = new Set<number>();
    for (let top = 0; top <= log.scrollHeight; top += log.clientHeight / 2) {
      log.scrollTop = top;
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      for (const line of log.querySelectorAll<HTMLElement>("[data-seq]")) seen.add(Number(line.dataset.seq));
    }
    return [...seen].toSorted((a, b) => a - b);
  });
}
