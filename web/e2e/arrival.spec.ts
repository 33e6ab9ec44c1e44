import { expectAccessible } from "./axe";
import { expect, test } from "./platform";
import { post } from "./setup";

test("a click on a bar shows its items and no others, on the one scale of the run", async ({ page, platform }) => {
  const { provider, collection } = await platform.prepare({ tasks: 12 });
  const run = await platform.create({
    name: "Two evaluators",
    judge: { provider_id: provider.id, model: "mock-0ms-judge" },
    targets: [{ provider_id: provider.id, model: "mock-0ms" }],
    evaluators: [{ kind: "rubric" }, { kind: "contains", params: { text: "3" }, weight: 0.4 }],
    collection_ids: [collection.id],
    check_providers: false,
  });
  await platform.reaches(run.id, "FINISHED");
  await page.goto(`/runs/${run.id}/breakdown`);
  const breakdown = page.getByRole("region", { name: "Breakdown" });
  await breakdown.getByRole("button", { name: "Histograms" }).click();
  const bars = breakdown.getByRole("group", { name: "Scores of mock-0ms" }).getByRole("link");
  await expect(bars.first()).toBeVisible();
  let shown = 0;
  for (const bar of await bars.all()) {
    const [, count = "", low = "", high = ""] = /^(\d+) items? with a score of ([\d.]+) to ([\d.]+)$/.exec((await bar.getAttribute("aria-label")) ?? "") ?? [];
    expect(Number(high)).toBeLessThanOrEqual(1);
    await bar.click();
    await expect(page.getByRole("button", { name: `Remove the filter Score: ${low} to ${high}` })).toBeVisible();
    await expect(page.getByRole("table", { name: "Items" })).toHaveAttribute("aria-rowcount", String(Number(count) + 1));
    shown += Number(count);
    await page.goBack();
  }
  expect(shown).toBe(12);
});

test("a link with filters opens at the items; an item closes without a dead Back, and prints by itself", async ({ page, platform }) => {
  const run = await platform.start({ name: "Linked", models: ["mock-0ms", "mock-0ms-404"], tasks: 6 });
  await platform.reaches(run.id, "FINISHED");
  await page.goto("/runs");
  await expect(page.getByRole("heading", { name: "Runs", exact: true })).toBeVisible();
  await page.goto(`/runs/${run.id}?category=arithmetic`);
  await expect(page.getByRole("region", { name: "Items" })).toBeInViewport({ ratio: 0.3 });
  const filter = page.getByRole("button", { name: "Remove the filter Category: arithmetic" });
  await expect(filter).toBeVisible();

  const items = page.getByRole("table", { name: "Items" });
  await items.getByRole("row").nth(1).getByText("arithmetic").click();
  await expect(page.getByRole("dialog").getByText("1 of 6", { exact: true })).toBeVisible();
  const paper = await page.pdf({ format: "A4" });
  expect(pagesOf(paper)).toBeLessThanOrEqual(3);
  await page.keyboard.press("j");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(filter).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Runs", exact: true })).toBeVisible();
});

test("a run prints on four pages at most, and the text of a row can be selected", async ({ page, platform }) => {
  const run = await platform.start({ name: "On paper", models: ["mock-0ms", "mock-0ms-second", "mock-0ms-404"], tasks: 40 });
  await platform.reaches(run.id, "FINISHED");
  await page.goto(`/runs/${run.id}`);
  await expect(page.getByRole("group", { name: "Results by evaluator" })).toBeVisible();
  expect(pagesOf(await page.pdf({ format: "A4" }))).toBeLessThanOrEqual(4);

  await page.goto(`/runs/${run.id}/items`);
  const category = page.getByRole("table", { name: "Items" }).getByText("arithmetic").first();
  const box = (await category.boundingBox())!;
  await page.mouse.move(box.x + 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  expect(await page.evaluate(() => getSelection()?.toString())).toContain("rithmeti");
  expect(page.url()).not.toContain("item=");
});

test("a submit that fails focuses the first field that is wrong, and a notice covers no button", async ({ page, request }) => {
  await page.goto("/tasks/new");
  await page.getByRole("button", { name: "Add the task" }).click();
  await expect(page.getByLabel(/^Task id/)).toBeFocused();
  await expectAccessible(page, "a form that was refused");

  const name = `Noticed ${crypto.randomUUID().slice(0, 8)}`;
  await post(request, "/api/collections", { name, task_ids: [] });
  await page.goto(`/collections?q=${encodeURIComponent(name)}`);
  await page.getByRole("button", { name: /^More about|^Actions for/ }).first().click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("textbox", { name: "Type delete to confirm" }).fill("delete");
  await page.getByRole("button", { name: "Delete the collection" }).click();
  const notice = page.getByRole("status", { name: "Notices" });
  await expect(notice).toContainText("is deleted");
  const covered = await notice.evaluate((box) => {
    const own = box.getBoundingClientRect();
    return [...document.querySelectorAll("button, input, select")].filter((one) => {
      const { left, right, top, bottom, width } = one.getBoundingClientRect();
      return !box.contains(one) && width > 0 && left < own.right && own.left < right && top < own.bottom && own.top < bottom;
    }).length;
  });
  expect(covered).toBe(0);
});

const pagesOf = (pdf: Buffer) => (pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g) ?? []).length;
