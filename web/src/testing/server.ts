/** The services as tests see them. Each test says what they answer, in the generated API's types. */

import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import type { ItemDetail, ItemPage, ProblemBody, RunDetail, RunDistribution, RunEvents, RunPage, RunSummary } from "@/api/generated/orchestrator";

export const server = setupServer();

export const answers = {
  runs: (page: (status: string[], cursor: string | null) => RunPage) =>
    http.get("*/api/runs", ({ request }) => {
      const { searchParams } = new URL(request.url);
      return HttpResponse.json(page(searchParams.getAll("status"), searchParams.get("cursor")));
    }),
  run: (run: () => RunDetail) => http.get("*/api/runs/:runId", () => HttpResponse.json(run())),
  items: (page: (asked: URLSearchParams) => ItemPage) =>
    http.get("*/api/runs/:runId/items", ({ request }) => HttpResponse.json(page(new URL(request.url).searchParams))),
  itemCount: (count: () => number) => http.get("*/api/runs/:runId/items/count", () => HttpResponse.json({ items: count() })),
  item: (item: (id: string) => ItemDetail) =>
    http.get("*/api/runs/:runId/items/:itemId", ({ params }) => HttpResponse.json(item(String(params.itemId)))),
  distribution: (found: () => RunDistribution) => http.get("*/api/runs/:runId/distribution", () => HttpResponse.json(found())),
  events: (page: (fromSeq: number) => RunEvents) =>
    http.get("*/api/runs/:runId/events", ({ request }) =>
      HttpResponse.json(page(Number(new URL(request.url).searchParams.get("from_seq") ?? 1))),
    ),
  act: (verb: "pause" | "resume" | "cancel", run: () => RunSummary) =>
    http.post(`*/api/runs/:runId/${verb}`, () => HttpResponse.json(run(), { status: 202 })),
  problem: (path: string, problem: ProblemBody) =>
    http.all(path, () => HttpResponse.json(problem, { status: problem.status, headers: { "content-type": "application/problem+json" } })),
};
