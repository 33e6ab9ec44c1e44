import { expectAccessible } from "./axe";
import { look } from "./look";
import { expect, test } from "./platform";
import { unique } from "./setup";

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

test("runs are sorted, grouped, tagged, compared and deleted together", async ({ page, platform }) => {
  const ids: string[] = [];
  // A second try must not find the runs of the first.
  const bulk = `Bulk ${unique()}`;
  for (const [name, models] of [["one", ["mock-0ms", "mock-1ms"]], ["two", ["mock-0ms"]], ["three", ["mock-0ms-404"]]] as const) {
    const run = await platform.start({ name: `${bulk} ${name}`, models: [...models], tasks: 3 });
    await platform.reaches(run.id, "FINISHED");
    ids.push(run.id);
  }
  const names = page.getByRole("link", { name: bulk });
  await page.goto(`/runs?q=${bulk}&sort=name`);
  await expect(names).toHaveText([`${bulk} one`, `${bulk} three`, `${bulk} two`]);
  await page.getByRole("columnheader", { name: "Progress" }).getByRole("button").click();
  await expect(page).toHaveURL(/sort=failed/);
  await expect(names).toHaveText([`${bulk} three`, `${bulk} two`, `${bulk} one`]);
  await page.reload();
  await expect(names).toHaveText([`${bulk} three`, `${bulk} two`, `${bulk} one`]);
  const bars = page.getByRole("row", { name: `${bulk} one` }).getByRole("list", { name: "Targets" }).last();
  await expect(bars.getByRole("listitem")).toHaveCount(2);
  await expect(bars).toContainText("%");

  await page.getByRole("checkbox", { name: `Choose ${bulk} one` }).check();
  await page.getByRole("checkbox", { name: `Choose ${bulk} two` }).check();
  await look(page, "the runs with two chosen");
  await page.getByRole("button", { name: "Tags", exact: true }).click();
  await page.getByRole("combobox", { name: "Add" }).fill("together");
  await page.keyboard.press("Enter");
  // The open list of choices would lie over the buttons.
  await page.keyboard.press("Tab");
  await expectAccessible(page, "the tags of several runs");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.getByRole("combobox", { name: "Groups" }).selectOption("By tag");
  const together = page.getByRole("region", { name: /together/ });
  await expect(together.getByRole("link", { name: bulk })).toHaveText([`${bulk} two`, `${bulk} one`]);
  await expect(page.getByRole("region", { name: /Without a tag/ }).getByRole("link", { name: `${bulk} three` })).toBeVisible();
  await look(page, "the runs by tag");
  await together.getByRole("button", { name: /together/ }).click();
  await expect(together.getByRole("link", { name: bulk })).toHaveCount(0);
  await expect(page).toHaveURL(/shut=together/);

  await expect(page.getByRole("link", { name: "Compare", exact: true })).toHaveAttribute("href", `/compare?run=${ids[0]}&run=${ids[1]}`);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete 2 runs?" });
  await expect(dialog.getByRole("listitem")).toHaveText([`${bulk} one`, `${bulk} two`]);
  await dialog.getByRole("textbox").fill("delete 2");
  await expectAccessible(page, "the deletion of several runs");
  await dialog.getByRole("button", { name: "Delete 2 runs" }).click();
  await expect(page.getByRole("region", { name: "Chosen runs" })).toHaveCount(0);
  await page.goto(`/runs?q=${bulk}`);
  await expect(names).toHaveText([`${bulk} three`]);
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
