import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { ConcludeIn, ExperimentCases, ExperimentIn, ExperimentOut, ExperimentPage as Page, LookPage, PlanExperiment, ResultsOut, RoundPage } from "@/api/generated/orchestrator";
import { analysisOut, comparisonOut, experimentOut, experimentPlan, lookOut, resultsOut, roundOut } from "@/testing/experiment-samples";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import EditorPage from "./edit/EditorPage";
import ExperimentsPage from "./list/ExperimentsPage";
import ExperimentPage from "./view/ExperimentPage";

const ROUTES = [
  { path: "/experiments", Component: ExperimentsPage },
  { path: "/experiments/new", Component: EditorPage },
  { path: "/experiments/:draftId/edit", Component: EditorPage },
  { path: "/experiments/:experimentId", Component: ExperimentPage },
];
const CONTAINS = { kind: "contains", title: "Contains", description: "Looks for texts.", needs_judge: false, params_schema: { type: "object", properties: {} } };
const PROVIDER = { id: "provider-1", name: "Local", type: "OLLAMA" };

let experiment: ExperimentOut;
let results: ResultsOut;
let looks: LookPage;
let rounds: RoundPage;
let planned: PlanExperiment[];
beforeEach(() => {
  sessionStorage.clear();
  experiment = experimentOut();
  results = resultsOut();
  looks = { looks: [1, 2, 3].map((number) => lookOut(number)), total: 3, has_more: false };
  rounds = { rounds: [roundOut(1), roundOut(2, { status: "STARTED", run_status: "RUNNING", ended_at: null, items_done: 12 })], total: 2, has_more: false };
  planned = [];
  server.use(
    http.get("*/api/collections", () => HttpResponse.json({ items: [{ id: "collection-1", name: "Sums", task_count: 400 }], next_cursor: null })),
    http.get("*/v1/datasets", () => HttpResponse.json({ datasets: [], total: 0, has_more: false })),
    http.get("*/api/evaluators", () => HttpResponse.json({ items: [CONTAINS] })),
    http.get("*/api/prompts", () => HttpResponse.json({ items: [], next_cursor: null })),
    http.get("*/api/providers", () => HttpResponse.json({ items: [PROVIDER], next_cursor: null })),
    http.get("*/api/providers/:id/models", () => HttpResponse.json({ supported: true, models: [{ id: "model-a" }] })),
    http.post("*/v1/experiments/plan", async ({ request }) => {
      const body = (await request.json()) as PlanExperiment;
      planned.push(body);
      return HttpResponse.json(experimentPlan({ planned: Math.round(3 / (body.config?.minimum_effect ?? 1) ** 2) }));
    }),
    http.get("*/v1/experiments/:id", () => HttpResponse.json(experiment)),
    http.get("*/v1/experiments/:id/results", () => HttpResponse.json(results)),
    http.get("*/v1/experiments/:id/looks", () => HttpResponse.json(looks)),
    http.get("*/v1/experiments/:id/rounds", () => HttpResponse.json(rounds)),
    http.get("*/v1/experiments/:id/cases", () => HttpResponse.json({ cases: [], total: 0, has_more: false } satisfies ExperimentCases)),
    http.get("*/v1/experiments/:id/record", () => new HttpResponse("# Decision record", { headers: { "content-type": "text/markdown" } })),
  );
});

test("the list shows status, metric, progress and decision", async () => {
  const stopped = experimentOut({ experiment_id: "2", name: "Larger model", status: "PAUSED", stopped: { rule: "decided", sentence: "Better.", at: "" } });
  server.use(http.get("*/v1/experiments", () => HttpResponse.json({ experiments: [experimentOut(), stopped], total: 2, has_more: false } satisfies Page)));
  renderAt("/experiments", ROUTES);
  const row = within(await screen.findByRole("row", { name: /Shorter prompt/ }));
  expect(row.getAllByText("Running")[0]).toBeVisible();
  expect(row.getByText("Pass rate")).toBeInTheDocument();
  expect(row.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "140");
  const other = within(screen.getByRole("row", { name: /Larger model/ }));
  expect(other.getByText("Decided")).toBeVisible();
  expect(other.getByText("waits for its conclusion")).toBeVisible();
});

test("without experiments the list says what one is for", async () => {
  server.use(http.get("*/v1/experiments", () => HttpResponse.json({ experiments: [], total: 0, has_more: false } satisfies Page)));
  renderAt("/experiments", ROUTES);
  expect(await screen.findByRole("heading", { name: "No experiments yet" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Plan an experiment" })).toHaveAttribute("href", "/experiments/new");
});

test("the editor shows what is missing at its fields, and sends nothing", async () => {
  renderAt("/experiments/new", ROUTES);
  await userEvent.click(await screen.findByRole("button", { name: "Start the experiment" }));
  expect(screen.getByRole("textbox", { name: /^Name ?\(required\)$/ })).toHaveAccessibleDescription("Give the experiment a name.");
  const control = within(screen.getByRole("listitem", { name: "Control" }));
  expect(control.getByRole("combobox", { name: "Provider" })).toHaveAccessibleDescription("Choose the provider.");
  expect(await screen.findByText("Choose at least one collection or dataset.")).toBeVisible();
});

test("the slider plans again, and what is typed survives a reload", async () => {
  const view = renderAt("/experiments/new", ROUTES);
  expect(await screen.findByText("1,200")).toBeVisible();
  fireEvent.change(screen.getByRole("slider", { name: "Smallest effect that matters" }), { target: { value: "10" } });
  expect(await screen.findByText("300")).toBeVisible();
  expect(planned.at(-1)?.config?.minimum_effect).toBe(0.1);
  await userEvent.type(screen.getByRole("textbox", { name: /^Name ?\(required\)$/ }), "Kept");
  view.unmount();
  renderAt("/experiments/new", ROUTES);
  expect(await screen.findByRole("textbox", { name: /^Name ?\(required\)$/ })).toHaveValue("Kept");
  await userEvent.click(screen.getByRole("button", { name: "Discard it" }));
  expect(screen.getByRole("textbox", { name: /^Name ?\(required\)$/ })).toHaveValue("");
});

test("a draft is changed at its version, and the server's refusals stand at their fields", async () => {
  experiment = experimentOut({ status: "DRAFT" });
  let sent: { body: ExperimentIn; match: string | null } | undefined;
  server.use(
    http.put("*/v1/experiments/:id", async ({ request }) => {
      sent = { body: (await request.json()) as ExperimentIn, match: request.headers.get("if-match") };
      return HttpResponse.json({ title: "Not valid", status: 422, detail: "Look at the fields.", errors: [{ field: "name", message: "another experiment is called so" }] }, { status: 422 });
    }),
  );
  renderAt("/experiments/experiment-1/edit", ROUTES);
  const name = await screen.findByRole("textbox", { name: /^Name ?\(required\)$/ });
  await userEvent.clear(name);
  await userEvent.type(name, "Another");
  await userEvent.click(screen.getByRole("button", { name: "Save the draft" }));
  await waitFor(() => expect(name).toHaveAccessibleDescription(/nother experiment is called so/));
  expect(sent?.match).toBe('"3"');
  expect(sent?.body).toMatchObject({ name: "Another", sources: { collection_ids: ["collection-1"] }, evaluators: [{ kind: "contains" }] });
});

test("a running experiment says what happens next, and follows its events", async () => {
  const { connection } = renderAt("/experiments/experiment-1", ROUTES);
  expect(await screen.findByText(/^Round 2 is running/)).toHaveTextContent("About 60 more cases are needed.");
  const row = within(within(screen.getByRole("table", { name: "Variants" })).getByRole("row", { name: /^Treatment/ }));
  expect(row.getByText("+6.2 points")).toBeVisible();
  expect(row.getByText("Undecided so far")).toBeVisible();
  expect(within(screen.getByRole("table", { name: "Guardrails" })).getByText("Passed")).toBeVisible();
  expect(screen.getByRole("link", { name: "Round 1" })).toHaveAttribute("href", "/runs/run-1");
  const marks = within(screen.getByRole("group", { name: "Intervals of Treatment" }));
  expect(marks.getByRole("link", { name: /^Look 1, after round 1: \+6\.2 points, interval .*, undecided so far$/ })).toHaveAttribute("href", "/runs/run-1/items");
  expect(within(screen.getByRole("table", { name: "Looks at Treatment", hidden: true })).getAllByRole("row", { hidden: true })).toHaveLength(4);

  experiment = experimentOut({ status: "PAUSED", stopped: { rule: "decided", sentence: "Treatment is better.", at: "" }, progress: { ...experiment.progress, saved_share: 0.65 } });
  results = resultsOut(analysisOut({ winner: "treatment", comparisons: [comparisonOut({ state: "ship", interval: [0.01, 0.1] })] }));
  act(() => connection.send("/topic/experiments", JSON.stringify({ type: "llmbench.experiment.status_changed.v1", experiment_id: experiment.experiment_id })));
  expect(await screen.findByText("Stopped by itself")).toBeVisible();
  expect(screen.getByText(/^Decided after 140.of.400 cases: 65% of the calls not made\.$/)).toBeVisible();
  expect(screen.getByText("Treatment is better.")).toBeVisible();
});

test("an experiment outside shows both commands, and keeps hostile names within their quotes", async () => {
  const guardrail = { metric: "it's'; rm", margin: 0.05, direction: "higher_is_better" as const, relative: false };
  rounds = { rounds: [], total: 0, has_more: false };
  experiment = experimentOut({ sources: "none", guardrail_metrics: [guardrail], config: { ...experiment.config, design: "split" } });
  renderAt("/experiments/experiment-1", ROUTES);
  const example = within(await screen.findByRole("region", { name: "Send observations" }));
  expect(example.getAllByRole("button", { name: "Copy" })).toHaveLength(2);
  expect(within(screen.getByRole("group", { name: "Intervals of Treatment" })).queryByRole("link")).toBeNull();
  expect(example.getByText(/\/v1\/experiments\/experiment-1\/assign/)).toHaveTextContent('{"unit_ids":["user-1","user-2"]}');
  const observe = example.getByText(/\/v1\/experiments\/experiment-1\/observations/);
  expect(observe).toHaveTextContent('"variant_id":"control","value":1');
  expect(observe).toHaveTextContent("it'\\''s'\\''; rm");
});

test("cases that differ most are not listed if none differs", async () => {
  const equal = (name: string) => ({ case: name, position: 1, round: 1, value: 1, baseline_value: 1, difference: 0, run_id: null, item_id: null, baseline_item_id: null });
  server.use(http.get("*/v1/experiments/:id/cases", () => HttpResponse.json({ cases: [equal("sum-1"), equal("sum-2")], total: 2, has_more: false } satisfies ExperimentCases)));
  renderAt("/experiments/1", ROUTES);
  expect(await screen.findByText(/^No case differs/)).toBeVisible();
  await userEvent.selectOptions(screen.getByLabelText("Order of the cases"), "In the order of the experiment");
  expect(await screen.findByRole("heading", { name: "sum-2" })).toBeVisible();
});

test("lost units of one variant are a warning before any figure", async () => {
  results = resultsOut(analysisOut({ state: "unhealthy", sample_ratio: { chi_square: 20, p_value: 0.00001, mismatch: true } }));
  renderAt("/experiments/experiment-1", ROUTES);
  expect(await screen.findByText("The variants did not get their shares.")).toBeVisible();
});

test("a conclusion needs a choice, is sent with its notes, and shows the record", async () => {
  experiment = experimentOut({ status: "PAUSED", stopped: { rule: "futile", sentence: "No effect.", at: "" } });
  let sent: ConcludeIn | undefined;
  server.use(
    http.post("*/v1/experiments/:id/conclude", async ({ request }) => {
      sent = (await request.json()) as ConcludeIn;
      const conclusion = { winner: "no_winner", winner_name: null, look: 7, confidence: 0.95, effect_size: 0.1, p_value: null, probability_of_improvement: null, notes: sent.notes ?? null, declared_at: "2026-11-21T10:00:00.000Z", declared_by: "Ada" };
      experiment = { ...experiment, status: "CONCLUDED", conclusion };
      return HttpResponse.json(experiment);
    }),
  );
  renderAt("/experiments/experiment-1", ROUTES);
  await userEvent.click(await screen.findByRole("button", { name: "Conclude…" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByRole("button", { name: "Conclude" }));
  expect(dialog.getByText("Choose a winner, or “No winner”.")).toBeVisible();
  await userEvent.click(dialog.getByRole("radio", { name: "No winner" }));
  await userEvent.type(dialog.getByRole("textbox", { name: "Notes" }), "Not worth it.");
  await userEvent.click(dialog.getByRole("button", { name: "Conclude" }));
  const conclusion = within(await screen.findByRole("region", { name: "Conclusion" }));
  expect(sent).toEqual({ winner: "no_winner", notes: "Not worth it." });
  expect(conclusion.getByText("No winner")).toBeVisible();
  expect(conclusion.getByText(/^Declared by Ada/)).toBeVisible();
  expect(await conclusion.findByText("# Decision record")).toBeInTheDocument();
  expect(conclusion.getByRole("link", { name: "Markdown" })).toHaveAttribute("href", "/v1/experiments/experiment-1/record?format=markdown");
});
