import { look } from "./look";
import { expect, test } from "./platform";

test("models of two hosted providers are at work together, each with its own row, and the run ends", async ({ page, platform }) => {
  const [first, second] = ["mock-0ms-side", "mock-0ms-by-side"];
  const local = await platform.prepare({ tasks: 2 });
  const one = await platform.prepare({ tasks: 1, host: "localhost" });
  const other = await platform.prepare({ tasks: 1, host: "localhost" });
  await platform.hold(first, 1);
  await platform.hold(second, 1);
  const run = await platform.create({
    name: "Side by side",
    judge: { provider_id: local.provider.id, model: "mock-0ms-judge" },
    targets: [
      { provider_id: one.provider.id, model: first },
      { provider_id: one.provider.id, model: "mock-0ms-later" },
      { provider_id: other.provider.id, model: second },
    ],
    collection_ids: [local.collection.id],
    parallel_groups: 3,
    check_providers: false,
  });
  await page.goto(`/runs/${run.id}`);
  const rows = page.getByRole("list", { name: "Models at work" }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(0)).toContainText(first);
  await expect(rows.nth(1)).toContainText(second);
  await look(page, "a run with two models at work");
  await platform.hold(first, null);
  await platform.hold(second, null);
  await expect(page.getByText("Finished", { exact: true })).toBeVisible();
  await expect(page.getByRole("group", { name: "Results by target" }).getByRole("row")).toHaveCount(4);

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Clone" }).click();
  await page.getByText("Limits", { exact: true }).click();
  await expect(page.getByRole("spinbutton", { name: "Models side by side" })).toHaveValue("3");
  await look(page, "a new run with models side by side");
});
