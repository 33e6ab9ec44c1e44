import { expect, test } from "./platform";
import { storeTasks, unique } from "./setup";

test("a collection is made, filled by search, emptied, renamed and deleted", async ({ page, request }) => {
  const prefix = unique();
  await storeTasks(request, prefix, 90);
  await page.goto("/collections");
  await page.getByRole("button", { name: "New collection" }).click();
  await page.getByLabel("Name (required)").fill(`Chosen ${prefix}`);
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: `Chosen ${prefix}` })).toBeVisible();

  const outside = page.getByRole("region", { name: "Not in it" });
  const inside = page.getByRole("region", { name: "In this collection" });
  await expect(inside.getByText("No tasks yet", { exact: false })).toBeVisible();
  await outside.getByRole("searchbox").fill(`${prefix}-000`);
  await expect(outside.getByRole("listitem")).toHaveCount(10);
  await outside.getByRole("checkbox", { name: `${prefix}-0001` }).check();
  await outside.getByRole("checkbox", { name: `${prefix}-0002` }).check();
  await expect(outside.getByText("2 afterwards")).toBeVisible();
  await outside.getByRole("button", { name: "Add 2" }).click();
  await expect(inside.getByRole("listitem")).toHaveCount(2);
  await expect(outside.getByRole("listitem")).toHaveCount(8);

  // More than a page of them at once.
  await outside.getByRole("searchbox").fill(prefix);
  await expect(outside.getByRole("button", { name: "Load more" })).toBeVisible();
  await outside.getByRole("button", { name: "Choose all found" }).click();
  await outside.getByRole("button", { name: "Add 88" }).click();
  await expect(page.getByText("90 tasks", { exact: true })).toBeVisible();
  await expect(outside.getByText("No task matches", { exact: false })).toBeVisible();

  await inside.getByLabel("Category: In this collection").selectOption(`${prefix} law`);
  await expect(inside.getByRole("listitem")).toHaveCount(30);
  await inside.getByRole("button", { name: "Choose all found" }).click();
  await inside.getByRole("button", { name: "Remove 30" }).click();
  await expect(page.getByText("60 tasks", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "More about" }).click();
  await page.getByRole("menuitem", { name: "Rename…" }).click();
  await page.getByLabel("Name (required)").fill(`Collection ${prefix}`);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByLabel("Name (required)")).toHaveAccessibleDescription(/already|taken/);
  await page.getByLabel("Name (required)").fill(`Renamed ${prefix}`);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: `Renamed ${prefix}` })).toBeVisible();

  await page.getByRole("link", { name: "All collections" }).click();
  await expect(page.getByRole("heading", { name: "Collections", exact: true })).toBeVisible();
  await page.getByRole("searchbox").fill(prefix);
  // The address names the search once it has begun. A click before then may hit a row that is being replaced.
  await expect(page).toHaveURL(new RegExp(`q=${prefix}`));
  await expect(page.getByRole("link", { name: prefix })).toHaveCount(4);
  await page.getByRole("link", { name: `60 tasks of Renamed ${prefix}` }).click();
  await expect(page.getByText("50 of 60 tasks")).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: `More about Renamed ${prefix}` }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await page.getByRole("alertdialog").getByRole("textbox").fill("delete");
  await page.getByRole("button", { name: "Delete the collection" }).click();
  await expect(page.getByRole("link", { name: `Renamed ${prefix}`, exact: true })).toHaveCount(0);
  await expect(page.getByRole("link", { name: `Collection ${prefix}`, exact: true })).toBeVisible();
});
