import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test, vi } from "vitest";
import type { CollectionOut, ProviderOut } from "@/api/generated/config-api";
import type { CreateRun } from "@/api/generated/orchestrator";
import { dataset, evaluatorInfos, version } from "@/testing/config-samples";
import { renderAt } from "@/testing/render";
import { evaluatorOut, RUN_ID, runDetail, runSummary, target } from "@/testing/samples";
import { answers, server } from "@/testing/server";
// Loaded with the test: the first load of a lazy part may take seconds.
import "./TagsAndLimits";
import "./TargetSettings";
import NewRunPage from "./NewRunPage";

const at = "2026-01-01T12:00:00.000Z";
const provider = (id: string, name: string): ProviderOut => ({
  id, name, version: 1, created_at: at, updated_at: at, type: "OLLAMA", base_url: "http://x", models_endpoint: "/m", inference_endpoint: "/i", options: {}, headers: [], prices: [],
});
const collection = (id: string, name: string, task_count: number): CollectionOut => ({ id, name, task_count, version: 1, created_at: at, updated_at: at, description: null });

const versions = () => [version(2, { status: "PUBLISHED", row_count: 50 }), version(1, { status: "PUBLISHED", row_count: 30 })];

// A form of this size, filled by many clicks, takes long on a busy machine; a test that is cut off disturbs the next.
vi.setConfig({ testTimeout: 120_000 });

let sent: { body: CreateRun; key: string | null }[];

beforeEach(() => {
  sessionStorage.clear();
  sent = [];
  server.use(
    http.get("*/api/providers", () => HttpResponse.json({ items: [provider("p", "Local"), provider("q", "Cloud")], next_cursor: null })),
    http.get("*/api/providers/p/models", () => HttpResponse.json({ models: [{ id: "tiny" }, { id: "small" }], latency_ms: 3, supported: true })),
    http.get("*/api/providers/q/models", () => HttpResponse.json({ title: "Provider failed", status: 502, detail: "Nothing listens there." }, { status: 502 })),
    http.get("*/api/collections", () => HttpResponse.json({ items: [collection("c", "Sums", 20), collection("e", "Nothing", 0)], next_cursor: null })),
    http.get("*/api/evaluators", () => HttpResponse.json({ items: evaluatorInfos })),
    http.get("*/v1/datasets", ({ request }) => {
      const all = [dataset(), dataset({ dataset_id: "d2", name: "Not yet", published_version: null })];
      const datasets = new URL(request.url).searchParams.get("status") === "PUBLISHED" ? all.filter((one) => one.published_version !== null) : all;
      return HttpResponse.json({ datasets, total: datasets.length, has_more: false });
    }),
    http.get("*/v1/datasets/:id", () => HttpResponse.json(dataset())),
    http.get("*/v1/datasets/:id/versions", () => HttpResponse.json({ versions: versions(), total: 2, has_more: false })),
    http.get("*/v1/datasets/:id/versions/:number", ({ params }) => HttpResponse.json(versions().find((one) => String(one.version_number) === params.number))),
    answers.runs(() => ({ items: [], next_cursor: null })),
    http.post("*/api/runs", async ({ request }) => {
      sent.push({ body: (await request.json()) as CreateRun, key: request.headers.get("idempotency-key") });
      return HttpResponse.json(runSummary(), { status: 201 });
    }),
  );
});

const open = (search = "") => renderAt(`/runs/new${search}`, [{ path: "/runs/new", Component: NewRunPage }, { path: "/runs/:runId", element: <p>The run</p> }]);
const plan = () => screen.getByRole("region", { name: "Before the start" });

async function fill() {
  await userEvent.click(await screen.findByRole("checkbox", { name: "tiny" }));
  await userEvent.click(screen.getByRole("checkbox", { name: /^Sums/ }));
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Provider" }), "Local");
  await userEvent.click(screen.getByRole("combobox", { name: "Model" }));
  await userEvent.paste("small");
  await userEvent.tab();
}

test("models side by side are offered once two providers are chosen, one of them hosted", async () => {
  const hosted = { ...provider("h", "Hosted"), base_url: "https://api.openai.com" };
  server.use(
    http.get("*/api/providers", () => HttpResponse.json({ items: [provider("p", "Local"), hosted], next_cursor: null })),
    http.get("*/api/providers/h/models", () => HttpResponse.json({ models: [{ id: "big" }], latency_ms: 3, supported: true })),
  );
  open();
  await userEvent.click(await screen.findByText("Limits"));
  await fill();
  expect(screen.queryByRole("spinbutton", { name: "Models side by side" })).not.toBeInTheDocument();
  await userEvent.click(await screen.findByRole("checkbox", { name: "big" }));
  await userEvent.type(await screen.findByRole("spinbutton", { name: "Models side by side" }), "2");
  await userEvent.click(within(plan()).getByRole("button", { name: "Start the run" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]!.body.parallel_groups).toBe(2);
});

test("what is missing is said beside its field, once a start was tried", async () => {
  open();
  const start = await screen.findByRole("button", { name: "Start the run" });
  expect(screen.queryByRole("alert")).toBeNull();
  await userEvent.click(start);
  expect(screen.getByRole("combobox", { name: "Provider" })).toBeInvalid();
  expect(screen.getAllByRole("alert").map((one) => one.textContent)).toEqual([
    "Choose at least one collection or dataset.",
    "Choose at least one model to be benchmarked.",
    "Choose the provider of the judge.",
  ]);
  expect(sent).toEqual([]);
});

test("a provider that is down takes one line, and its models can be typed", async () => {
  open();
  const cloud = await screen.findByRole("group", { name: "Cloud" });
  await userEvent.click(await within(cloud).findByText(/^cannot be reached/));
  expect(await within(cloud).findByText("Nothing listens there.", { exact: false })).toBeVisible();
  await userEvent.type(within(cloud).getByRole("textbox"), "big{Enter}");
  expect(within(screen.getByRole("list", { name: "Chosen targets" })).getByText("big")).toBeVisible();
});

test("what is chosen is kept in the tab until the run starts, or until one starts over", async () => {
  const { unmount } = open();
  await fill();
  unmount();
  open();
  expect(await screen.findByText("This is your draft, as you left it.")).toBeVisible();
  expect(await screen.findByRole("checkbox", { name: "tiny" })).toBeChecked();
  await userEvent.click(screen.getByRole("button", { name: "Start over" }));
  expect(screen.getByRole("checkbox", { name: "tiny" })).not.toBeChecked();
  await fill();
  await userEvent.click(within(plan()).getByRole("button", { name: "Start the run" }));
  await screen.findByText("The run");
  expect(sessionStorage).toHaveLength(0);
});

test("the steps say what they have made of the run", async () => {
  open();
  await fill();
  expect(within(screen.getByRole("region", { name: "What is asked" })).getByText("20 cases")).toBeVisible();
  expect(within(screen.getByRole("region", { name: "Who answers" })).getByText("1 target · 20 answers")).toBeVisible();
  expect(await within(screen.getByRole("region", { name: "Tags and limits" })).findByRole("combobox", { name: "Tags" })).toBeVisible();
});

const nameField = () => within(plan()).getByRole("textbox", { name: /^Name/ });

test("a run is asked for its name before the start, and has a suggestion that no other run has", async () => {
  server.use(http.get("*/api/runs", ({ request }) => HttpResponse.json({ items: new URL(request.url).searchParams.has("status") ? [] : [runDetail({ name: "tiny on Sums" })], next_cursor: null })));
  open();
  await screen.findByRole("checkbox", { name: "tiny" });
  expect(nameField()).toHaveValue("");
  await fill();
  await waitFor(() => expect(nameField()).toHaveValue("tiny on Sums (2)"));
  await userEvent.clear(nameField());
  await userEvent.click(within(plan()).getByRole("button", { name: "Start the run" }));
  expect(nameField()).toHaveAccessibleDescription("Give the run a name.");
  expect(sent).toEqual([]);
  await userEvent.type(nameField(), "Before the release");
  await userEvent.click(within(plan()).getByRole("button", { name: "Start the run" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]!.body.name).toBe("Before the release");
});

test("items and calls are counted before the start, then the run is shown", async () => {
  const { router } = open();
  await fill();
  await userEvent.click(screen.getByRole("checkbox", { name: /Select all 2/ }));
  expect(within(plan()).getByText("40")).toBeVisible();
  expect(within(plan()).getByText("83")).toBeVisible();
  // The judge is now among the targets: that is asked for, not assumed.
  await userEvent.click(within(plan()).getByRole("checkbox", { name: "Let it judge its own answers" }));
  await userEvent.click(within(plan()).getByRole("button", { name: "Start the run" }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/runs/${RUN_ID}`));
  expect(sent[0]!.body.targets.map((one) => one.model)).toEqual(["tiny", "small"]);
  expect(sent[0]!.body).toMatchObject({ judge: { provider_id: "p", model: "small" }, collection_ids: ["c"], allow_self_judging: true });
  expect(sent[0]!.body.name).toBe("tiny, small on Sums");
  expect(sent[0]!.key).toMatch(/^[0-9a-f]{32}$/);
});

test("a start that got no answer is asked for again with the same key, though the run that it made took the suggested name", async () => {
  let isStored = false;
  server.use(
    http.get("*/api/runs", () => HttpResponse.json({ items: isStored ? [runSummary({ name: "tiny on Sums", status: "RUNNING" })] : [], next_cursor: null })),
    http.post("*/api/runs", async ({ request }) => {
      sent.push({ body: (await request.json()) as CreateRun, key: request.headers.get("idempotency-key") });
      isStored = true;
      return sent.length === 1 ? HttpResponse.error() : HttpResponse.json(runSummary(), { status: 201 });
    }),
  );
  const { router } = open();
  await fill();
  await userEvent.click(screen.getByRole("button", { name: "Start the run" }));
  await waitFor(() => expect(nameField()).toHaveValue("tiny on Sums (2)"));
  await userEvent.click(await screen.findByRole("button", { name: /^(Start|Queue) the run$/ }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/runs/${RUN_ID}`));
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
});

test("what the server refuses is shown at its field", async () => {
  const errors = [{ field: "targets.0.model", message: "Local has no model 'tiny'" }, { field: "judge.model", message: "Local has no model 'small'" }];
  server.use(http.post("*/api/runs", () => HttpResponse.json({ title: "Invalid run", status: 422, detail: "…", errors }, { status: 422 })));
  open();
  await fill();
  await userEvent.click(screen.getByRole("button", { name: "Start the run" }));
  await waitFor(() => expect(screen.getByRole("combobox", { name: "Model" })).toHaveAccessibleDescription("Local has no model 'small'"));
  expect(within(screen.getByRole("list", { name: "Chosen targets" })).getByText("Local has no model 'tiny'")).toBeVisible();
});

test("a run in the way is linked", async () => {
  server.use(http.post("*/api/runs", () => HttpResponse.json({ title: "A run is active", status: 409, detail: "Only one at a time.", active_run_id: "other" }, { status: 409 })));
  open();
  await fill();
  await userEvent.click(screen.getByRole("button", { name: "Start the run" }));
  expect(await screen.findByRole("link", { name: "Go to the active run" })).toHaveAttribute("href", "/runs/other");
});

test("a clone begins with what the earlier run was, and knows how long it took", async () => {
  const earlier = runDetail({ status: "FINISHED", counts: { items: 20, answered: 20, judged: 20, failed: 0 }, tags: ["nightly"] });
  const result = { ...earlier.totals, target_id: target.id, label: target.label, model: target.model, mean_time_ms: 3000, priced: 20, cost_usd: 0.2, passes: [] };
  server.use(
    answers.run(() => ({ ...earlier, results: [result] })),
    answers.runs(() => ({ items: [earlier], next_cursor: null })),
    answers.distribution(() => ({ score_bins: [], score_edges: [], time_edges_ms: [], targets: [], judges: [{ provider_id: "p", model: "judge-1", calls: 20, mean_time_ms: 500 }] })),
  );
  open(`?clone=${RUN_ID}`);
  expect(await screen.findByRole("heading", { name: "New run, like First run" })).toBeVisible();
  expect(await screen.findByRole("combobox", { name: "Model" })).toHaveValue("judge-1");
  expect(nameField()).toHaveValue("First run (2)");
  expect(within(screen.getByRole("list", { name: "Chosen targets" })).getByText("tiny t=0")).toBeVisible();
  // 20 tasks of 3 s, one at a time, $0.01 each.
  expect(await within(plan()).findByText("about 1 min 00 s, $0.20")).toBeVisible();
  expect(within(plan()).getByText("about 10 s")).toBeVisible();
});

test("a run whose answers came from the cache does not hide how long earlier ones took", async () => {
  const slow = runDetail({ id: "slow", status: "FINISHED", counts: { items: 20, answered: 20, judged: 20, failed: 0 } });
  const cached = { ...slow, id: "cached", name: "Judged again" };
  const result = { ...slow.totals, target_id: target.id, label: target.label, model: target.model, mean_time_ms: 3000, priced: 20, cost_usd: 0.2, passes: [] };
  server.use(
    http.get("*/api/runs/:id", ({ params }) => HttpResponse.json({ ...(params.id === "slow" ? slow : cached), results: [params.id === "slow" ? result : { ...result, mean_time_ms: null, priced: 0, cost_usd: 0 }] })),
    answers.runs(() => ({ items: [cached, slow], next_cursor: null })),
    answers.distribution(() => ({ score_bins: [], score_edges: [], time_edges_ms: [], targets: [], judges: [] })),
  );
  open("?clone=cached");
  expect(await screen.findByRole("heading", { name: "New run, like Judged again" })).toBeVisible();
  await screen.findByRole("region", { name: "Before the start" });
  expect(await within(plan()).findByText("about 1 min 00 s, $0.20")).toBeVisible();
});

test("a dataset's version is chosen beside collections or alone, and counted", async () => {
  open("?dataset=dataset-1&version=1");
  const chosen = within(await screen.findByRole("list", { name: "Chosen dataset versions" }));
  await userEvent.click(await screen.findByRole("checkbox", { name: "tiny" }));
  expect(await within(plan()).findByText("30", { selector: "dt:first-child + dd" })).toBeVisible();
  await userEvent.selectOptions(await chosen.findByRole("combobox", { name: "Version of HR questions" }), await chosen.findByRole("option", { name: "Version 2, 50 cases" }));
  expect(await within(plan()).findByText("102")).toBeVisible();
  expect(screen.queryByRole("checkbox", { name: "Not yet" })).toBeNull();
  await userEvent.click(screen.getByRole("checkbox", { name: /^Sums/ }));
  expect(within(plan()).getAllByText("70")[0]).toBeVisible();
  await userEvent.click(screen.getByRole("checkbox", { name: "HR questions" }));
  expect(screen.queryByRole("list", { name: "Chosen dataset versions" })).toBeNull();
});

test("programs alone need no judge, and what the server says of a parameter stands beside it", async () => {
  const errors = [{ field: "evaluators.0.params.threshold", message: "must be at most 1" }];
  server.use(http.post("*/api/runs", async ({ request }) => {
    sent.push({ body: (await request.json()) as CreateRun, key: null });
    return HttpResponse.json({ title: "Invalid run", status: 422, detail: "…", errors }, { status: 422 });
  }));
  open();
  await userEvent.click(await screen.findByRole("checkbox", { name: "tiny" }));
  await userEvent.click(screen.getByRole("checkbox", { name: /^Sums/ }));
  await userEvent.click(screen.getByRole("button", { name: "Remove Rubric" }));
  await userEvent.click(screen.getByRole("combobox", { name: "Add an evaluator" }));
  await userEvent.click(await screen.findByRole("option", { name: /^Fuzzy match/ }));
  expect(screen.queryByRole("region", { name: "Judge" })).toBeNull();
  expect(screen.getByText("All evaluators are programs, so no judge is needed.")).toBeVisible();
  const card = within(screen.getByRole("listitem", { name: "Fuzzy match" }));
  await userEvent.type(card.getByLabelText("Threshold"), "2");
  await userEvent.click(card.getByLabelText("Ignore case"));
  await userEvent.type(card.getByLabelText("Weight"), "3");
  await userEvent.click(screen.getByRole("button", { name: "Start the run" }));
  await waitFor(() => expect(card.getByLabelText("Threshold")).toHaveAccessibleDescription("must be at most 1"));
  expect(sent[0]!.body).toMatchObject({ evaluators: [{ kind: "fuzzy_match", params: { threshold: 2, ignore_case: false }, weight: 3 }] });
  expect(sent[0]!.body).not.toHaveProperty("judge");
});

test("a clone keeps evaluators and datasets, and both can be changed", async () => {
  const earlier = runDetail({
    status: "FINISHED",
    collections: [],
    dataset_versions: [{ version_id: "version-1", dataset_id: "dataset-1", name: "HR questions", version_number: 1 }],
    evaluators: [evaluatorOut(), evaluatorOut({ revision_id: "2", kind: "fuzzy_match", name: "fuzzy_match", title: "Fuzzy match", judge_provider_id: null, judge_model: null, params: { threshold: 0.9 } })],
  });
  server.use(answers.run(() => earlier));
  open(`?clone=${RUN_ID}`);
  const chosen = within(await screen.findByRole("list", { name: "Chosen evaluators" }));
  expect(await chosen.findByText(/by program · threshold 0.9/)).toBeInTheDocument();
  await userEvent.click(chosen.getByRole("button", { name: "Remove Rubric" }));
  await userEvent.click(screen.getByRole("button", { name: "Start the run" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]!.body).toMatchObject({ evaluators: [{ kind: "fuzzy_match", params: { threshold: 0.9 } }], dataset_version_ids: ["version-1"] });
});

test("a panel is put together by clicks, and begins with the judge that was chosen", async () => {
  open();
  await fill();
  await userEvent.click(within(screen.getByRole("group", { name: "Who judges" })).getByRole("button", { name: "A panel" }));
  const panel = within(screen.getByRole("list", { name: "Judges of the panel" }));
  const [first, second] = panel.getAllByRole("listitem").map((one) => within(one));
  expect(first!.getByRole("combobox", { name: "Model" })).toHaveValue("small");
  await userEvent.selectOptions(second!.getByRole("combobox", { name: "Provider" }), "Cloud");
  await userEvent.click(second!.getByRole("combobox", { name: "Model" }));
  await userEvent.paste("big");
  await userEvent.tab();
  await userEvent.click(screen.getByRole("button", { name: "Start the run" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]!.body.panel).toEqual({ judges: [{ provider_id: "p", model: "small" }, { provider_id: "q", model: "big" }] });
  expect(sent[0]!.body).not.toHaveProperty("judge");
});

test("a model for vectors is asked for only where a provider's is chosen", async () => {
  const similar = {
    kind: "semantic_similarity", title: "Semantic similarity", description: "Near in meaning.", needs_judge: false, may_need_judge: true,
    params_schema: { properties: { embedding: { type: "string", enum: ["provider"], default: "not-installed", title: "Embedding", description: "The embedding model." } } },
  };
  server.use(http.get("*/api/evaluators", () => HttpResponse.json({ items: [similar] })));
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Remove Rubric" }));
  await userEvent.click(screen.getByRole("combobox", { name: "Add an evaluator" }));
  await userEvent.click(await screen.findByRole("option", { name: /^Semantic similarity/ }));
  // The list is done with, and the eye goes to what was chosen.
  await waitFor(() => expect(screen.getByText("Semantic similarity", { selector: "summary *" }).closest("summary")).toHaveFocus());
  expect(screen.queryByRole("listbox")).toBeNull();
  const card = within(screen.getByRole("listitem", { name: "Semantic similarity" }));
  expect(card.getByLabelText("Embedding")).toHaveDisplayValue("Choose…");
  expect(card.queryByRole("combobox", { name: "Model" })).toBeNull();
  await userEvent.selectOptions(card.getByLabelText("Embedding"), "provider");
  expect(card.getByLabelText("Embedding")).toHaveAccessibleDescription(/chosen below/);
  expect(card.getByRole("combobox", { name: "Model" })).toBeVisible();
  expect(screen.queryByRole("region", { name: "Judge" })).toBeNull();
});
