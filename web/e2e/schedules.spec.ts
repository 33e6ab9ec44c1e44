import { look } from "./look";
import { expect, test } from "./platform";
import { unique } from "./setup";

test("a run is scheduled, run by hand, paused, changed and deleted, and the list of runs names its schedule", async ({ page, platform }) => {
  const { provider, collection } = await platform.prepare({ tasks: 2 });
  const name = `Nightly ${unique()}`;
  await page.goto("/runs/new");
  await page.getByRole("group", { name: provider.name }).getByRole("checkbox", { name: "mock-0ms", exact: true }).check();
  await page.getByRole("combobox", { name: "Provider" }).selectOption(provider.name);
  await page.getByRole("combobox", { name: "Model" }).fill("mock-200");
  await expect(page.getByRole("option", { name: "mock-200ms" })).toBeVisible();
  // Enter takes the first match. A click would wait until the list rests, which moves while models are listed above it.
  await page.keyboard.press("Enter");
  await page.getByRole("checkbox", { name: collection.name }).check();
  await page.getByRole("button", { name: "Schedule it…" }).click();

  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: "New schedule" })).toBeVisible();
  await dialog.getByRole("combobox", { name: "Cron expression" }).fill("0 0 30 2 *");
  await dialog.getByRole("combobox", { name: "Cron expression" }).press("Enter");
  await expect(dialog.getByRole("alert").first()).toContainText("is never due");
  await dialog.getByRole("combobox", { name: "Cron expression" }).fill("30 2 29 2 *");
  await dialog.getByRole("combobox", { name: "Cron expression" }).press("Enter");
  await dialog.getByRole("combobox", { name: "Time zone" }).fill("Asia/Tokyo");
  await dialog.getByRole("option", { name: "Asia/Tokyo" }).click();
  await expect(dialog.getByRole("region", { name: "Next times" }).getByRole("listitem")).toHaveCount(5);
  await expect(dialog.getByRole("region", { name: "Next times" })).toContainText("Tue, Feb 29, 2028, 02:30+09:00");
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await look(page, "the editor of a schedule", dialog);
  await dialog.getByRole("button", { name: "Create" }).click();

  await expect(page.getByRole("heading", { name })).toBeVisible();
  await expect(page.getByText("It has not started anything yet.")).toBeVisible();
  await page.getByRole("button", { name: "Run now" }).click();
  const line = page.getByRole("region", { name: "History" }).getByRole("row").nth(1);
  await expect(line).toContainText("Run now");
  await expect(line.getByText("Finished", { exact: true })).toBeVisible();
  await look(page, "a schedule with its history");

  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("None while it is paused.")).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("region", { name: "Next times" }).getByRole("listitem")).toHaveCount(5);

  await page.getByRole("button", { name: "Change" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill(`${name} changed`);
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: `${name} changed` })).toBeVisible();

  await page.goto("/runs");
  await expect(page.getByRole("row", { name }).getByRole("link", { name: `${name} changed` })).toBeVisible();
  await page.getByRole("link", { name: "Schedules" }).click();
  await expect(page.getByRole("row", { name: `${name} changed` })).toContainText("Asia/Tokyo");
  await look(page, "the list of schedules");
  await page.getByRole("link", { name: `${name} changed` }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("textbox", { name: "Type delete to confirm" }).fill("delete");
  await page.getByRole("button", { name: "Delete the schedule" }).click();
  await expect(page).toHaveURL(/\/runs\/schedules$/);
  await expect(page.getByRole("link", { name: `${name} changed` })).toHaveCount(0);
});

test("without schedules the page says how to make one", async ({ page }) => {
  await page.route("**/api/schedules", (route) => route.fulfill({ json: { items: [], next_cursor: null } }));
  await page.goto("/runs/schedules");
  await expect(page.getByRole("heading", { name: "No schedules yet" })).toBeVisible();
  await look(page, "no schedules");
  await page.getByRole("link", { name: "Compose a run" }).click();
  await expect(page).toHaveURL(/\/runs\/new$/);
});
