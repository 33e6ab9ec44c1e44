import type { ExperimentOut } from "../src/api/generated/orchestrator";
import { look } from "./look";
import { expect, test } from "./platform";
import { unique } from "./setup";

const CASES = 64;

test("an experiment is written with a live plan, stops by itself, and is concluded with a record", async ({ page, platform, request }) => {
  const { provider, collection } = await platform.prepare({ tasks: CASES });
  const prefix = unique();
  const [control, better] = [`elm-${prefix}-1b`, `elm-${prefix}-2b`];
  // The larger model is right always, and the control at every fourth question.
  const right = Array.from({ length: CASES / 4 }, (_, index) => ({ when: [`What is ${index * 4} +`], say: "It is right." }));
  await platform.script(control, [...right, { when: [], say: "It is wrong." }]);
  await platform.script(better, [{ when: [], say: "It is right." }]);
  const name = `A larger model ${prefix}`;

  await page.goto("/experiments/new");
  await page.getByRole("button", { name: "Start the experiment" }).click();
  await expect(page.getByText("Give the experiment a name.", { exact: true })).toBeVisible();
  await look(page, "the editor of an experiment with errors");
  await page.getByRole("textbox", { name: "Name (required)" }).fill(name);
  await page.getByRole("textbox", { name: "Hypothesis" }).fill("The larger model is right more often.");
  await page.getByRole("combobox", { name: "Type" }).selectOption("Model comparison");
  const variants = page.getByRole("list", { name: "Variants" });
  for (const [variant, model] of [["Control", control], ["Treatment", better]] as const) {
    const card = variants.getByRole("listitem", { name: variant });
    await card.getByRole("combobox", { name: "Provider" }).selectOption(provider.name);
    await card.getByRole("combobox", { name: "Model" }).fill(model);
    await card.getByRole("combobox", { name: "Model" }).press("Enter");
  }
  await page.getByRole("checkbox", { name: collection.name }).check();
  await page.getByRole("button", { name: "Remove Rubric" }).click();
  await page.getByRole("combobox", { name: "Add an evaluator" }).fill("Contains");
  await page.getByRole("option", { name: /^Contains/ }).first().click();
  await page.locator("summary", { hasText: "More parameters" }).click();
  await page.getByRole("textbox", { name: "Texts" }).fill("right");
  await page.getByRole("combobox", { name: "Primary metric" }).selectOption("contains");
  const plan = page.getByRole("region", { name: "Plan" });
  await expect(plan.getByText("cases for each variant", { exact: true })).toBeVisible();
  await expect(plan.getByText(/This effect needs/)).toBeVisible();
  await plan.getByRole("slider", { name: "Smallest effect that matters" }).fill("30");
  await expect(plan.getByText(/This effect needs/)).toHaveCount(0);
  await page.locator("summary", { hasText: "Details" }).last().click();
  await page.getByRole("spinbutton", { name: "Cases of a round" }).fill("8");
  await page.getByRole("spinbutton", { name: "Seed" }).last().fill("5");
  await page.locator("summary", { hasText: "Limits" }).last().click();
  await page.getByRole("spinbutton", { name: "At most, cases of each variant" }).fill(String(CASES));
  await page.getByRole("button", { name: "Save the draft" }).click();
  await expect(page).toHaveURL(/\/experiments\/[^/]+\/edit$/);
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Name (required)" })).toHaveValue(name);
  await look(page, "the editor of an experiment");

  // Held in its first round, so that the running experiment can be looked at.
  await platform.hold(better, 4);
  await page.getByRole("button", { name: "Start the experiment" }).click();
  await expect(page).toHaveURL(/\/experiments\/[^/]+$/);
  await expect(page.getByText(/^Round 1 is running/)).toBeVisible();
  await look(page, "a running experiment");
  await platform.hold(better, null);

  // The page follows without a reload.
  await expect(page.getByText("Stopped by itself")).toBeVisible({ timeout: 240_000 });
  await expect(page.getByText(/^Decided after \d+\sof\s64 cases: \d+% of the calls not made\.$/)).toBeVisible();
  await expect(page.getByRole("table", { name: "Variants" }).getByRole("row", { name: /^Treatment/ })).toContainText("Better");
  await page.locator("summary", { hasText: "The same as a table" }).click();
  await expect(page.getByRole("table", { name: /^Looks at/ }).getByRole("row").nth(1)).toContainText("Better");
  const first = page.getByRole("list", { name: "Cases" }).getByRole("listitem").first();
  await expect(first.getByRole("article", { name: "Control" })).toContainText("It is wrong.");
  await expect(first.getByRole("article", { name: "Treatment" })).toContainText("It is right.");
  await look(page, "an experiment that has stopped");
  await page.getByRole("group", { name: "Intervals of Treatment" }).getByRole("link", { name: /^Look 1, after round 1:/ }).click();
  await expect(page).toHaveURL(/\/runs\/[^/]+\/items$/);
  await expect(page.getByRole("table", { name: "Items" })).toBeVisible();
  await page.goBack();

  await page.getByRole("button", { name: "Conclude…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("radio", { name: /^Treatment/ })).toBeChecked();
  await look(page, "the conclusion of an experiment", dialog);
  await dialog.getByRole("textbox", { name: "Notes" }).fill("Use it from Monday on.");
  await dialog.getByRole("button", { name: "Conclude" }).click();
  const conclusion = page.getByRole("region", { name: "Conclusion" });
  await expect(conclusion.getByText("Treatment wins")).toBeVisible();
  await expect(conclusion.getByText("Use it from Monday on.").first()).toBeVisible();
  await conclusion.locator("summary", { hasText: "Decision record" }).click();
  await expect(conclusion.getByText(`# ${name}`).first().or(conclusion.getByText(name).first())).toBeVisible();
  await look(page, "a concluded experiment");

  await page.goto(`/experiments?q=${prefix}&status=CONCLUDED`);
  await expect(page.getByRole("row", { name })).toContainText("Treatment wins");
  const id = (await (await request.get(`/v1/experiments?search=${prefix}`)).json()) as { experiments: ExperimentOut[] };
  expect(id.experiments[0]?.progress.done).toBeLessThan(CASES);
});

test("without experiments the page says what one is for", async ({ page }) => {
  await page.route("**/v1/experiments?*", (route) => route.fulfill({ json: { experiments: [], total: 0, has_more: false } }));
  await page.goto("/experiments");
  await expect(page.getByRole("heading", { name: "No experiments yet" })).toBeVisible();
  await look(page, "no experiments");
  await page.getByRole("link", { name: "Plan an experiment" }).click();
  await expect(page).toHaveURL(/\/experiments\/new$/);
});
