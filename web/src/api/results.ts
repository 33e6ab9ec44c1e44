/** The results of a run as the app uses them: the generated client plus cache tags, paging and links to exports. */

import { serializeParams } from "./base-api";
import type { CountItemsApiArg, ExportFormatOut, ItemPage, RunEvents, RunSummary, SortKey } from "./generated/orchestrator";
import { orchestratorApi } from "./generated/orchestrator/results";

export type RunEvent = RunEvents["events"][number];
export type ItemFilter = Omit<CountItemsApiArg, "runId">;

/** Rows and events are kept in the live store, so the query cache drops them at once. */
const PASS_THROUGH = { keepUnusedDataFor: 0, structuralSharing: false } as const;

const tagged = orchestratorApi.enhanceEndpoints({
  addTagTypes: ["Run", "Item"],
  endpoints: {
    getItem: { providesTags: (_result, _error, { itemId }) => [{ type: "Item", id: itemId }] },
    getRunDistribution: { providesTags: (_result, _error, { runId }) => [{ type: "Run", id: runId }] },
    // Formats change with a new version of the server only.
    listExportFormats: { keepUnusedDataFor: 3600 },
    listItems: { ...PASS_THROUGH, providesTags: ["Item"] },
    listRunEvents: PASS_THROUGH,
  },
});

const ITEM_PARAMS = {
  targetId: "target_id",
  taskId: "task_id",
  suiteTask: "suite_task",
  conversationId: "conversation_id",
  failureKind: "failure_kind",
  failureCause: "failure_cause",
  failurePhase: "failure_phase",
  scoreMin: "score_min",
  scoreMax: "score_max",
  overallMin: "overall_min",
  overallBelow: "overall_below",
  timeMin: "time_min",
  timeBelow: "time_below",
  finishReason: "finish_reason",
  answerKind: "answer_kind",
} as const satisfies Partial<Record<keyof ItemFilter, string>>;

/** Return a filter as query parameters, named as in the URLs of the page and of an export. */
export function itemParams(filter: ItemFilter): Record<string, unknown> {
  const names: Partial<Record<string, string>> = ITEM_PARAMS;
  return Object.fromEntries(Object.entries(filter).map(([name, value]) => [names[name] ?? name, value]));
}

export interface FoundItems {
  runId: string;
  filter: ItemFilter;
  sort: SortKey;
  evaluatorRevisionId?: string | undefined;
  order: "asc" | "desc";
}

const FOUND_PER_PAGE = 200;

export const resultsApi = tagged.injectEndpoints({
  endpoints: (build) => ({
    /** The filtered items in the given order, page by page. */
    foundItems: build.infiniteQuery<ItemPage, FoundItems, string | null>({
      query: ({ queryArg: { runId, filter, sort, evaluatorRevisionId, order }, pageParam }) => ({
        url: `/api/runs/${encodeURIComponent(runId)}/items`,
        params: { ...itemParams(filter), sort, evaluator_revision_id: evaluatorRevisionId, order, limit: FOUND_PER_PAGE, cursor: pageParam },
      }),
      infiniteQueryOptions: {
        initialPageParam: null,
        getNextPageParam: (lastPage) => lastPage.next_cursor ?? undefined,
      },
      keepUnusedDataFor: 0,
    }),
  }),
});

export const { useFoundItemsInfiniteQuery, useCountItemsQuery, useListItemsQuery, useGetItemQuery, useGetRunDistributionQuery, useListExportFormatsQuery } = resultsApi;

/** Return the formats that apply to a run: some need exactly one target. */
export function exportFormatsOf(formats: readonly ExportFormatOut[], run: Pick<RunSummary, "targets" | "evaluators">, filter: ItemFilter = {}): ExportFormatOut[] {
  const isOneTarget = run.targets.length === 1 || filter.targetId?.length === 1;
  return formats.filter(({ one_target: oneTarget, evaluator }) => (!oneTarget || isOneTarget) && (!evaluator || run.evaluators.some(({ kind }) => kind === evaluator)));
}

/** Return the URL of an export of the filtered items. */
export function exportUrl(runId: string, format: string, filter: ItemFilter = {}): string {
  return `/api/runs/${encodeURIComponent(runId)}/export?${serializeParams({ format, ...itemParams(filter) })}`;
}
