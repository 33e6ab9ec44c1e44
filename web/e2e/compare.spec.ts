import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { expect, test, type Platform } from "./platform";
import { expectSound } from "./setup";

const COMMON = "quite a few words that both of the answers have in common, so that marks are of use";
const HOSTILE = `<img src=x onerror="document.title='hacked'"> \u202egnp.exe ${COMMON}`;

/** Run two targets; the mock derives answers and scores from the question alone. */
async function compared(platform: Platform, name: string) {
  const run = await platform.start({ name, models: ["mock-0ms", "mock-0ms-tokens40"], tasks: 8 });
  await platform.reaches(run.id, "FINISHED");
  return run;
}

/** Replace the mock's answers on their way to the browser. */
async function answering(page: Page, answers: readonly string[]) {
  let at = 0;
  const known = new Map<string, string>();
  await page.route("**/api/runs/*/items/*", async (route) => {
    const response = await route.fetch();
    const url = route.request().url();
    if (!known.has(url)) known.set(url, answers[at++ % answers.length] ?? "");
    await route.fulfill({ response, json: { ...(await response.json()), answer: known.get(url) } });
  });
}

test("two runs are compared from the list, and a case from its row to the items", async ({ page, platform }) => {
  const first = await compared(platform, "To compare, first");
  await compared(platform, "To compare, second");
  await page.goto("/runs");
  for (const name of ["To compare, first", "To compare, second"]) await page.getByRole("checkbox", { name: `Choose ${name}` }).first().check();
  await page.getByRole("region", { name: "Chosen runs" }).getByRole("link", { name: "Compare" }).click();
  await expect(page).toHaveURL(/\/compare\?run=.*&run=/);
  const verdict = page.getByRole("region", { name: "The run" });
  await expect(verdict).toContainText("To compare, second against To compare, first");
  // Each run has a provider of its own here, so there are two judges: their scores are never subtracted.
  await expect(verdict).toContainText("Two different measures scored these runs");
  const pairs = page.getByRole("list", { name: "Pairs" });
  await expect(pairs.getByText("same label")).toHaveCount(2);
  await page.getByRole("button", { name: "Show its cases" }).click();
  await expect(page).toHaveURL(/target=/);
  await expectAccessible(page, "two runs compared");
  // Pairs chosen by hand are in the address, and Back undoes them.
  await page.getByText("Pair by hand").click();
  await page.getByRole("combobox", { name: /^mock-0ms is compared with/ }).selectOption({ label: "mock-0ms-tokens40" });
  await expect(pairs.getByText("paired by hand")).toHaveCount(1);
  await page.reload();
  await expect(pairs.getByText("paired by hand")).toHaveCount(1);
  await page.goBack();
  await expect(pairs.getByText("same label")).toHaveCount(2);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Report in HTML" }).click()]);
  expect(download.suggestedFilename()).toBe("comparison.html");
  expect(await readFile(await download.path(), "utf8")).toContain("<h1>To compare, second compared with To compare, first</h1>");
  await page.getByRole("link", { name: "Side by side" }).click();
  const columns = page.getByRole("region", { name: "Columns" }).getByRole("listitem");
  await expect(columns).toHaveCount(4);
  await expect(columns.first()).toContainText("To compare, first");
  await expect(columns.first()).toContainText("Baseline");

  // One click on a run's page compares its targets.
  await page.goto(`/runs/${first.id}`);
  await page.getByRole("link", { name: "Compare", exact: true }).click();
  await expect(columns).toHaveCount(2);
  await expect(columns.nth(1)).toContainText(/Better|Worse|Not separable/);
  await page.getByRole("group", { name: "Look at" }).getByRole("button", { name: "Table" }).click();
  const cases = page.getByRole("table", { name: "Cases" });
  await expect(cases).toHaveAttribute("aria-rowcount", "9");

  await answering(page, [`Nothing bad: ${COMMON}`, HOSTILE]);
  await cases.getByRole("link").first().click();
  const panel = page.getByRole("dialog");
  const other = panel.getByRole("article", { name: /^B:/ });
  await expect(other.locator("ins").first()).toBeVisible();
  await expect(other.locator("del").first()).toBeVisible();
  await expect(panel.getByRole("region", { name: "Answers" })).toContainText("⟨U+202E⟩gnp.exe");
  expect(await page.evaluate(() => document.querySelectorAll("[role=dialog] img").length)).toBe(0);
  const opened = page.url();
  await page.keyboard.press("j");
  await expect(panel.getByText("2 of 8")).toBeVisible();
  expect(page.url()).not.toBe(opened);
  await page.reload();
  await expect(panel.getByText("2 of 8")).toBeVisible();
  await panel.getByRole("link", { name: /^Open item of B/ }).click();
  await expect(page).toHaveURL(new RegExp(`/runs/${first.id}/items\\?item=`));
  await expect(page.getByRole("dialog").getByText("Judge reply")).toBeVisible();
});

test("cases are filtered by a click on a count; columns are added, replaced and made the baseline", async ({ page, platform }) => {
  const run = await compared(platform, "Filtered by counts");
  const [a, b] = (await platform.run(run.id)).targets;
  await page.goto(`/compare?column=${run.id}:${a!.id}&column=${run.id}:${b!.id}&look=table`);
  const counts = page.getByRole("group", { name: "Cases of column B" });
  const worse = counts.getByRole("button", { name: /worse$/ });
  const better = counts.getByRole("button", { name: /better$/ });
  await expect(worse).toBeVisible();
  const chosen = Number.parseInt((await worse.textContent()) ?? "0", 10) > 0 ? worse : better;
  const count = Number.parseInt((await chosen.textContent()) ?? "0", 10);
  expect(count, "the mock's scores differ").toBeGreaterThan(0);
  await chosen.click();
  const cases = page.getByRole("table", { name: "Cases" });
  await expect(cases).toHaveAttribute("aria-rowcount", String(count + 1));
  await page.reload();
  await expect(chosen).toHaveAttribute("aria-pressed", "true");
  await expect(cases).toHaveAttribute("aria-rowcount", String(count + 1));
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(cases).toHaveAttribute("aria-rowcount", "9");
  await page.getByRole("searchbox", { name: /^Search task/ }).fill("nothing like this");
  await expect(page.getByRole("heading", { name: "No case matches these filters" })).toBeVisible();
  await page.getByRole("button", { name: "Show all cases" }).click();

  await page.getByRole("button", { name: /^Actions for B/ }).click();
  await page.getByRole("menuitem", { name: "Make it the baseline" }).click();
  await expect(page).toHaveURL(/baseline=1/);
  await expect(page.getByRole("group", { name: "Cases of column A" })).toBeVisible();
  await page.getByRole("button", { name: /^Actions for A/ }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await expect(page.getByRole("heading", { name: "Choose what to compare it with" })).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: "Add a column" }).last().click();
  await expect(page.getByRole("heading", { name: "Add a column" })).toBeVisible();
  await expectAccessible(page, "the picker of columns");
  await page.getByRole("dialog").getByRole("button", { name: /^mock-0ms mock-0ms/ }).click();
  await expect(page.getByRole("region", { name: "Columns" }).getByRole("listitem")).toHaveCount(2);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Choose what to compare it with" })).toBeVisible();
});

test("two targets are reviewed by keyboard, and a category or a mark of the scores opens its cases", async ({ page, platform }) => {
  const run = await compared(platform, "Reviewed by keyboard");
  const [a, b] = (await platform.run(run.id)).targets;
  await page.goto(`/compare?column=${run.id}:${a!.id}&column=${run.id}:${b!.id}`);
  await expect(page.getByRole("region", { name: "Verdict" })).toContainText(/is better than|is worse than|cannot be told apart/);
  const articles = page.getByRole("article", { name: /^Case / });
  await expect(articles).toHaveCount(8);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(articles.nth(1).getByRole("heading").getByRole("link")).toBeFocused();
  await page.keyboard.press("d");
  await expect(articles.nth(1).getByRole("button", { expanded: true })).toBeVisible();
  await expectAccessible(page, "the review of cases");
  await page.keyboard.press("Enter");
  // The address changes before the panel is there, and Escape would be lost.
  const panel = page.getByRole("dialog");
  await expect(panel.getByText("2 of 8")).toBeVisible();
  await expect(page).toHaveURL(/case=/);
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);

  const look = page.getByRole("group", { name: "Look at" });
  await look.getByRole("button", { name: "Categories" }).click();
  const category = page.getByRole("group", { name: "Scores by category" }).getByRole("rowheader").getByRole("link").first();
  await expect(category).toBeVisible();
  await expectAccessible(page, "the map of categories");
  await category.click();
  await expect(page).toHaveURL(/category=/);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await look.getByRole("button", { name: "Scores" }).click();
  await expect(page.getByRole("link", { name: /cases?: .* → / }).first()).toBeVisible();
  await expectAccessible(page, "the picture of scores");
  for (const kind of ["CSV", "SVG", "PNG"]) {
    const saved = page.waitForEvent("download");
    await page.getByRole("region", { name: "Case by case" }).getByRole("group", { name: "Download" }).getByRole("button", { name: kind }).click();
    expect((await saved).suggestedFilename()).toBe(`scores-1.${kind.toLowerCase()}`);
    if (process.env.LLMBENCH_SHOTS) await (await saved).saveAs(`${process.env.LLMBENCH_SHOTS}/scores.${kind.toLowerCase()}`);
  }
  await page.getByRole("link", { name: /cases?: .* → / }).first().focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/bin=/);
  await expect(articles.first()).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });

    test("the comparison is accessible and fits a phone", async ({ page, platform }) => {
      const run = await compared(platform, `Compared in the ${colorScheme}`);
      const other = await platform.start({ name: `Lost in the ${colorScheme}`, models: ["mock-0ms-404"], tasks: 2 });
      await platform.reaches(other.id, "FINISHED");
      const [a, b] = (await platform.run(run.id)).targets;
      const columns = `column=${run.id}:${a!.id}&column=${run.id}:${b!.id}&column=${other.id}:${other.targets[0]!.id}`;
      await answering(page, ["The capital of France is Paris, as everybody knows.", "The capital of France is Lyon, as nobody knows.", "Paris."]);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto("/compare");
        await expect(page.getByRole("heading", { name: "Nothing to compare yet" })).toBeVisible();
        await expectSound(page, `the empty comparison, ${colorScheme}, ${width} px`);
        await page.goto(`/compare?${columns}`);
        const cases = page.getByRole("table", { name: "Cases" });
        await expect(cases.getByRole("link").first()).toBeVisible();
        await expectSound(page, `the comparison, ${colorScheme}, ${width} px`);
        if (process.env.LLMBENCH_SHOTS) await page.screenshot({ path: `${process.env.LLMBENCH_SHOTS}/compare-${colorScheme}-${width}.png`, fullPage: true });
        for (const one of ["review&of=1", "categories", "scores&of=1"]) {
          await page.goto(`/compare?${columns}&look=${one}`);
          await expect(page.getByRole("region", { name: "Case by case" }).getByRole("link").first()).toBeVisible();
          await expectSound(page, `the comparison as ${one}, ${colorScheme}, ${width} px`);
          if (process.env.LLMBENCH_SHOTS) await page.screenshot({ path: `${process.env.LLMBENCH_SHOTS}/${one.split("&")[0]}-${colorScheme}-${width}.png`, fullPage: true });
        }
        await page.goto(`/compare?${columns}`);
        await cases.getByRole("link").first().click();
        await expect(page.getByRole("dialog").locator("ins").first()).toBeVisible();
        await expectSound(page, `the open case, ${colorScheme}, ${width} px`);
        if (process.env.LLMBENCH_SHOTS) await page.screenshot({ path: `${process.env.LLMBENCH_SHOTS}/case-${colorScheme}-${width}.png` });
      }
    });
  });
}
