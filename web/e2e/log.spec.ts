import { expectAccessible } from "./axe";
import { expect, test } from "./platform";

test("the log follows the newest line until the reader scrolls away", async ({ page, platform }) => {
  await platform.hold("mock-100ms-followed", 20);
  const run = await platform.start({ name: "Followed", models: ["mock-100ms-followed"], tasks: 60 });
  await page.goto(`/runs/${run.id}/log`);
  const log = page.getByRole("log");
  const fromEnd = () => log.evaluate((box) => Math.round(box.scrollHeight - box.clientHeight - box.scrollTop));
  const height = () => log.evaluate((box) => box.scrollHeight);

  await expect.poll(height).toBeGreaterThan(900);
  for (let look = 0; look < 5; look += 1) {
    await page.waitForTimeout(300);
    await expect.poll(fromEnd).toBeLessThan(40);
  }
  await expect(page.getByRole("button", { name: "Jump to latest" })).toBeHidden();

  await log.hover();
  await page.mouse.wheel(0, -400);
  await expect(page.getByRole("button", { name: "Jump to latest" })).toBeVisible();
  const readAt = await log.evaluate((box) => box.scrollTop);
  const heightThen = await height();
  await platform.hold("mock-100ms-followed", 10);
  await expect.poll(height).toBeGreaterThan(heightThen + 100);
  expect(Math.abs((await log.evaluate((box) => box.scrollTop)) - readAt)).toBeLessThan(40);

  await page.getByRole("button", { name: "Jump to latest" }).click();
  await expect.poll(fromEnd).toBeLessThan(40);

  // The pressed element stays under the pointer while new lines arrive; then the log goes on.
  const answered = async () => (await platform.run(run.id)).counts.answered;
  await expect.poll(answered).toBe(29); // thirty calls, the first to load the model
  await expect(log.getByText("Prompt", { exact: true }).last()).toBeInViewport();
  await log.getByRole("link").last().hover();
  await page.mouse.down();
  const heightPressed = await height();
  await platform.hold("mock-100ms-followed", 10);
  await expect.poll(answered).toBe(39);
  expect(await height()).toBe(heightPressed);
  await page.mouse.up();
  const opened = page.getByRole("dialog").getByRole("heading", { name: "Answer" });
  await expect(opened).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(opened).toBeHidden();
  await expect.poll(height).toBeGreaterThan(heightPressed);
  await platform.hold("mock-100ms-followed", null);
  await platform.reaches(run.id, "FINISHED");
  await expect(page.getByText("Finished", { exact: true })).toBeVisible();
  await expect.poll(fromEnd).toBeLessThan(40);

  // The filter is part of the address; a line links to its item.
  await page.getByRole("group", { name: "Filter the log by kind" }).getByRole("button", { name: "Answer" }).click();
  await expect(page).toHaveURL(/log=answer/);
  await expect(log.getByText("Prompt", { exact: true })).toHaveCount(0);
  await log.getByRole("link").last().click();
  await expect(opened).toBeVisible();
});

test("the log is searched and filtered by target while it goes on", async ({ page, platform }) => {
  const models = ["mock-0ms-searched", "mock-0ms-other"];
  await platform.hold(models[0]!, 11); // one call loads the model
  const run = await platform.start({ name: "Searched", models, tasks: 30, question: (index) => (index % 2 === 0 ? `Is Ångström ${index} a needle?` : `What is ${index} + 25?`) });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/runs/${run.id}/log`);
  const log = page.getByRole("log");
  const search = page.getByRole("searchbox", { name: "Search the log" });
  const count = page.getByRole("region", { name: "Live log" }).getByText(/^\d+\sof\s\d+ lines$/).first();
  const counted = async () => Number.parseInt((await count.textContent()) ?? "", 10);
  await expect.poll(async () => (await platform.run(run.id)).counts.answered).toBe(10);

  // "/" leads to the search. The marks show what matches; the count says how much.
  await expect(log.getByText("Prompt", { exact: true }).last()).toBeAttached();
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await page.keyboard.type("ångström");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/log_q=/);
  await expect(log.locator("mark").last()).toHaveText("Ångström");
  await expect(log.getByText("+ 25?")).toHaveCount(0);
  const before = await counted();
  expect(before).toBeGreaterThan(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    await expectAccessible(page, `the searched log, ${colorScheme}`);
  }

  // New lines that match appear, and the log follows them.
  await platform.hold(models[0]!, 10);
  await expect.poll(counted).toBeGreaterThan(before);
  await expect.poll(() => log.evaluate((box) => Math.round(box.scrollHeight - box.clientHeight - box.scrollTop))).toBeLessThan(40);
  await platform.hold(models[0]!, null);
  await platform.reaches(run.id, "FINISHED");

  // Both filters are in the address, and survive a reload.
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("combobox", { name: "Targets" }).click();
  await page.getByRole("option", { name: models[1]! }).click();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/log_target=/);
  await page.reload();
  await log.scrollIntoViewIfNeeded();
  await expect(log.getByText(models[1]!).last()).toBeInViewport();
  await expect(log.getByText(models[0]!)).toHaveCount(0);

  await search.fill("nothing says so");
  await expect(page.getByRole("heading", { name: "No line matches" })).toBeVisible();
  await expectAccessible(page, "a log without a match");
  await page.getByRole("button", { name: "Show all lines" }).click();
  await expect(search).toBeFocused();
  await expect(page).not.toHaveURL(/log_/);
  await expect(log.locator("[data-seq]").last()).toBeAttached();
});
