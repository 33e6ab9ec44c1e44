import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { look } from "./look";
import { expect, test, type Platform } from "./platform";
import { unique } from "./setup";

/** Count the questions that the mock was sent; a warm-up is none. */
const questionsTo = async (platform: Platform, model: string) => (await platform.promptsTo(model)).filter((prompt) => prompt.includes("What is")).length;

/** Start the run without asking the provider for its models: the mock does not list these. */
async function startUnchecked(page: Page) {
  await page.locator("summary", { hasText: "Limits" }).last().click();
  await page.getByRole("checkbox", { name: /^Check first/ }).uncheck();
  await page.getByRole("button", { name: "Start the run" }).click();
}

test("a wrong reference is mended from an item, the stored answers are judged again, and the comparison says so", async ({ page, platform }) => {
  const model = `mock-0ms-mend${unique()}`;
  const run = await platform.start({ name: "Wrongly referenced", models: [model], tasks: 4 });
  await platform.reaches(run.id, "FINISHED");
  expect(await questionsTo(platform, model)).toBe(4);

  // The worst item, in a filtered list that Save and Cancel come back to.
  const worst = (await platform.items(run.id)).toSorted((a, b) => (a.score ?? 0) - (b.score ?? 0))[0]!;
  const address = `/runs/${run.id}/items?sort=score&item=${worst.id}`;
  await page.goto(address);
  const panel = page.getByRole("dialog");
  const changed = panel.getByRole("region", { name: "Changed since this run" });
  const edit = panel.getByRole("list", { name: "Actions" }).getByRole("link", { name: "Edit its task" });
  await edit.click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(new RegExp(`/items\\?sort=score&item=${worst.id}$`));
  await expect(edit).toBeVisible();
  await expect(changed).toHaveCount(0);
  await edit.click();
  await page.getByRole("textbox", { name: "Excellent", exact: true }).fill("The mended reference of this question");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/items\\?sort=score&item=${worst.id}$`));
  await expect(page.getByText(/^Saved\. /)).toBeVisible();
  await expect(changed).toContainText("The reference has changed since this run");
  await expect(changed).toContainText("The mended reference of this question");
  await expectAccessible(page, "an item whose task was changed");
  await look(page, "an item whose reference was changed");

  await changed.getByRole("link", { name: "Judge the answers again" }).click();
  await expect(page.getByRole("note")).toContainText("The stored answers are used and cost nothing; only the judge is asked.");
  await expect(page.getByRole("textbox", { name: "Name (required)" })).toHaveValue("Wrongly referenced, reference mended");
  await look(page, "the form that judges again");
  await startUnchecked(page);
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
  const again = new URL(page.url()).pathname.split("/").at(-1)!;
  platform.ends(again);
  await platform.reaches(again, "FINISHED");
  expect((await platform.items(again)).map((one) => one.cached), "every answer was taken from the first run").toEqual([true, true, true, true]);
  expect(await questionsTo(platform, model), "the model was not asked again").toBe(4);

  await page.goto(`/compare?run=${run.id}&run=${again}`);
  const note = "The reference of 1 of 4 cases was changed between these runs.";
  await expect(page.getByRole("region", { name: "The run" })).toContainText(note);
  await look(page, "a comparison of runs with a changed reference");
  await page.getByRole("region", { name: "The run" }).getByRole("link", { name: "Show them" }).click();
  await expect(page).toHaveURL(/show=changed/);
  const cases = page.getByRole("article", { name: /^Case / });
  await expect(cases).toHaveCount(1);
  await expect(cases).toContainText("Reference changed");
  await cases.getByRole("link").first().click();
  const references = panel.getByRole("region", { name: /^References of/ });
  await expect(references).toHaveCount(2);
  await expect(references.nth(1)).toContainText("The mended reference of this question");
  await expect(references.nth(0)).not.toContainText("The mended reference");
  await expectAccessible(page, "a case with a changed reference");
  await look(page, "a case with a changed reference");
});

test("a changed question is said before the answers are judged again: it is asked anew", async ({ page, platform }) => {
  const model = `mock-0ms-anew${unique()}`;
  const run = await platform.start({ name: "Wrongly asked", models: [model], tasks: 2 });
  await platform.reaches(run.id, "FINISHED");
  const [item] = await platform.items(run.id);
  await page.goto(`/runs/${run.id}/items?item=${item!.id}`);
  const panel = page.getByRole("dialog");
  await panel.getByRole("list", { name: "Actions" }).getByRole("link", { name: "Edit its task" }).click();
  await page.getByRole("textbox", { name: /^Question/ }).fill("What is 20 + 30?");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await panel.getByRole("region", { name: "Changed since this run" }).getByRole("link", { name: "Judge the answers again" }).click();
  await expect(page.getByRole("note")).toContainText("1 answer has to be asked again because it cannot be reused (the question was changed)");
  await startUnchecked(page);
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
  const again = new URL(page.url()).pathname.split("/").at(-1)!;
  platform.ends(again);
  await platform.reaches(again, "FINISHED");
  expect((await platform.items(again)).map((one) => one.cached)).toEqual([false, true]);
  expect(await questionsTo(platform, model)).toBe(3);
});
