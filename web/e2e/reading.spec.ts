import { expect, test } from "./platform";
import { look } from "./look";

test("the ten worst answers of a model are three clicks away, and are read beside the others'", async ({ page, platform }) => {
  const run = await platform.start({ name: "To be read", models: ["mock-0ms", "mock-0ms-second"], tasks: 3 });
  await platform.reaches(run.id, "FINISHED");
  await page.goto(`/runs/${run.id}/items`);
  const items = page.getByRole("table", { name: "Items" });
  await expect(items.getByRole("cell").filter({ hasText: /^Answer/ }).first()).toBeVisible();

  // Columns, widths and height of the rows are part of the address.
  await page.getByRole("button", { name: "Columns" }).click();
  // The page's address keeps the columns, so the box follows a moment after the click.
  await page.getByRole("checkbox", { name: /^Question/ }).click();
  await expect(page.getByRole("checkbox", { name: /^Question/ })).toBeChecked();
  await page.getByRole("button", { name: "Tall" }).click();
  await expect(page).toHaveURL(/rows=tall/);
  await items.getByRole("separator", { name: "Width of The first line of the answer" }).press("ArrowRight");
  await expect(page).toHaveURL(/answer%3A216/);
  await look(page, "the choice of columns");
  await page.reload();
  await expect(items.getByText("What is 0 + 25?").first()).toBeVisible();

  // The score of one evaluator is a column that sorts: ascending, descending, and no more.
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "rubric", exact: true }).click();
  await expect(page.getByRole("checkbox", { name: "rubric", exact: true })).toBeChecked();
  const rubric = items.getByRole("columnheader", { name: "rubric", exact: true });
  for (const sorted of ["ascending", "descending"]) {
    await rubric.getByRole("button").click();
    await expect(rubric).toHaveAttribute("aria-sort", sorted);
    await expect(page).toHaveURL(/sort=evaluator_score&evaluator_revision_id=/);
    await expect(items.getByRole("link")).toHaveCount(6);
  }
  await rubric.getByRole("button").click();
  await expect(page).not.toHaveURL(/sort=/);

  // A view keeps them by name.
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save or delete views" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Questions first");
  await page.getByRole("button", { name: "Save the view" }).click();
  await page.goto(`/runs/${run.id}/items`);
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Questions first" }).click();
  await expect(page).toHaveURL(/rows=tall/);

  await page.getByRole("link", { name: "Read", exact: true }).click();
  const answers = page.getByRole("list", { name: "Answers" });
  await expect(answers.getByRole("heading")).toHaveCount(2);
  await expect(page.getByRole("region", { name: "Question" })).toContainText("What is 0 + 25?");
  await page.keyboard.press("j");
  await expect(page.getByRole("region", { name: "Question" })).toContainText("What is 1 + 25?");
  await page.keyboard.press("d");
  await page.getByRole("combobox", { name: "Against" }).selectOption("mock-0ms");
  await expect(answers).toContainText("The others are compared with this answer.");
  await answers.getByText("How it came about").first().click();
  await expect(answers).toContainText("Request sent");
  await look(page, "the differences of answers");
});

test("Ctrl+K leads to a run, and keeps what was used", async ({ page, platform }, info) => {
  const name = `Looked for by name ${info.repeatEachIndex}.${info.retry}`;
  const run = await platform.start({ name, models: ["mock-0ms"], tasks: 1 });
  await platform.reaches(run.id, "FINISHED");
  await page.goto("/datasets");
  await expect(page.getByRole("button", { name: "Search and go to (Ctrl K)" })).toBeVisible();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Page, run, dataset, task or action" });
  await expect(field).toBeFocused();
  await look(page, "the palette", page.getByRole("dialog"));
  await field.fill("looked for");
  await expect(page.getByRole("option", { name: new RegExp(`^${name}`) })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/runs/${run.id}$`));
  // The address changes before the page, and until then the palette leaves out the page before.
  await expect(page.getByRole("heading", { name })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("group", { name: "Recently used" }).getByRole("option", { name: "Datasets" })).toBeVisible();
});
