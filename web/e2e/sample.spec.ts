import { look } from "./look";
import { expect, test } from "./platform";

test("a run of a sample says what was sampled, and its copy has the same cases", async ({ page, platform }) => {
  const { provider, collection } = await platform.prepare({ tasks: 12 });
  await page.goto(`/runs/new?collection=${collection.id}`);
  await page.getByRole("group", { name: provider.name }).getByRole("checkbox", { name: "mock-0ms", exact: true }).check();
  await page.getByRole("combobox", { name: "Provider" }).selectOption(provider.name);
  await page.getByRole("combobox", { name: "Model" }).fill("mock-200");
  await expect(page.getByRole("option", { name: "mock-200ms" })).toBeVisible();
  // Enter takes the first match. A click would wait until the list rests, which moves while models are listed above it.
  await page.keyboard.press("Enter");
  await page.getByText("Sample", { exact: true }).click();
  await page.getByRole("spinbutton", { name: "Cases" }).fill("4");
  await page.getByRole("combobox", { name: "Chosen" }).selectOption("The same share of each category");
  await page.getByRole("spinbutton", { name: "Sample seed" }).fill("7");
  await expect(page.getByRole("region", { name: "Before the start" })).toContainText("Tasks4 of 12");
  await look(page, "a new run with a sample");
  await page.getByRole("button", { name: "Start the run" }).click();

  await expect(page.getByText("4 of 12 cases, stratified, seed 7", { exact: true })).toBeVisible();
  await expect(page.getByText("Finished", { exact: true })).toBeVisible();
  await look(page, "a run of a sample");
  const first = new URL(page.url()).pathname.split("/").at(-1) ?? "";

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Clone" }).click();
  await expect(page.getByRole("spinbutton", { name: "Sample seed" })).toHaveValue("7");
  await page.getByRole("button", { name: "Start the run" }).click();
  await expect(page.getByText("Finished", { exact: true })).toBeVisible();
  const second = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const [before, after] = [await platform.items(first), await platform.items(second)];
  expect(second).not.toBe(first);
  expect(after.map((item) => item.task_id)).toEqual(before.map((item) => item.task_id));
  await page.goto("/runs");
  await page.getByRole("combobox", { name: "Providers" }).fill(provider.name);
  await page.getByRole("option", { name: provider.name }).click();
  await page.keyboard.press("Tab");
  await expect(page).toHaveURL(new RegExp(`provider=${provider.id}`));
  await expect(page.getByRole("status").filter({ hasText: "2 runs" })).toBeVisible();
  await look(page, "the runs of one provider");
  const listed = page.getByRole("row").filter({ has: page.locator(`a[href="/runs/${second}"]`) });
  await expect(listed).toContainText("Sample: 4 of 12 cases, stratified, seed 7");
});
