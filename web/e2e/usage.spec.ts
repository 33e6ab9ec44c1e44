import { look } from "./look";
import { expect, test } from "./platform";

test("usage of finished runs is shown by day and model, and its filters survive a reload", async ({ page, platform }) => {
  await platform.start({ name: "Used", models: ["mock-0ms", "mock-0ms-second"], tasks: 3 }).then((run) => platform.reaches(run.id, "FINISHED"));
  await page.goto("/runs");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" }).click();
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Usage" }).click();
  const totals = page.getByLabel("Totals");
  await expect(totals.getByText("Calls", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Usage by day" }).getByRole("row")).not.toHaveCount(0);
  await look(page, "usage by day");
  await page.getByRole("combobox", { name: "By" }).selectOption("model");
  const models = page.getByRole("region", { name: "Usage by model" });
  await expect(models.getByRole("rowheader", { name: "mock-0ms-second" })).toBeVisible();
  await page.getByRole("combobox", { name: "Model" }).selectOption("mock-0ms-second");
  await expect(models.getByRole("rowheader")).toHaveCount(1);
  await expect(page).toHaveURL(/by=model&model=mock-0ms-second/);
  await page.reload();
  await expect(models.getByRole("rowheader")).toHaveCount(1);
  await look(page, "usage of one model");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/^usage-.*\.csv$/);
});
