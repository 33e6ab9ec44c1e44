import { expectAccessible } from "./axe";
import { expect, test } from "./platform";

test("a run is made and started by clicks alone, then cloned", async ({ page, platform }) => {
  const { provider, collection } = await platform.prepare({ tasks: 3 });
  await page.goto("/runs/new");
  await page.getByRole("button", { name: "Start the run" }).click();
  await expect(page.getByText("Choose at least one model to be benchmarked.").first()).toBeVisible();

  const targets = page.getByRole("group", { name: provider.name });
  await targets.getByRole("checkbox", { name: "mock-0ms", exact: true }).check();
  await targets.getByRole("checkbox", { name: "mock-50ms", exact: true }).check();
  await page.getByRole("combobox", { name: "Provider" }).selectOption(provider.name);
  await page.getByRole("combobox", { name: "Model" }).fill("mock-200");
  await expect(page.getByRole("option", { name: "mock-200ms" })).toBeVisible();
  // Enter takes the first match. A click would wait until the list rests, which moves while models are listed above it.
  await page.keyboard.press("Enter");
  await page.getByRole("checkbox", { name: collection.name }).check();
  const plan = page.getByRole("region", { name: "Before the start" });
  await expect(plan).toContainText("Items6");
  await expect(plan).toContainText("Model calls15");
  const name = `mock-0ms, mock-50ms on ${collection.name}`;
  await expect(plan.getByRole("textbox", { name: "Name" })).toHaveValue(name);
  await expectAccessible(page, "the new run");
  await page.getByRole("button", { name: "Start the run" }).click();

  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  await expect(page.getByText("Finished", { exact: true })).toBeVisible();
  await expect(page.getByRole("group", { name: "Results by target" }).getByRole("row")).toHaveCount(3);

  const evaluators = page.getByRole("group", { name: "Results by evaluator" });
  await evaluators.getByRole("button", { name: "By target: Rubric" }).click();
  await expect(evaluators.getByRole("row", { name: /^mock-50ms/ })).toContainText("3 of 3");

  // The clone has its judge among its targets and must say so.
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Clone" }).click();
  await expect(page.getByRole("heading", { name: /^New run, like/ })).toBeVisible();
  await expect(plan.getByRole("textbox", { name: "Name" })).toHaveValue(`${name} (2)`);
  await page.getByRole("group", { name: provider.name }).getByRole("checkbox", { name: "mock-200ms", exact: true }).check();
  await expect(plan.getByRole("checkbox", { name: "Let it judge its own answers" })).toBeVisible();
  // These models ran before, so their duration is known.
  await expect(plan).toContainText(/Answers(about|less than) \d.*Judging(about|less than) \d/);
});

test("what the server refuses is said at its field, and a run in the way is linked", async ({ page, platform }) => {
  const { provider, collection } = await platform.prepare({ tasks: 2 });
  await page.goto("/runs/new");
  const targets = page.getByRole("group", { name: provider.name });
  await targets.getByRole("textbox", { name: /^Name of another model/ }).fill("no-such-model");
  await targets.getByRole("button", { name: "Add" }).click();
  await page.getByRole("combobox", { name: "Provider" }).selectOption(provider.name);
  await page.getByRole("combobox", { name: "Model" }).fill("mock-0ms");
  await page.keyboard.press("Tab");
  await page.getByRole("checkbox", { name: collection.name }).check();
  await page.getByRole("button", { name: "Start the run" }).click();
  await expect(page.getByRole("list", { name: "Chosen targets" })).toContainText(`${provider.name} has no model 'no-such-model'`);

  await platform.hold("mock-0ms-active", 0);
  const active = await platform.start({ name: "In the way", models: ["mock-0ms-active"], tasks: 2 });
  await page.getByRole("button", { name: "Remove no-such-model" }).click();
  await targets.getByRole("checkbox", { name: "mock-50ms", exact: true }).check();
  await expect(page.getByRole("link", { name: "In the way" })).toHaveAttribute("href", `/runs/${active.id}`);
  await expect(page.getByRole("button", { name: "Queue the run" })).toBeEnabled();
});
