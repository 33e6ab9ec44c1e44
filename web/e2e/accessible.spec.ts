/** Check dialogs, menus, empty states and errors of the screens with axe; nothing is wider than its window.
 * `every-screen.spec.ts` checks the screens themselves. */

import type { APIRequestContext, Locator, Page } from "@playwright/test";
import type { DocumentOut, DocumentPublished, ProviderOut, TaskPage, VersionOut } from "../src/api/generated/config-api";
import type { CreateRun, RunSummary } from "../src/api/generated/orchestrator";
import { look } from "./look";
import { expect, test, type Platform } from "./platform";
import { post, send, storeDataset, storeTasks, unique } from "./setup";

const NOWHERE = "00000000-0000-7000-8000-000000000000";

/** Check something that opens over the page and closes with Esc. */
async function lookOver(page: Page, name: string, open: () => Promise<unknown>, opened: Locator): Promise<void> {
  await open();
  await expect(opened).toBeVisible();
  await look(page, name, over(page));
  await page.keyboard.press("Escape");
  await expect(opened).toBeHidden();
}

/** The topmost overlay of the page. */
const over = (page: Page) => page.locator("[role=menu], [role=dialog], [role=alertdialog]").last();
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name });
const entry = (page: Page, menu: RegExp, name: RegExp) => async () => {
  await button(page, menu).first().click();
  await page.getByRole("menuitem", { name }).click();
};

// Each state is checked three times, also on a busy machine.
test.beforeEach(() => test.setTimeout(900_000));

test("providers", async ({ page, request }) => {
  const stored = await post<ProviderOut>(request, "/api/providers", {
    name: `A provider with a name of more than forty characters ${unique()}`,
    type: "AZURE_OPENAI",
    base_url: "https://my-company-evaluation-sweden-central.openai.azure.com",
    headers: [{ header_key: "api-key", header_value: "sk-only-for-tests-0123456789-9f3c", is_secret: true }, { header_key: "X-Team", header_value: "evaluation" }],
    options: { deployments: ["gpt-4o-mini"] },
    prices: [{ model: "gpt-4o-mini", input_usd_per_million: 0.15, output_usd_per_million: 0.6 }],
  });
  const mock = await post<ProviderOut>(request, "/api/providers", { name: `Mock ${unique()}`, type: "CUSTOM_OPEN_AI_COMPATIBLE", base_url: process.env.LLMBENCH_E2E_PROVIDER_URL });
  await page.goto("/providers");
  await expect(page.getByRole("link", { name: stored.name })).toBeVisible();
  await lookOver(page, "a provider's menu", () => button(page, `More about ${stored.name}`).click(), page.getByRole("menu"));
  await lookOver(page, "deletion of a provider", entry(page, new RegExp(`More about ${stored.name}`), /^Delete/), heading(page, "Delete this provider?"));
  await lookOver(page, "a provider's models", () => button(page, `Models of ${mock.name}`).click(), page.getByRole("dialog").getByRole("list", { name: "Models" }));
  await page.goto("/providers?q=nothing-is-called-so");
  await expect(heading(page, /^No provider/)).toBeVisible();
  await look(page, "no provider found");
  await page.goto(`/providers/${stored.id}`);
  for (const fold of ["Headers", "Endpoints", "Options", "Prices"]) await page.locator("summary", { hasText: fold }).click();
  await page.getByLabel("Name (required)").fill("");
  await button(page, "Save").click();
  await expect(page.getByText("Enter a name", { exact: false })).toBeVisible();
  await look(page, "the form of a provider");
  await page.getByRole("link", { name: "All providers" }).click();
  await expect(page.getByRole("alertdialog").getByRole("heading")).toBeVisible();
  await look(page, "leaving what is not saved", over(page));
  await page.goto(`/providers/${NOWHERE}`);
  await expect(page.getByRole("main")).not.toBeEmpty();
  await look(page, "no such provider");
});

test("tasks and collections", async ({ page, request }) => {
  const prefix = unique();
  const collection = await storeTasks(request, prefix, 60);
  await page.goto(`/tasks?collection=${collection.id}`);
  await page.getByLabel("Choose all that are shown").check();
  await look(page, "the tasks");
  await lookOver(page, "the formats of an export", () => button(page, "Export these").click(), page.getByRole("menu"));
  const chosen = page.getByRole("region", { name: "Chosen tasks" });
  await lookOver(page, "deletion of tasks", () => chosen.getByRole("button", { name: "Delete" }).click(), page.getByRole("alertdialog").getByRole("heading"));
  await page.goto("/tasks?q=nothing-is-called-so");
  await expect(heading(page, "No task matches")).toBeVisible();
  await look(page, "no task");
  await page.goto("/tasks/new");
  await button(page, "Add the task").click();
  await expect(page.getByText("Enter the question.")).toBeVisible();
  await look(page, "the form of a task");
  const { items } = (await (await request.get(`/api/tasks?collection_id=${collection.id}&limit=1`)).json()) as TaskPage;
  await page.goto(`/tasks/${items[0]!.id}`);
  await expect(page.getByLabel("Task id")).toHaveValue(items[0]!.task_id);
  await page.goto("/import");
  const csv = ["task_id,category,question,good", `${prefix}-1,sums,What is 1 + 1?,2`, `${prefix}-2,sums,,4`].join("\n");
  await page.getByLabel("File to import").setInputFiles({ name: "tasks.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await expect(page.getByRole("table", { name: "Bad rows" })).toBeVisible();
  await look(page, "the preview of an import");

  await page.goto("/collections");
  await expect(page.getByRole("link", { name: collection.name, exact: true })).toBeVisible();
  await lookOver(
    page,
    "a new collection",
    async () => {
      await button(page, "New collection").click();
      await button(page, "Create").click();
    },
    page.getByText("Enter a name", { exact: false }),
  );
  await page.goto(`/collections/${collection.id}`);
  await page.getByRole("region", { name: "In this collection" }).getByRole("checkbox").first().check();
  await look(page, "a collection");
  await lookOver(page, "deletion of a collection", entry(page, /^More about/, /^Delete/), page.getByRole("alertdialog").getByRole("heading"));
});

test("datasets", async ({ page, request }) => {
  const { dataset, version } = await storeDataset(request, unique(), 60);
  await page.goto("/datasets");
  await expect(page.getByRole("link", { name: dataset.name })).toBeVisible();
  await lookOver(page, "a new dataset", () => button(page, "New dataset").click(), heading(page, "New dataset"));
  await page.goto(`/datasets/${dataset.dataset_id}`);
  await expect(page.getByRole("link", { name: "Version 1" })).toBeVisible();
  await page.goto(`/import?to=dataset&dataset=${dataset.dataset_id}`);
  await page.getByLabel("File to import").setInputFiles({ name: "cases.csv", mimeType: "text/csv", buffer: Buffer.from("prompt,expected_output\n,1\n,2") });
  await expect(page.getByRole("table", { name: "Bad rows" })).toBeVisible();
  await look(page, "the faults of an upload");
  await page.goto(`/datasets/${dataset.dataset_id}/versions/${version.version_number}?show=sample`);
  await page.getByLabel("Sampling method").selectOption("stratified");
  await page.getByRole("combobox", { name: "Field of the metadata" }).fill("difficulty");
  await page.keyboard.press("Tab");
  await button(page, "Draw a sample").click();
  await expect(page.getByRole("list", { name: "Strata" })).toBeVisible();
  await look(page, "a version and a sample of it");
  const openCase = () => page.getByRole("table", { name: "Cases" }).getByRole("link").first().click();
  await lookOver(page, "a case", openCase, page.getByRole("dialog").getByRole("heading", { name: "Ground truth" }));
  const draft = await send<VersionOut>(request, `/v1/datasets/${dataset.dataset_id}/versions`, "draft.csv", "prompt,expected_output\nWhat is 17 + 25?,42\nWhat is 18 + 25?,43");
  await page.goto(`/datasets/${dataset.dataset_id}/versions/${draft.version_number}`);
  await openCase();
  await lookOver(page, "deletion of a case", () => button(page, "Delete this case").click(), heading(page, "Delete this case?"));
  await button(page, "Edit").click();
  await page.getByLabel("Prompt (required)").fill("What is 17 + 26?");
  await look(page, "a case that is edited", over(page));
  await page.goBack();
  await expect(heading(page, "Leave without saving?")).toBeVisible();
  await look(page, "leaving a case that is not saved", over(page));
});

test("documents, and the questions written from one", async ({ page, platform, request }) => {
  const { provider } = await platform.prepare({ tasks: 1 });
  const document = await send<DocumentOut>(request, "/v1/documents", `Handbook ${unique()}.md`, "# Leave\n\nEverybody has twenty-five days of leave a year.\f# Illness\n\nA certificate is due on the third day.\n");
  await page.goto("/documents");
  await expect(page.getByRole("link", { name: document.name })).toBeVisible();
  await lookOver(page, "deletion of a document", () => button(page, `Delete ${document.name}`).click(), heading(page, "Delete this document?"));
  await page.getByLabel("Document", { exact: true }).setInputFiles({ name: "handbook.md", mimeType: "text/markdown", buffer: Buffer.from("# Leave") });
  await expect(button(page, "Add the document")).toBeVisible();
  await look(page, "a document that is chosen");
  await page.goto("/documents?q=nothing-is-called-so");
  await expect(heading(page, "No document matches")).toBeVisible();
  await look(page, "no document found");
  await page.goto(`/documents/${document.document_id}`);
  await expect(page.getByRole("list", { name: "Pages" })).toBeVisible();
  await button(page, "Start the run").click();
  await expect(page.getByText("Choose a provider.")).toBeVisible();
  await look(page, "a document");
  await page.goto(`/documents/${NOWHERE}`);
  await expect(heading(page, "There is no such document")).toBeVisible();
  await look(page, "no such document");

  const { run: plan } = await post<DocumentPublished>(request, `/v1/documents/${document.document_id}/publish`, {});
  const run = await post<RunSummary>(request, "/api/runs", { ...plan, targets: [{ provider_id: provider.id, model: "mock-0ms" }], check_providers: false } as CreateRun);
  await platform.reaches(run.id, "FINISHED");
  await page.goto(`/runs/${run.id}`);
  await expect(heading(page, "Questions written")).toBeVisible();
  await button(page, "Create a draft").click();
  await expect(page.getByRole("alert")).toContainText("No conversation is supported by the document");
  await look(page, "the questions written");
});

test("the list of runs, and a new one", async ({ page, platform }) => {
  const { run } = await finished(platform);
  await page.goto("/runs");
  await expect(page.getByRole("link", { name: run.name }).first()).toBeVisible();
  // The keys work once their button is visible.
  await expect(button(page, "Keyboard shortcuts (?)")).toBeVisible();
  await lookOver(page, "the shortcuts", () => page.keyboard.press("?"), heading(page, "Keyboard shortcuts"));
  await page.goto("/runs?q=nothing-is-called-so");
  await expect(heading(page, /^No run/)).toBeVisible();
  await look(page, "no run found");
  await page.goto(`/runs/new?clone=${run.id}`);
  await expect(heading(page, /^New run, like/)).toBeVisible();
  for (const fold of await page.locator("summary").all()) await fold.click();
  await look(page, "a cloned run");
  await page.goto("/runs/new");
  await page.getByRole("combobox", { name: "Add an evaluator" }).click();
  await page.getByRole("option", { name: /^Regular expression/ }).click();
  await page.getByRole("combobox", { name: "Add an evaluator" }).click();
  await page.getByRole("option", { name: /^Semantic similarity/ }).click();
  const similarity = page.getByRole("listitem", { name: "Semantic similarity" });
  await similarity.getByLabel("Embedding").selectOption("provider");
  await expect(similarity.getByRole("combobox", { name: "Provider" })).toBeVisible();
  await button(page, "A panel").click();
  await expect(page.getByRole("list", { name: "Judges of the panel" })).toBeVisible();
  await button(page, "Start the run").click();
  await expect(page.getByText("Choose at least one model to be benchmarked.").first()).toBeVisible();
  await look(page, "a new run with something missing");
  await page.goto(`/runs/${NOWHERE}`);
  await expect(heading(page, "There is no such run")).toBeVisible();
  await look(page, "no such run");
  await page.goto("/nowhere");
  await expect(heading(page, "There is nothing at this address")).toBeVisible();
  await look(page, "no such address");
});

test("a run's results", async ({ page, platform, request }) => {
  const { run } = await finished(platform);
  await page.goto(`/runs/${run.id}/items`);
  await expect(page.getByRole("table", { name: "Items" }).getByRole("link").first()).toBeVisible();
  await button(page, "More filters").click();
  await expect(page.getByLabel("Score from")).toBeVisible();
  await look(page, "the items");
  await lookOver(page, "the formats of an export", () => button(page, "Export all").click(), page.getByRole("menu"));
  await page.goto(`/runs/${run.id}/breakdown`);
  for (const view of ["By task", "Task × model", "Histograms", "Trade-offs"]) {
    const breakdown = page.getByRole("region", { name: "Breakdown" });
    await breakdown.getByRole("button", { name: view }).click();
    await expect(breakdown.locator("[role=table], [role=img], figure, ul, table").first()).toBeVisible();
    await look(page, `the breakdown ${view}`, breakdown);
  }
  await page.goto(`/runs/${run.id}`);
  await lookOver(page, "what else can be done", () => button(page, "More actions").click(), page.getByRole("menu"));
  await lookOver(page, "name, tags and notes", entry(page, /^More actions/, /^Edit/), heading(page, "Edit this run"));
  await lookOver(page, "another judge", entry(page, /^More actions/, /^Ask another judge/), heading(page, "Ask another judge"));
  await lookOver(page, "further evaluators", () => button(page, "Add evaluators").click(), heading(page, "Add evaluators"));
  await lookOver(page, "deletion of a run", entry(page, /^More actions/, /^Delete/), page.getByRole("alertdialog").getByRole("heading"));
  const items = await platform.items(run.id);
  for (const status of ["COMPLETED", "FAILED"] as const) {
    await page.goto(`/runs/${run.id}?item=${items.find((one) => one.status === status)!.id}`);
    await expect(page.getByRole("dialog").getByRole("heading", { name: "Answer" })).toBeVisible();
    await page.getByRole("dialog").getByText("Everything, as JSON").click();
    await look(page, `an item that is ${status}`, over(page));
  }
  await page.goto(`/runs/${run.id}/items?q=nothing-is-said-so`);
  await expect(heading(page, "No item matches these filters")).toBeVisible();
  await look(page, "no item found");
  await failing(page, request, run);
});

test("a run that goes on", async ({ page, platform }) => {
  await platform.hold("mock-0ms-going", 2);
  const run = await platform.start({ name: "Looked at meanwhile", models: ["mock-0ms-going"], tasks: 30 });
  await page.goto(`/runs/${run.id}`);
  await expect(page.getByRole("log").getByText("Prompt", { exact: true }).first()).toBeVisible();
  await look(page, "a live run");
  await lookOver(page, "a question before the end", () => button(page, /^Cancel$/).click(), heading(page, "Cancel this run?"));
});

async function finished(platform: Platform): Promise<{ run: RunSummary }> {
  const run = await platform.start({ name: `Looked at ${unique()}`, models: ["mock-0ms", "mock-0ms-404"], tasks: 4 });
  await platform.reaches(run.id, "FINISHED");
  return { run };
}

/** Check the error screen of a service that does not answer. */
async function failing(page: Page, request: APIRequestContext, run: RunSummary): Promise<void> {
  const theRun = new RegExp(`/api/runs/${run.id}\\??$`);
  await page.route(theRun, (route) => route.fulfill({ status: 500, contentType: "application/problem+json", body: JSON.stringify({ title: "Internal Server Error", status: 500, detail: "Something went wrong there." }) }));
  await page.goto(`/runs/${run.id}`);
  await expect(page.getByText("Something went wrong there.")).toBeVisible();
  await look(page, "a service that does not answer");
  await page.unroute(theRun);
  expect((await request.get(`/api/runs/${run.id}`)).ok()).toBe(true);
}
