import { look } from "./look";
import { expect, test } from "./platform";
import { post, unique } from "./setup";

test("the trend of a suite is found by typing its name, and shows each run of it", async ({ page, platform, request }) => {
  const name = `Suite ${unique()}`;
  const { provider, collection } = await platform.prepare({ tasks: 4 });
  const tasks = [{ name: "plain", source: { collection_id: collection.id }, evaluators: [{ kind: "contains", params: { text: "Answer" } }] }];
  const { suite } = await post<{ suite: { id: string } }>(request, "/api/suites/apply", { suite: { name, tasks }, publish: true });
  const runs: string[] = [];
  for (let run = 0; run < 2; run += 1) {
    const { run_id: runId } = await post<{ run_id: string }>(request, "/v1/benchmarks/runs", { suite_id: suite.id, models: [{ provider: provider.id, name: "mock-0ms" }], check_providers: false });
    await platform.reaches(runId, "FINISHED");
    runs.unshift(runId);
  }

  await page.goto("/trends");
  const box = page.getByRole("combobox", { name: "Name or suite of the runs" });
  await box.fill(name);
  await page.getByRole("option", { name: new RegExp(`^${name} ?suite, 2 runs$`) }).click();
  await expect(page.getByText(`Runs of the suite ${name} over time, with its score`)).toBeVisible();
  await expect(page).toHaveURL(/\/trends\?suite=/);
  const links = page.getByRole("group", { name: "Runs of mock-0ms" }).getByRole("rowheader").getByRole("link");
  await expect(links).toHaveCount(2);
  expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute("href")))).toEqual(runs.map((run) => `/runs/${run}`));
  await look(page, "the trend of a suite");
  await page.reload();
  await expect(box).toHaveValue(name);
});
