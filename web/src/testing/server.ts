/** The services as tests see them. Each test says what they answer, in the generated API's types. */

import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import type { BudgetOut, ExportFormats, ItemCount, ItemDetail, ItemExcerpt, ItemPage, ProblemBody, RetentionPreview, RunDetail, RunDistribution, RunEvents, RunPage, RunSummary } from "@/api/generated/orchestrator";

export const KEEPS_ALL: RetentionPreview = { retention_days: null, older_than_days: null, removable: [], removable_runs: 0, removable_items: 0, kept: [], kept_runs: [] };

/** An organisation without a budget. */
export const NO_BUDGET: BudgetOut = { month: "2026-11-01", ends_on: "2026-12-01", budget_usd: null, spent_usd: 0, unpriced_calls: 0, state: "none", message: null, default_evaluators: [] };

const FORMAT = { one_target: false, evaluator: null };
export const EXPORT_FORMATS: ExportFormats = {
  items: [
    { ...FORMAT, name: "csv", title: "CSV", extension: "csv", media_type: "text/csv", description: "One row per item, for a spreadsheet." },
    { ...FORMAT, name: "jsonl", title: "JSON Lines", extension: "jsonl", media_type: "application/x-ndjson", description: "One record per item and line, with every field." },
    { ...FORMAT, name: "regression-report", title: "Regression report", extension: "json", media_type: "application/json", description: "Accuracy of one target.", one_target: true },
    { ...FORMAT, name: "test-cases", title: "Test cases", extension: "jsonl", media_type: "application/x-ndjson", description: "Questions as cases of a dataset.", evaluator: "grounded_questions" },
  ],
};

/** A mock server without sign-in, retention, budget, queued runs, providers, prompts, suites and judges, unless a test overrides it. */
export const server = setupServer(
  http.get("*/api/auth/session", () => HttpResponse.json({ auth: "off" })),
  http.get("*/api/providers", () => HttpResponse.json({ items: [], next_cursor: null })),
  http.get("*/api/prompts", () => HttpResponse.json({ items: [], next_cursor: null })),
  http.get("*/api/suites", () => HttpResponse.json({ items: [], next_cursor: null })),
  http.get("*/api/runs/queue", () => HttpResponse.json({ items: [], next_cursor: null } satisfies RunPage)),
  http.get("*/api/calibrations/judges", () => HttpResponse.json({ judges: [] })),
  http.get("*/api/retention", () => HttpResponse.json(KEEPS_ALL)),
  http.get("*/api/usage/budget", () => HttpResponse.json(NO_BUDGET)),
  http.get("*/api/export-formats", () => HttpResponse.json(EXPORT_FORMATS)),
);

export const answers = {
  runs: (page: (status: string[], cursor: string | null) => RunPage) =>
    http.get("*/api/runs", ({ request }) => {
      const { searchParams } = new URL(request.url);
      return HttpResponse.json(page(searchParams.getAll("status"), searchParams.get("cursor")));
    }),
  run: (run: () => RunDetail) => http.get("*/api/runs/:runId", () => HttpResponse.json(run())),
  items: (page: (asked: URLSearchParams) => ItemPage) =>
    http.get("*/api/runs/:runId/items", ({ request }) => HttpResponse.json(page(new URL(request.url).searchParams))),
  itemCount: (count: (asked: URLSearchParams) => ItemCount) => http.get("*/api/runs/:runId/items/count", ({ request }) => HttpResponse.json(count(new URL(request.url).searchParams))),
  excerpts: (excerpts: () => ItemExcerpt[]) => http.get("*/api/runs/:runId/items/excerpts", () => HttpResponse.json({ items: excerpts() })),
  item: (item: (id: string) => ItemDetail) =>
    http.get("*/api/runs/:runId/items/:itemId", ({ params }) => HttpResponse.json(item(String(params.itemId)))),
  distribution: (response: () => RunDistribution) => http.get("*/api/runs/:runId/distribution", () => HttpResponse.json(response())),
  events: (page: (fromSeq: number) => RunEvents) =>
    http.get("*/api/runs/:runId/events", ({ request }) =>
      HttpResponse.json(page(Number(new URL(request.url).searchParams.get("from_seq") ?? 1))),
    ),
  act: (verb: "pause" | "resume" | "cancel", run: () => RunSummary) =>
    http.post(`*/api/runs/:runId/${verb}`, () => HttpResponse.json(run(), { status: 202 })),
  problem: (path: string, problem: ProblemBody) =>
    http.all(path, () => HttpResponse.json(problem, { status: problem.status, headers: { "content-type": "application/problem+json" } })),
};
