import type { BaselineOut } from "../src/api/generated/orchestrator";
import { look } from "./look";
import { expect, test } from "./platform";
import { post, unique } from "./setup";

test("a run is promoted to the baseline of a preset, and a later run is worse, in the list and on its page", async ({ page, platform, request }) => {
  const name = `Nightly ${unique()}`;
  const preset = await post<{ id: string }>(request, "/api/evaluation-presets", { name, settings: { max_concurrent_calls: 4 } });
  const { provider, collection } = await platform.prepare({ tasks: 24 });
  // The mock's plain answers contain "Answer", its numbers don't.
  const body = (model: string, run: string) => ({
    name: run,
    evaluators: [{ kind: "contains", params: { text: "Answer" } }],
    targets: [{ provider_id: provider.id, model }],
    collection_ids: [collection.id],
    concurrency: 4,
    check_providers: false,
    subject: { kind: "preset" as const, id: preset.id },
  });
  const first = await platform.create(body("mock-0ms", `Release ${name}`));
  await platform.reaches(first.id, "FINISHED");

  await page.goto(`/runs/${first.id}`);
  await expect(page.getByText(`Preset ${name}`)).toBeVisible();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Promote to baseline" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("combobox", { name: "Preset" })).toHaveValue(preset.id);
  await dialog.getByRole("textbox", { name: "Note" }).fill("The release that customers have.");
  await look(page, "the dialog of promotion", dialog);
  await dialog.getByRole("button", { name: "Promote" }).click();
  await expect(page.getByText("Promoted to main.")).toBeVisible();

  const query = new URLSearchParams({ subject_kind: "preset", subject_id: preset.id });
  const [baseline] = ((await (await request.get(`/api/baselines?${query}`)).json()) as { items: BaselineOut[] }).items;
  expect(baseline?.run.id).toBe(first.id);
  await post(request, `/api/baselines/${baseline?.id}/gates`, { metric: "score", margin: 0.3 });
  await post(request, `/api/baselines/${baseline?.id}/gates`, { metric: "pass_rate", margin: 0.35, undecided: "ok" });

  const second = await platform.create(body("mock-0ms-number", `Candidate ${name}`));
  await page.goto(`/runs/${second.id}`);
  await expect(page.getByRole("banner").or(page.locator("header")).getByText("Worse", { exact: true }).first()).toBeVisible();
  const section = page.getByRole("region", { name: "Compared with the baseline" });
  await expect(section.getByRole("listitem")).toHaveCount(2);
  await expect(section).toContainText("Mean scoremargin 30 points");
  await expect(section).toContainText("a loss of 30 points or more is certain");
  await look(page, "a run that is worse than its baseline");
  await section.getByRole("link", { name: "Case by case" }).first().click();
  await expect(page).toHaveURL(new RegExp(`run=${first.id}`));

  await page.goto(`/runs?q=${encodeURIComponent(name)}`);
  const listed = page.getByRole("row").filter({ has: page.locator(`a[href="/runs/${second.id}"]`) });
  await expect(listed).toContainText("Worse");
  await look(page, "the list of runs with verdicts");
});

test("a run of a suite becomes its baseline, and a gate is added on the page of the suite", async ({ page, platform, request }) => {
  const name = `Suite ${unique()}`;
  const { provider, collection } = await platform.prepare({ tasks: 24 });
  const evaluators = [{ kind: "contains", params: { text: "Answer" } }];
  const tasks = [{ name: "plain", source: { collection_id: collection.id }, evaluators }];
  const { suite } = await post<{ suite: { id: string } }>(request, "/api/suites/apply", { suite: { name, tasks }, publish: true });
  const models = [{ provider: provider.id, name: "mock-0ms" }];
  const first = await post<{ run_id: string }>(request, "/v1/benchmarks/runs", { suite_id: suite.id, models, check_providers: false });
  await platform.reaches(first.run_id, "FINISHED");

  await page.goto(`/runs/${first.run_id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Promote to baseline" }).click();
  const promotion = page.getByRole("dialog", { name: "Promote to baseline" });
  await expect(promotion).toContainText(`Later runs of the suite ${name}, of any version`);
  await promotion.getByRole("button", { name: "Promote" }).click();
  await expect(page.getByText("Promoted to main.")).toBeVisible();

  await page.goto(`/suites/${suite.id}`);
  const baseline = page.getByRole("listitem", { name: "Baseline main" });
  await expect(baseline).toContainText("No gate yet");
  await baseline.getByRole("button", { name: "Add a gate" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a gate to main" });
  await look(page, "the dialog of a gate", dialog);
  await dialog.getByRole("button", { name: "Save the gate" }).click();
  await expect(dialog).toContainText("80 of 100 are needed");
  await dialog.getByRole("spinbutton").fill("35");
  await dialog.getByRole("button", { name: "Save the gate" }).click();
  await expect(baseline.getByRole("list", { name: "Gates of main" })).toContainText("Suite scoremargin 35 points");
  await baseline.getByText("History").click();
  await expect(baseline.getByRole("list", { name: "History of main" })).toContainText("became baseline and anchor");
  await look(page, "a suite with a baseline and a gate");

  await baseline.getByRole("button", { name: "Change the gate on suite score" }).press("Enter");
  const change = page.getByRole("dialog", { name: "Change the gate on suite score" });
  await change.getByRole("spinbutton").fill("5");
  await change.getByRole("spinbutton").press("Enter");
  await expect(change).toContainText("80 of 100 are needed");
  await look(page, "the dialog that changes a gate", change);
  await change.getByRole("spinbutton").fill("40");
  await change.getByRole("spinbutton").press("Enter");
  await expect(baseline.getByRole("list", { name: "Gates of main" })).toContainText("margin 40 points");
  await expect(baseline.getByRole("button", { name: "Change the gate on suite score" })).toBeFocused();
  await baseline.getByRole("button", { name: "Try the gate on suite score" }).press("Enter");
  const trial = page.getByRole("dialog", { name: "Try the gate on suite score" });
  await expect(trial).toContainText("0 worse");
  await look(page, "a gate that is tried on its baseline", trial);
  await page.keyboard.press("Escape");

  await baseline.getByRole("button", { name: "Add a gate" }).click();
  await expect(dialog.getByRole("combobox", { name: "Metric" })).toContainText("Score of plain/contains");
  await dialog.getByRole("combobox", { name: "Metric" }).selectOption("evaluator:plain/contains");
  await dialog.getByRole("spinbutton").fill("40");
  await dialog.getByRole("button", { name: "Save the gate" }).click();
  await expect(baseline.getByRole("list", { name: "Gates of main" })).toContainText("Score of 'plain/contains'");

  await baseline.getByRole("button", { name: "Delete the baseline main" }).press("Enter");
  const question = page.getByRole("alertdialog", { name: "Delete this baseline?" });
  await expect(question).toContainText("Its gates and its history are deleted with it");
  await look(page, "the question before a baseline is deleted", question);
  await question.getByRole("button", { name: "Delete it" }).click();
  await expect(page.getByRole("region", { name: "Baselines" })).toContainText("There is none yet");
});
