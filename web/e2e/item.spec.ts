import { expectAccessible } from "./axe";
import { expect, test } from "./platform";

const HOSTILE = [
  `<script>document.title = "hacked"</script>`,
  `<img src="x" onerror="document.title = 'hacked'">`,
  `[link](javascript:document.title='hacked')`,
  "\u202egnp.exe \u001b[31mred\u001b[0m \u2066hidden",
].join("\n");

test("an item opens from the table, and its link works", async ({ page, platform }) => {
  const run = await platform.start({ name: "Item by item", models: ["mock-0ms"], tasks: 3 });
  await platform.reaches(run.id, "FINISHED");
  const [first, second] = await platform.items(run.id);
  await page.goto(`/runs/${run.id}`);
  await page.getByRole("table", { name: "Items" }).getByRole("link", { name: first!.task_id }).click();
  const panel = page.getByRole("dialog");
  await expect(panel.getByRole("heading", { name: "Answer" })).toBeVisible();
  await expect(panel.getByText("What is 0 + 25?").first()).toBeVisible();
  await expect(panel.getByText("Judge reply")).toBeVisible();

  await page.keyboard.press("j");
  await expect(panel.getByText("What is 1 + 25?").first()).toBeVisible();
  const link = page.url();
  expect(link).toContain(`item=${second!.id}`);
  await page.keyboard.press("Escape");
  await expect(panel.getByRole("heading", { name: "Answer" })).toBeHidden();
  expect(page.url()).not.toContain("item=");

  await page.goto(link);
  await expect(panel.getByText("What is 1 + 25?").first()).toBeVisible();
  await expectAccessible(page, "the item panel");
});

test("hostile text is shown as text", async ({ page, platform }) => {
  const run = await platform.start({ name: "<b>Hostile</b> & weird", models: ["mock-0ms-weird"], tasks: 2, question: (index) => `${HOSTILE}\n${index}` });
  await platform.reaches(run.id, "FINISHED");
  const [first] = await platform.items(run.id);
  // The mock answers what it likes: its answer is exchanged on the way to the browser.
  await page.route(`**/items/${first!.id}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), answer: `${HOSTILE}\n${"A".repeat(2_000_000)}` } });
  });
  await page.goto(`/runs/${run.id}?item=${first!.id}`);
  const panel = page.getByRole("dialog");
  await expect(panel.getByRole("heading", { name: "Answer" })).toBeVisible();
  const answer = panel.getByRole("region", { name: "Answer" });
  await expect(answer).toContainText(`<script>document.title = "hacked"</script>`);
  await expect(answer).toContainText("⟨U+202E⟩gnp.exe ⟨U+001B⟩[31mred");
  await expect(answer.getByRole("button", { name: /^Show all/ })).toBeVisible();
  expect(await page.evaluate(() => document.querySelectorAll("#root script, #root img[onerror], [role=dialog] img, a[href^=javascript]").length)).toBe(0);
  await expect(page).toHaveTitle("<b>Hostile</b> & weird · llmbench");
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(true);
});
