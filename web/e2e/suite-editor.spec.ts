import type { SuiteOut } from "../src/api/generated/config-api";
import { look } from "./look";
import { expect, test } from "./platform";
import { post, storeDataset, storeSuite, storeTasks, unique } from "./setup";

test("a suite is made, saved as it is typed, checked, published, and its versions are compared", async ({ page, request }) => {
  const prefix = unique();
  const [sums, facts] = [await storeDataset(request, prefix, 4), await storeTasks(request, prefix, 3)];
  await page.goto("/suites");
  await page.getByRole("link", { name: "New suite" }).click();
  await page.getByRole("button", { name: "Create the draft" }).click();
  await expect(page.getByText("Name the suite.")).toBeVisible();
  await expect(page.getByText("Choose the cases of task-1.")).toBeVisible();
  await look(page, "a new suite without a name");

  await page.getByRole("textbox", { name: "Name (required)" }).first().fill(`Made ${prefix}`);
  const task = page.getByRole("region", { name: /^Task \d of \d/ });
  await task.getByRole("textbox", { name: "Name (required)" }).fill("sums");
  await task.getByRole("combobox", { name: "Dataset (required)" }).fill(sums.dataset.name);
  await task.getByRole("combobox", { name: "Dataset (required)" }).press("Tab");
  await page.reload();
  await expect(page.getByText("Your unsaved changes are restored.")).toBeVisible();
  await expect(task.getByRole("combobox", { name: "Dataset (required)" })).toHaveValue(sums.dataset.name);
  await page.getByRole("button", { name: "Create the draft" }).click();
  await page.waitForURL(/\/suites\/[0-9a-f-]{36}\/edit$/);
  await expect(page.getByRole("heading", { name: `Edit Made ${prefix}` })).toBeVisible();
  const status = page.getByText("All changes are saved");
  await expect(status).toBeVisible();

  // The second task: another source, an evaluator with a parameter, and the order.
  await page.getByRole("button", { name: "Add a task" }).click();
  await expect(task.getByRole("textbox", { name: "Name (required)" })).toBeFocused();
  await task.getByRole("textbox", { name: "Name (required)" }).fill("facts");
  await expect(page.getByText("Not saved yet. Choose the cases of facts.")).toBeVisible();
  await task.getByRole("combobox", { name: "Cases of" }).selectOption("collection");
  await task.getByRole("combobox", { name: "Collection (required)" }).fill(facts.name);
  await task.getByRole("combobox", { name: "Collection (required)" }).press("Tab");
  await task.getByRole("combobox", { name: "After" }).fill("sums");
  await page.getByRole("option", { name: "sums" }).click();
  const levels = page.getByRole("list", { name: "Tasks by level" });
  await expect(levels.getByRole("listitem", { name: "Level 2" })).toContainText("facts");
  await expect(status).toBeVisible();
  await task.getByRole("combobox", { name: "Add an evaluator" }).fill("Contains");
  await page.getByRole("option", { name: /^Contains ?by program/ }).click();
  const evaluator = task.getByRole("list", { name: "Evaluators of the task" }).getByRole("listitem");
  await evaluator.getByRole("spinbutton", { name: "Pass threshold" }).fill("7");
  await expect(evaluator.getByText("7 is not on the evaluator's scale, which is 0 to 1")).toBeVisible();
  await expect(levels.getByRole("listitem", { name: "Level 2" })).toContainText("1 fault");
  await look(page, "a fault in an evaluator of a suite");
  await evaluator.getByRole("spinbutton", { name: "Pass threshold" }).fill("1");
  await expect(status).toBeVisible();

  // Tasks that wait for each other are named.
  await levels.getByRole("link", { name: "sums" }).click();
  await expect(task.getByRole("textbox", { name: "Name (required)" })).toHaveValue("sums");
  await task.getByRole("combobox", { name: "After" }).fill("facts");
  await page.getByRole("option", { name: "facts" }).click();
  // Several tasks can be chosen, so the list stays open until the focus leaves it.
  await task.getByRole("textbox", { name: "Name (required)" }).focus();
  await expect(page.getByRole("option", { name: "facts" })).toHaveCount(0);
  await expect(levels.locator("xpath=ancestor::section").getByText("The tasks wait for each other: facts → sums → facts.")).toBeVisible();
  await look(page, "tasks that wait for each other");
  await task.getByRole("button", { name: "Remove facts" }).click();
  await expect(status).toBeVisible();
  await page.getByText("The suite as YAML").click();
  await expect(page.getByRole("region", { name: "YAML" })).toContainText("after:\n      - sums");
  await look(page, "the YAML of a suite");

  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByRole("button", { name: "Publish it" }).click();
  await page.getByRole("button", { name: "New version" }).click();
  await page.waitForURL(/\/edit$/);
  await page.getByRole("textbox", { name: "Description" }).fill("What every model has to do.");
  // Done saves what is not saved yet.
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("combobox", { name: "Compare version 2 with" }).selectOption({ label: "Version 1" });
  const changes = page.getByRole("region", { name: "Changes from version 1 to version 2" });
  await expect(changes).toContainText("What every model has to do.");
  await look(page, "two versions of a suite compared");
});

test("a draft that was changed elsewhere is not overwritten", async ({ page, request }) => {
  const { id, definition } = await storeSuite(request, unique());
  await page.goto(`/suites/${id}/edit`);
  await expect(page.getByText("All changes are saved")).toBeVisible();
  await post<{ suite: SuiteOut }>(request, "/api/suites/apply", { suite: { ...definition, description: "Changed elsewhere." } });
  await page.getByRole("textbox", { name: "Description" }).fill("Mine.");
  await expect(page.getByText("This suite was changed elsewhere.")).toBeVisible();
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByRole("textbox", { name: "Description" })).toHaveValue("Changed elsewhere.");
});
