import { expectAccessible } from "./axe";
import { expect, test } from "./platform";

test("an item opens from the table, and its link works", async ({ page, platform }) => {
  const run = await platform.start({ name: "Item by item", models: ["mock-0ms"], tasks: 3 });
  await platform.reaches(run.id, "FINISHED");
  const [first, second] = await platform.items(run.id);
  await page.goto(`/runs/${run.id}/items`);
  await page.getByRole("table", { name: "Items" }).getByRole("link", { name: first!.task_id }).click();
  const panel = page.getByRole("dialog");
  await expect(panel.getByRole("heading", { name: "Answer" })).toBeVisible();
  await expect(panel.getByText("What is 0 + 25?").first()).toBeVisible();
  await expect(panel.getByText("Judge reply")).toBeVisible();

  await page.keyboard.press("j");
  await expect(panel.getByText("What is 1 + 25?").first()).toBeVisible();
  const link = page.url();
  expect(link).toContain(`item=${second!.id}`);
  await page.keyboard.press("Escape");
  await expect(panel.getByRole("heading", { name: "Answer" })).toBeHidden();
  expect(page.url()).not.toContain("item=");

  const opener = page.getByRole("table", { name: "Items" }).getByRole("link", { name: first!.task_id });
  await page.goto(`/runs/${run.id}/items`);
  await opener.press("Enter");
  await expect(panel.getByRole("heading", { name: "Answer" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(opener, "focus is back where it was").toBeFocused();

  await page.goto(link);
  await expect(panel.getByText("What is 1 + 25?").first()).toBeVisible();
  await expectAccessible(page, "the item panel");
});
