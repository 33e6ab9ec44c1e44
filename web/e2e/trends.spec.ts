import { look } from "./look";
import { expect, test } from "./platform";

test("runs of one name are a trend, and another judge is a break between two of them", async ({ page, platform }) => {
  const { provider, collection } = await platform.prepare({ tasks: 4 });
  const name = `Nightly ${provider.name}`;
  for (const judge of ["mock-0ms-judge", "mock-0ms-judge", "mock-0ms-other"]) {
    const run = await platform.create({
      name,
      judge: { provider_id: provider.id, model: judge },
      targets: [{ provider_id: provider.id, model: "mock-0ms", label: "under test" }],
      collection_ids: [collection.id],
      check_providers: false,
    });
    await platform.reaches(run.id, "FINISHED");
  }
  const last = (await platform.runs()).find((run) => run.name === name);
  await page.goto(`/runs/${last?.id ?? ""}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Trend" }).click();
  const rows = page.getByRole("group", { name: "Runs of under test" }).getByRole("row");
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText("another judge");
  await expect(rows.nth(2)).not.toContainText("another judge");
  await look(page, "a trend of scores");
  await page.getByRole("button", { name: "Time per answer" }).click();
  await expect(page).toHaveURL(/metric=time/);
  await page.reload();
  await expect(page.getByRole("button", { name: "Time per answer" })).toHaveAttribute("aria-pressed", "true");
});
