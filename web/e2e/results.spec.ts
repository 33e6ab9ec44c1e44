import { expectAccessible } from "./axe";
import { expect, test } from "./platform";
import { expectSound, unique } from "./setup";

test("items are searched, filtered and sorted by the server, in the URL, and exported as shown", async ({ page, platform }) => {
  const run = await platform.start({ name: "To be searched", models: ["mock-0ms", "mock-0ms-404"], tasks: 6 });
  await platform.reaches(run.id, "FINISHED");
  const all = await platform.items(run.id);
  await page.goto(`/runs/${run.id}/items`);
  const items = page.getByRole("table", { name: "Items" });

  await page.getByRole("searchbox", { name: /^Search task/ }).fill("What is 3 + 25?");
  await expect(items).toHaveAttribute("aria-rowcount", "3");
  await page.reload();
  await expect(items).toHaveAttribute("aria-rowcount", "3");
  await page.getByRole("button", { name: "Clear filters" }).click();

  await items.getByRole("button", { name: "Score" }).click();
  await expect(items.getByRole("columnheader", { name: "Score" })).toHaveAttribute("aria-sort", "ascending");
  const worst = Math.min(...all.flatMap((row) => row.score ?? []));
  await expect(items.getByRole("row").nth(1)).toContainText(String(worst));
  expect(page.url()).toMatch(/sort=score$/);

  await page.getByRole("group", { name: "Filter items by state" }).getByRole("button", { name: /^Completed/ }).click();
  await expect(items).toHaveAttribute("aria-rowcount", "7");
  await page.getByRole("button", { name: "Export these" }).click();
  const href = await page.getByRole("menuitem", { name: /^JSON Lines/ }).getAttribute("href");
  const exported = await page.request.get(href!);
  expect((await exported.text()).trim().split("\n").filter((line) => line.includes(`"COMPLETED"`)).length).toBe(6);
});

test("figures, breakdowns and failures lead to their items", async ({ page, platform }) => {
  const run = await platform.start({ name: "Taken apart", models: ["mock-0ms", "mock-0ms-404"], tasks: 4 });
  await platform.reaches(run.id, "FINISHED");
  await page.goto(`/runs/${run.id}`);
  await expect(page.getByText("4 of 8 items scored")).toBeVisible();
  const evaluators = page.getByRole("group", { name: "Results by evaluator" });
  await expect(evaluators.getByRole("row", { name: /^Rubric/ })).toContainText("4 of 4");
  const views = page.getByRole("navigation", { name: "Views of the run" });
  await views.getByRole("link", { name: "Breakdown" }).click();
  const breakdown = page.getByRole("region", { name: "Breakdown" });
  await expect(breakdown.getByRole("row").filter({ hasText: "arithmetic" })).toBeVisible();
  for (const [view, table] of [["By task", "Results by task"], ["Task × model", "Task by model"]] as const) {
    await breakdown.getByRole("button", { name: view }).click();
    await expect(breakdown.getByRole("table", { name: table })).toHaveAttribute("aria-rowcount", "5");
    await expectAccessible(page, `the breakdown ${view}`);
  }

  // A bar links to as many items as it counts.
  await breakdown.getByRole("button", { name: "Histograms" }).click();
  const bar = breakdown.getByRole("group", { name: "Scores of mock-0ms", exact: true }).getByRole("link").first();
  await expectAccessible(page, "the histograms");
  const count = Number.parseInt((await bar.getAttribute("aria-label")) ?? "", 10);
  await bar.click();
  await expect(page.getByRole("table", { name: "Items" })).toHaveAttribute("aria-rowcount", String(count + 1));
  await views.getByRole("link", { name: "Breakdown" }).click();
  await breakdown.getByRole("button", { name: "Trade-offs" }).click();
  await expect(breakdown.getByRole("group", { name: "Score by median time of an answer" }).getByRole("link").first()).toBeVisible();
  await expect(breakdown.getByText("No answer has a price", { exact: false })).toBeVisible();
  await expectAccessible(page, "the trade-offs");

  await views.getByRole("link", { name: /^Failures/ }).click();
  await page.getByRole("region", { name: "Failures" }).getByRole("link", { name: /^Show/ }).click();
  await expect(page.getByRole("table", { name: "Items" })).toHaveAttribute("aria-rowcount", "5");
  await expect(page.getByRole("heading", { name: "Items" })).toBeInViewport();
});

test("the columns of the category map have one width, however long the names are", async ({ page, platform }) => {
  const { provider, collection } = await platform.prepare({ tasks: 2 });
  const target = { provider_id: provider.id, model: "mock-0ms" };
  const long = "a model with a careful system prompt, low temperature and-one-word-that-is-longer-than-any-column-of-the-table";
  const run = await platform.create({ name: "Long names", judge: { provider_id: provider.id, model: "mock-0ms-judge" }, targets: [{ ...target, label: long }, { ...target, label: "b" }], collection_ids: [collection.id], check_providers: false });
  await platform.reaches(run.id, "FINISHED");
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/runs/${run.id}/breakdown`);
    await page.getByRole("button", { name: "Category × model" }).click();
    const map = page.getByRole("group", { name: "Category by model" });
    const [first, second] = await Promise.all([long, "b"].map(async (name) => (await map.getByRole("columnheader", { name, exact: true }).boundingBox())!.width));
    expect(first).toBeCloseTo(second!, 0);
    await expect(map.getByRole("columnheader", { name: long })).toHaveAttribute("title", long);
    await expectSound(page, `the category map at ${width}`);
  }
});

test("failed judging is tried again with another judge, in the same page", async ({ page, platform }) => {
  const run = await platform.start({ name: "Judged twice", models: ["mock-0ms"], judgeModel: "mock-0ms-unparsed", tasks: 3 });
  await platform.reaches(run.id, "FINISHED");
  await page.goto(`/runs/${run.id}/failures`);
  const failures = page.getByRole("region", { name: "Failures" });
  await expect(failures).toContainText("3 unparsed in judging");
  await failures.getByRole("button", { name: "Ask another judge" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: "Ask another judge" })).toBeVisible();
  const [provider] = (await platform.run(run.id)).targets;
  await dialog.getByRole("combobox", { name: "Provider" }).selectOption(provider!.provider_name);
  await dialog.getByRole("combobox", { name: "Model" }).fill("mock-50ms");
  await page.getByRole("option", { name: "mock-50ms", exact: true }).first().click();
  await expectAccessible(page, "another judge");
  await dialog.getByRole("button", { name: "Judge", exact: true }).click();
  await expect(failures).toContainText("Nothing failed");
  await expect(page.getByText("Finished", { exact: true })).toBeVisible();
  await page.getByRole("navigation", { name: "Views of the run" }).getByRole("link", { name: "Results" }).click();
  // The scores of the two are kept apart. The first judge scored nothing, so the second's are the run's figures.
  const judges = page.getByRole("group", { name: "Results by evaluator" });
  await expect(judges.getByRole("row").filter({ hasText: "mock-50ms" })).toContainText("3 of 3000");
  await expect(judges.getByRole("row").filter({ hasText: "mock-50ms" }).getByText("primary", { exact: true })).toBeVisible();
  await expect(judges.getByRole("row").filter({ hasText: "mock-0ms-unparsed" })).not.toContainText("primary");
});

test("a run is renamed, then deleted once the word is typed", async ({ page, platform }) => {
  const run = await platform.start({ name: "Short-lived", models: ["mock-0ms"], tasks: 1 });
  await platform.reaches(run.id, "FINISHED");
  await page.goto(`/runs/${run.id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: /^Edit/ }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Short-lived, renamed");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Short-lived, renamed" })).toBeVisible();

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const confirm = page.getByRole("button", { name: "Delete the run" });
  await expect(confirm).toBeDisabled();
  await page.getByRole("textbox", { name: /to confirm/ }).fill("delete");
  await confirm.click();
  await expect(page).toHaveURL(/\/runs$/);
  await expect(page.getByText("is deleted.")).toBeVisible();
  await expect(page.locator(`a[href="/runs/${run.id}"]`)).toHaveCount(0);
});

test("the command palette tries the failed items of a run again, from any of its views", async ({ page, platform }) => {
  const model = `mock-0ms-404-${unique()}`;
  const run = await platform.start({ name: "Tried from the palette", models: [model], tasks: 3 });
  await platform.reaches(run.id, "FINISHED");
  const before = (await platform.promptsTo(model)).length;
  await page.goto(`/runs/${run.id}/items?status=FAILED`);
  await expect(page.getByRole("button", { name: /^Failed\s*3$/ })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("button", { name: "Search and go to (Ctrl K)" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Page, run, dataset, task or action" }).fill("retry");
  const option = page.getByRole("option", { name: "Try all failed items again" });
  await expect(option).toContainText("3 items");
  await expect(option).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  const notices = page.getByRole("status", { name: "Notices" });
  await expect(notices).toContainText("The run continues with the failed items.");
  await expect(notices).toContainText("Tried again: 3 still fail");
  expect((await platform.promptsTo(model)).length, "the model was asked again").toBeGreaterThan(before);
  await expect(page.getByRole("button", { name: /^Failed\s*3$/ })).toBeVisible();
});
