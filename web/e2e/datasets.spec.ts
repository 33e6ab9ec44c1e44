import { readFileSync } from "node:fs";
import { expect, test } from "./platform";
import { storeTasks, unique } from "./setup";

const HEAD = "id,prompt,expected_output,ground_truth.confidence,difficulty";
const BAD = [HEAD, "one,What is 17 + 25?,42,0.9,easy", "two,,17,0.9,easy", "three,What is 6 + 7?,13,1.5,hard"].join("\n");
const GOOD = BAD.replace("two,,", "two,What is 8 + 9?,").replace("1.5", "0.5");

test("a file with faults is mended, published, run with two evaluators, and a third is added to the results", async ({ page, platform }) => {
  const { provider } = await platform.prepare({ tasks: 1 });
  const name = `Sums ${unique()}`;
  await page.goto("/datasets");
  await page.getByRole("button", { name: /(New|Make a) dataset/ }).first().click();
  await page.getByLabel("Name (required)").fill(name);
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("link", { name: "Upload the first one" }).click();

  const file = page.getByLabel("File to import");
  await file.setInputFiles({ name: "sums.csv", mimeType: "text/csv", buffer: Buffer.from(BAD) });
  const faults = page.getByRole("table", { name: "Bad rows" });
  await expect(page.getByRole("heading", { name: "2 of 3 rows are bad" })).toBeVisible();
  await expect(faults.getByRole("row").nth(1)).toContainText("3prompt");
  await expect(faults.getByRole("row").nth(2)).toContainText("4ground_truth.confidence");

  await file.setInputFiles({ name: "sums.csv", mimeType: "text/csv", buffer: Buffer.from(GOOD) });
  await expect(faults).toBeHidden();
  await expect(page.getByText("All 3 cases have a right answer.", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "Upload 3 cases" }).click();
  await expect(page.getByRole("heading", { name: `${name}, version 1` })).toBeVisible();
  await page.getByLabel("Metadata", { exact: true }).fill("difficulty=easy");
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 of 3 cases")).toBeVisible();
  await page.getByRole("link", { name: "What is 8 + 9?" }).click();
  await expect(page.getByRole("dialog").getByRole("heading", { name: "Ground truth" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Sample", exact: true }).click();
  await page.getByRole("button", { name: "Draw a sample" }).click();
  await expect(page.getByText("3 of 3 cases, by seed")).toBeVisible();
  await page.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: /^JSON Lines/ }).click()]);
  expect(readFileSync(await download.path(), "utf8").trim().split("\n")).toHaveLength(3);
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByRole("button", { name: "Publish it" }).click();
  await page.getByRole("link", { name: "Run models on it" }).click();

  await expect(page.getByRole("list", { name: "Chosen dataset versions" }).getByRole("listitem")).toHaveCount(1);
  await page.getByRole("group", { name: provider.name }).getByRole("checkbox", { name: "mock-0ms", exact: true }).check();
  const plan = page.getByRole("region", { name: "Before the start" });
  await expect(plan).toContainText("Items3");
  await page.getByRole("combobox", { name: "Add an evaluator" }).click();
  await page.getByRole("option", { name: /^Fuzzy match/ }).click();
  const fuzzy = page.getByRole("listitem", { name: "Fuzzy match" });
  await fuzzy.getByLabel("Threshold", { exact: true }).fill("1.2");
  await page.getByRole("combobox", { name: "Provider" }).selectOption(provider.name);
  await page.getByRole("combobox", { name: "Model" }).fill("mock-50ms");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Start the run" }).click();
  await expect(fuzzy.getByLabel("Threshold", { exact: true })).toHaveAccessibleDescription(/must be at most 1/);
  await fuzzy.getByLabel("Threshold", { exact: true }).fill("0.1");
  await page.getByRole("button", { name: "Start the run" }).click();

  await expect(page.getByText("Finished", { exact: true })).toBeVisible();
  const results = page.getByRole("group", { name: "Results by evaluator" });
  await expect(results.getByRole("row", { name: /^Rubric/ })).toContainText("3 of 3");
  await expect(results.getByRole("row", { name: /^Fuzzy match/ })).toContainText("3 of 3");

  await page.getByRole("button", { name: "Add evaluators" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Add an evaluator" }).click();
  await page.getByRole("option", { name: /^Contains/ }).click();
  await dialog.getByRole("button", { name: "Score the answers" }).click();
  await expect(results.getByRole("row", { name: /^Contains/ })).toContainText("3 of 3");
  await page.getByRole("navigation", { name: "Views of the run" }).getByRole("link", { name: "Items" }).click();
  await page.getByRole("table", { name: "Items" }).getByRole("link").first().click();
  const scores = page.getByRole("dialog").getByRole("region", { name: "Scores" });
  await expect(scores.getByRole("listitem")).toHaveCount(3);
  await expect(page.getByRole("dialog").getByRole("heading", { name: "Contains, by program" })).toBeVisible();
});

test("a collection is published as a dataset's version, which is deprecated", async ({ page, request }) => {
  const collection = await storeTasks(request, unique(), 3);
  await page.goto(`/collections/${collection.id}`);
  await page.getByRole("button", { name: /^More about/ }).click();
  await page.getByRole("menuitem", { name: /^Publish as dataset version/ }).click();
  await expect(page.getByText("A new dataset, called", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page.getByRole("heading", { name: `${collection.name}, version 1` })).toBeVisible();
  await page.getByRole("button", { name: "Deprecate", exact: true }).click();
  await page.getByRole("button", { name: "Deprecate it" }).click();
  await expect(page.getByRole("link", { name: "Run models on it" })).toHaveCount(0);
  await expect(page.getByText("Deprecated").first()).toBeVisible();
});
