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
