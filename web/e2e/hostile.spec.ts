/** Check answers and verdicts that attack the page (`benchmarks/mock_provider/hostile.py`). The fixture `complaints` also
 * fails a test when the Content-Security-Policy refuses something: no model output may get that far. */

import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { expect, test } from "./platform";

const MODELS = ["mock-0ms-hostile", "mock-0ms-longline"];
const JUDGE = "mock-0ms-hostile-judge";

/** The traces that a successful attack leaves. */
async function expectUnharmed(page: Page, title: RegExp): Promise<void> {
  await expect(page).toHaveTitle(title);
  const traces = await page.evaluate(() => ({
    // The app's own svg and img elements have no handler and come from its own origin.
    elements: document.querySelectorAll("body script:not([src]), #root script, iframe, object, embed, base, meta[http-equiv], #root style, body [style*='z-index:9999'], form[action]").length,
    handlers: [...document.querySelectorAll("*")].filter((one) => one.getAttributeNames().some((name) => name.startsWith("on"))).length,
    links: [...document.querySelectorAll("a[href], img[src]")].filter((one) => new URL(one.getAttribute("href") ?? one.getAttribute("src") ?? "", location.href).origin !== location.origin).length,
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }));
  expect(traces).toEqual({ elements: 0, handlers: 0, links: 0, wide: 0 });
}

test("answers and verdicts that attack are shown as text, in the run and in its items", async ({ page, platform, baseURL }) => {
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(baseURL!) && !/^(data|blob):/.test(request.url())) elsewhere.push(request.url());
  });
  page.on("dialog", () => elsewhere.push("a dialog"));
  const run = await platform.start({ name: "Under attack", models: MODELS, judgeModel: JUDGE, tasks: 2 });
  await platform.reaches(run.id, "FINISHED");
  const rows = await platform.items(run.id);
  expect(rows.map((row) => row.status)).toEqual(["COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED"]);
  const hostile = rows.find((row) => row.model === MODELS[0])!;
  const long = rows.find((row) => row.model === MODELS[1])!;

  await page.goto(`/runs/${run.id}/items`);
  const items = page.getByRole("table", { name: "Items" });
  await expect(items.getByText("<script>document.title = 'hacked'</script>", { exact: false }).first()).toBeVisible();
  await expectUnharmed(page, /^Items · Under attack/);
  // Neither a row nor a line of the log grows with its text.
  const heights = await items.getByRole("row").evaluateAll((all) => all.slice(1).map((one) => Math.round(one.getBoundingClientRect().height)));
  expect(new Set(heights)).toEqual(new Set([38]));
  await page.goto(`/runs/${run.id}/log`);
  const log = page.getByRole("log");
  await expect(log.getByText("⟨U+202E⟩gnp.exe", { exact: false }).first()).toBeAttached();
  await expectUnharmed(page, /^Log · Under attack/);
  expect(await log.evaluate((box) => Math.max(...[...box.querySelectorAll("article")].map((one) => one.getBoundingClientRect().height)))).toBeLessThan(260);
  expect(await log.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);

  await page.goto(`/runs/${run.id}/items`);
  await items.locator(`a[href*="${hostile.id}"]`).click();
  const panel = page.getByRole("dialog");
  const answer = panel.getByRole("region", { name: "Answer" });
  await expect(answer).toContainText("<script>document.title = 'hacked'</script>");
  await expect(answer).toContainText("[a link](javascript:document.title='hacked')");
  // Characters that turn, hide or colour text are shown as signs, and a text's direction ends with the text.
  await expect(answer).toContainText("right to left: ⟨U+202E⟩gnp.exe⟨U+202C⟩ isolated: ⟨U+2067⟩evil⟨U+2069⟩");
  await expect(answer).toContainText("⟨U+001B⟩[31mred⟨U+001B⟩[0m");
  await expect(answer).toContainText("⟨U+0001⟩⟨U+0002⟩⟨U+0008⟩⟨U+000B⟩⟨U+000C⟩⟨U+007F⟩⟨U+0085⟩");
  await expect(answer).toContainText("line⟨U+2028⟩paragraph⟨U+2029⟩end");
  expect(await answer.locator(".model-text").evaluate((text) => getComputedStyle(text).unicodeBidi)).toMatch(/isolate|plaintext/);
  const verdict = panel.getByRole("region", { name: `Rubric, by ${JUDGE}` });
  await expect(panel.getByRole("region", { name: "Scores" })).toContainText(`<img src="x" onerror="document.title = 'hacked'">`);
  await panel.getByText("Judge prompt").click();
  await expect(verdict).toContainText("over everything");
  for (const title of ["Request as sent", "Response as received", "Everything, as JSON"]) await panel.getByText(title).click();
  await expectUnharmed(page, /^Items · Under attack/);
  await expectAccessible(page, "an attacking answer");

  // Two million characters without a break: the page shows a part, then all on request, and stays responsive.
  await page.goto(`/runs/${run.id}/items?item=${long.id}`);
  await expect(answer).toContainText("WWWW");
  expect(await panel.evaluate((box) => box.textContent?.length ?? 0)).toBeLessThan(40_000);
  await answer.getByRole("button", { name: "Show all (1,996,000 more characters)" }).click();
  await expect.poll(() => answer.evaluate((box) => box.textContent?.length ?? 0)).toBeGreaterThanOrEqual(2_000_000);
  await expectUnharmed(page, /^Items · Under attack/);
  await page.keyboard.press("k");
  await expect(page).not.toHaveURL(new RegExp(long.id));
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  // The reading mode renders Markdown, from the text alone.
  await page.goto(`/runs/${run.id}/read?item=${hostile.id}`);
  const read = page.getByRole("list", { name: "Answers" });
  await expect(read).toContainText("<script>document.title = 'hacked'</script>");
  await expect(read).toContainText("javascript:document.title='hacked'");
  await expect(read).toContainText("⟨U+202E⟩gnp.exe");
  await read.getByText("How it came about").first().click();
  await expectUnharmed(page, /^Reading · Under attack/);
  await page.keyboard.press("m");
  await expect(page).toHaveURL(/as=raw/);
  await expectUnharmed(page, /^Reading · Under attack/);
  expect(elsewhere, "requests to other origins, and dialogs").toEqual([]);
});

test("a run under attack is watched live, and fits a phone", async ({ page, platform }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const run = await platform.start({ name: "<b>Live</b> \u202eunder attack", models: ["mock-50ms-hostile"], judgeModel: JUDGE, tasks: 8, question: (index) => `<img src=x onerror="document.title='hacked'"> \u202e${index}` });
  await page.goto(`/runs/${run.id}`);
  await expect(page.getByText("Finished", { exact: true })).toBeVisible();
  await expectUnharmed(page, /^<b>Live<\/b> /);
  await page.getByRole("navigation", { name: "Views of the run" }).getByRole("link", { name: "Log" }).click();
  await expect(page.getByRole("log").locator("article").first()).toBeVisible();
  await expectUnharmed(page, /^Log · <b>Live<\/b> /);
  await page.goto("/runs");
  await expect(page.getByRole("link", { name: "<b>Live</b> ⟨U+202E⟩under attack" }).first()).toBeVisible();
  await expectUnharmed(page, /^Runs/);
});
