import { look } from "./look";
import { expect, test } from "./platform";
import { storeSuite, unique } from "./setup";

test("a draft of a suite is published, planned and run on a model", async ({ page, platform, request }) => {
  const { provider } = await platform.prepare({ tasks: 1 });
  // The warm-up and one or two answers come; then the run stands still in the first task. Calls of the second may be queued.
  await platform.hold("mock-0ms-graph", 2);
  const { name } = await storeSuite(request, unique());
  await page.goto("/runs");
  await page.getByRole("link", { name: "Suites", exact: true }).click();
  await expect(page.getByRole("row", { name })).toContainText("Draft");
  await look(page, "the list of suites");
  await page.getByRole("link", { name, exact: true }).click();

  await expect(page.getByRole("listitem", { name: "Level 2" })).toContainText("after sums");
  await look(page, "a draft of a suite");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByRole("button", { name: "Publish it" }).click();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);

  await page.getByRole("button", { name: "Run it" }).click();
  const dialog = page.getByRole("dialog");
  for (const [group, model] of [["Model", "mock-0ms-graph"], ["Judge", "mock-50ms"]] as const) {
    const fields = dialog.getByRole("group", { name: group, exact: true });
    await fields.getByRole("combobox", { name: "Provider" }).selectOption(provider.name);
    await fields.getByRole("combobox", { name: "Model" }).fill(model);
    // The typed text is the choice; Tab closes the list.
    await fields.getByRole("combobox", { name: "Model" }).press("Tab");
    await expect(fields.getByRole("combobox", { name: "Model" })).toHaveValue(model);
  }
  // The mock answers as any model, also as one that it does not list.
  await dialog.getByRole("checkbox", { name: /^Check first/ }).uncheck();
  await dialog.getByRole("button", { name: "Show the plan" }).click();
  await expect(dialog.getByRole("list", { name: "Batches" }).getByRole("listitem")).toHaveCount(2);
  await look(page, "the plan of a suite's run", dialog);
  await dialog.getByRole("button", { name: "Start the run" }).click();

  await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
  const runId = new URL(page.url()).pathname.split("/").at(-1)!;
  platform.ends(runId);
  const graph = page.getByRole("list", { name: "Tasks by level" });
  await expect(graph.getByRole("listitem", { name: "Level 1" })).toContainText("Running");
  await expect(graph.getByRole("listitem", { name: "Level 2" })).toContainText(/Waiting|Running, 0/);
  await look(page, "the graph of a running suite");
  await platform.hold("mock-0ms-graph", null);
  await expect(graph.getByRole("listitem", { name: "Level 1" })).toContainText("Done");
  await expect(graph.getByRole("listitem", { name: "Level 2" })).toContainText("Done");
  await platform.reaches(runId, "FINISHED");
  await page.reload();
  const scores = page.getByRole("region", { name: `${name}, version 1` });
  await expect(scores.getByRole("list", { name: "Scores of the suite" })).toContainText("7 of 7 answers scored");
  await expect(scores.getByRole("row", { name: /^sums/ })).toContainText("4 of 4 scored");
  await look(page, "the scores of a suite");
  await scores.getByRole("group", { name: "Scores of the tasks" }).getByRole("link", { name: "replies", exact: true }).click();
  await expect(page).toHaveURL(/suite_task=replies/);
  await expect(page.getByRole("table", { name: "Items" })).toHaveAttribute("aria-rowcount", "4");
  await expect(page.getByText("Task of the suite: replies")).toBeVisible();

  await page.goto("/runs");
  await page.getByRole("row").filter({ has: page.locator(`a[href="/runs/${runId}"]`) }).getByRole("link", { name: `${name}, version 1`, exact: true }).click();
  await expect(page.getByRole("button", { name: "Run it" })).toBeVisible();

  await page.getByRole("link", { name: "Trend", exact: true }).click();
  await expect(page.getByText(`Runs of the suite ${name} over time, with its score`)).toBeVisible();
  await expect(page.getByRole("group", { name: /^Runs of mock-0ms-graph/ }).getByRole("row")).toHaveCount(2);
  await look(page, "the trend of a suite");
  await page.goBack();

  await page.getByRole("link", { name: "Leaderboard" }).click();
  await expect(page.getByRole("region", { name: "Version 1, judged by mock-50ms" }).getByRole("row", { name: /^1 mock-0ms/ })).toContainText("7 of 7");
  await look(page, "the leaderboard of a suite");
  await page.getByRole("combobox", { name: "Version" }).selectOption("1");
  await expect(page).toHaveURL(/\/leaderboard\?version=1$/);
  await page.reload();
  await expect(page.getByRole("combobox", { name: "Version" })).toHaveValue("1");
  await page.getByRole("link", { name: /, run of mock-0ms-graph$/ }).click();
  await expect(page).toHaveURL(new RegExp(`/runs/${runId}$`));
});

test("without suites the page names the commands that make some", async ({ page }) => {
  await page.route("**/api/suites?*", (route) => route.fulfill({ json: { items: [], next_cursor: null } }));
  await page.goto("/suites");
  await expect(page.getByRole("heading", { name: "No suites yet" })).toBeVisible();
  await look(page, "no suites");
});
