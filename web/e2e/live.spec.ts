import { expect, test } from "./platform";
import { expectWhole } from "./whole";

// A gap or a duplicate is a bug even if it is rare: no second try.
test.describe.configure({ retries: 0 });

test("a run is watched from the list to FINISHED without a reload", async ({ page, platform }) => {
  await page.goto("/runs");
  await expect(page.getByRole("heading", { name: "Runs", exact: true })).toBeVisible();
  const run = await platform.start({ name: "Watched live", models: ["mock-50ms", "mock-50ms-second"], tasks: 6 });

  // The run appears in a list that was opened before the run existed.
  await page.locator(`a[href="/runs/${run.id}"]`).click();
  await expect(page.getByRole("heading", { name: "Watched live" })).toBeVisible();
  await expect(page.getByRole("status", { name: "Connection" })).toHaveText(/^(Live)?$/);
  await page.evaluate(() => document.documentElement.setAttribute("data-same-page", ""));

  const views = page.getByRole("navigation", { name: "Views of the run" });
  await expect(page.getByText("Finished", { exact: true })).toBeVisible();
  await expect(page.getByText("12 items judged")).toBeVisible();
  await expect(page.getByRole("region", { name: "At a glance" })).toBeVisible();
  await expect(page.getByRole("group", { name: "Results by target" }).getByRole("row")).toHaveCount(3);
  await views.getByRole("link", { name: "Log" }).click();
  await expect(page.getByRole("log")).toContainText("Verdict");
  await views.getByRole("link", { name: /^Items/ }).click();
  const items = page.getByRole("table", { name: "Items" });
  await expect(page.getByRole("group", { name: "Filter items by state" }).getByRole("button", { name: "Completed 12" })).toBeVisible();

  // The page shows the server's figures.
  const rows = await platform.items(run.id);
  await expect(items).toHaveAttribute("aria-rowcount", String(rows.length + 1));
  for (const row of rows.slice(0, 5)) {
    const line = items.getByRole("row").filter({ has: page.locator(`a[href*="${row.id}"]`) });
    await expect(line).toContainText(String(row.score));
    await expect(line).toContainText(row.reason ?? "");
  }
  expect(await page.evaluate(() => document.documentElement.hasAttribute("data-same-page"))).toBe(true);
});

test("pause shows PAUSING, then PAUSED; resume goes on", async ({ page, platform }) => {
  // Only the warm-up passes: the first item is in progress when the run is paused.
  await platform.hold("mock-0ms-paused", 1);
  const run = await platform.start({ name: "Paused and resumed", models: ["mock-0ms-paused"], tasks: 4 });
  await page.goto(`/runs/${run.id}/items`);
  const items = page.getByRole("table", { name: "Items" });
  await expect(items.getByText("In progress").first()).toBeVisible();

  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("button", { name: "Pausing…" })).toBeDisabled();
  await platform.hold("mock-0ms-paused", null);
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
  // The answer in progress was kept.
  expect((await platform.run(run.id)).counts.answered).toBeGreaterThan(0);

  // Held again, so that it is still running when the page is looked at.
  await platform.hold("mock-0ms-paused", 0);
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("Running", { exact: true })).toBeVisible();
  await platform.hold("mock-0ms-paused", null);
  await expect(page.getByText("Finished", { exact: true })).toBeVisible();
});

test("a provider that asks for patience is waited for, and the page says until when", async ({ page, platform }) => {
  const run = await platform.start({ name: "Asked to wait", models: ["mock-0ms-429-retryafter900"], tasks: 1 });
  await page.goto(`/runs/${run.id}`);
  await expect(page.getByRole("region", { name: "Progress" }).getByText(/^Backing off until \d/)).toBeVisible();
  // It is given up before that.
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await page.getByRole("button", { name: "Cancel the run" }).click();
  await expect(page.getByText("Cancelled", { exact: true }).first()).toBeVisible();
});

test("a reload in mid-run loses nothing and doubles nothing", async ({ page, platform }) => {
  await platform.hold("mock-0ms-reloaded", 4);
  const run = await platform.start({ name: "Reloaded", models: ["mock-0ms-reloaded"], tasks: 12 });
  await page.goto(`/runs/${run.id}/items`);
  const items = page.getByRole("table", { name: "Items" });
  await expect(items.getByText("Waiting for judge").first()).toBeVisible();
  await page.reload();
  await platform.hold("mock-0ms-reloaded", null);
  await expect(page.getByText("Finished", { exact: true })).toBeVisible();
  await expectWhole(page, platform, run.id);
});

test("lost frames and a cut connection leave neither gap nor duplicate", async ({ page, platform }) => {
  const seen = { connections: 0, messages: 0 };
  await page.routeWebSocket("**/ws", (socket) => {
    seen.connections += 1;
    const server = socket.connectToServer();
    let messages = 0;
    server.onMessage((message) => {
      messages += 1;
      seen.messages += 1;
      if (messages > 5 && messages % 4 === 0) return;
      socket.send(message);
      if (seen.connections === 1 && messages === 9) void socket.close({ code: 1001 });
    });
  });
  await platform.hold("mock-0ms-bad-line", 1);
  const run = await platform.start({ name: "Over a bad line", models: ["mock-0ms-bad-line"], tasks: 24 });
  await page.goto(`/runs/${run.id}/items`);
  await expect(page.getByRole("status", { name: "Connection" })).toHaveText("Live");
  // One answer after the other, so that each is a message of its own, until the connection is cut.
  while (seen.connections === 1) {
    const before = seen.messages;
    await platform.hold("mock-0ms-bad-line", 1);
    await expect.poll(() => seen.connections > 1 || seen.messages > before).toBe(true);
  }
  await platform.hold("mock-0ms-bad-line", null);
  await expect(page.getByText("Finished", { exact: true })).toBeVisible();
  await expectWhole(page, platform, run.id);
});

test("a gateway that is killed in mid-run and comes back leaves neither gap nor duplicate", async ({ page, platform, request }) => {
  const control = process.env.LLMBENCH_E2E_CONTROL_URL;
  test.skip(!control, "needs a platform whose services may be killed");
  await platform.hold("mock-0ms-killed", 4);
  const run = await platform.start({ name: "Gateway killed", models: ["mock-0ms-killed"], tasks: 30 });
  await page.goto(`/runs/${run.id}/items`);
  const connection = page.getByRole("status", { name: "Connection" });
  await expect(connection).toHaveText("Live");
  await expect(page.getByRole("table", { name: "Items" }).getByText("Waiting for judge").first()).toBeVisible();
  expect((await request.post(`${control}/gateway-ws/kill`)).ok()).toBe(true);
  await expect(connection).toContainText("Reconnecting, updating by polling");
  // Without the gateway the page follows by polling.
  const waiting = page.getByRole("table", { name: "Items" }).getByText("Waiting for judge");
  const before = await waiting.count();
  await platform.hold("mock-0ms-killed", 3);
  await expect.poll(() => waiting.count()).toBeGreaterThan(before);
  expect((await request.post(`${control}/gateway-ws/start`)).ok()).toBe(true);
  // The page tries again after up to a quarter of a minute.
  await expect(connection).toHaveText("Live");
  await platform.hold("mock-0ms-killed", null);
  await expect(page.getByText("Finished", { exact: true })).toBeVisible();
  await expectWhole(page, platform, run.id);
});

test("a page that slept through the end of a run knows all of it when it wakes", async ({ page, platform }) => {
  await platform.hold("mock-0ms-slept", 4);
  const run = await platform.start({ name: "Slept through", models: ["mock-0ms-slept"], tasks: 12 });
  await page.goto(`/runs/${run.id}/items`);
  await expect(page.getByRole("status", { name: "Connection" })).toHaveText("Live");
  await expect(page.getByRole("table", { name: "Items" }).getByText("Waiting for judge").first()).toBeVisible();
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setWebLifecycleState", { state: "frozen" });
  await platform.hold("mock-0ms-slept", null);
  await platform.reaches(run.id, "FINISHED");
  await session.send("Page.setWebLifecycleState", { state: "active" });
  await expect(page.getByText("Finished", { exact: true })).toBeVisible();
  await expectWhole(page, platform, run.id);
});
