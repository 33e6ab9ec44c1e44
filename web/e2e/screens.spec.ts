import { expectAccessible } from "./axe";
import { expect, test } from "./platform";

test("filters survive a reload, and cancel asks first", async ({ page, platform }) => {
  await platform.hold("mock-0ms-cancelled", 0);
  const run = await platform.start({ name: "To be cancelled", models: ["mock-0ms-cancelled"], tasks: 3 });
  await page.goto(`/runs/${run.id}?status=NEW`);
  const filter = page.getByRole("group", { name: "Filter items by state" });
  await expect(filter.getByRole("button", { name: /^New/ })).toHaveAttribute("aria-pressed", "true");
  await page.reload();
  await expect(filter.getByRole("button", { name: /^New/ })).toHaveAttribute("aria-pressed", "true");

  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Cancel this run?" })).toBeVisible();
  await page.getByRole("button", { name: "Cancel the run" }).click();
  await expect(page.getByText("Cancelled", { exact: true }).first()).toBeVisible();
  await page.goto("/runs?status=CANCELLED");
  await expect(page.getByRole("link", { name: "To be cancelled" }).first()).toBeVisible();
});

test("? lists the keys of the screen one is on; they lead through the app", async ({ page, platform }) => {
  const run = await platform.start({ name: "By keys alone", models: ["mock-0ms", "mock-0ms-404"], tasks: 2 });
  await platform.reaches(run.id, "FINISHED");
  await page.goto("/runs");
  await expect(page.getByRole("button", { name: "Keyboard shortcuts (?)" })).toBeVisible();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help.getByText("New run")).toBeVisible();
  await expectAccessible(page, "the shortcuts");
  await page.keyboard.press("Escape");
  await expect(help).toHaveCount(0);
  await page.keyboard.press("/");
  await page.keyboard.type("By keys");
  await expect(page).toHaveURL(/q=By\+keys/);

  await page.goto(`/runs/${run.id}/items`);
  await expect(page.getByRole("table", { name: "Items" }).getByRole("link").first()).toBeVisible();
  await page.keyboard.press("f");
  await expect(page).toHaveURL(/status=FAILED/);
  await expect(page.getByRole("table", { name: "Items" }).getByRole("link")).toHaveCount(2);
  await page.keyboard.press("j");
  await expect(page.getByRole("dialog").getByText("There is no answer.")).toBeVisible();
  await page.keyboard.press("?");
  await expect(help.getByText("Next item")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("x");
  await expect(page).not.toHaveURL(/status=/);
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await expect(page.getByRole("heading", { name: "Providers" })).toBeVisible();
});
