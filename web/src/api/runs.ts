/** The run endpoints as the app uses them: the generated client plus cache tags and paging. */

import { serializeParams } from "./base-api";
import { orchestratorApi, type CountItemsApiArg, type ExportFormatOut, type ItemPage, type ListRunsApiArg, type RunEvents, type RunPage, type RunSummary, type SortKey } from "./generated/orchestrator";

export type RunEvent = RunEvents["events"][number];
export type RunFilter = Pick<ListRunsApiArg, "status" | "createdFrom" | "createdBefore" | "tag" | "q" | "providerId">;
export type ItemFilter = Omit<CountItemsApiArg, "runId">;

/** Rows and events are kept in the live store, so the query cache drops them at once. */
const PASS_THROUGH = { keepUnusedDataFor: 0, structuralSharing: false } as const;

const ofRun = (_result: unknown, _error: unknown, { runId }: { runId: string }) => [{ type: "Run" as const, id: runId }];

const tagged = orchestratorApi.enhanceEndpoints({
  addTagTypes: ["RunList", "Run", "Item", "Baseline"],
  endpoints: {
    getRun: { providesTags: ofRun },
    getItem: { providesTags: (_result, _error, { itemId }) => [{ type: "Item", id: itemId }] },
    listRuns: { providesTags: ["RunList"] },
    listQueue: { providesTags: ["RunList"] },
    moveRun: { invalidatesTags: (_result, _error, { runId }) => ["RunList", { type: "Run", id: runId }] },
    createRun: { invalidatesTags: ["RunList"] },
    changeRun: { invalidatesTags: (_result, _error, { runId }) => ["RunList", { type: "Run", id: runId }] },
    // The deleted run's own tag stays valid: refetching it would answer 404.
    deleteRun: { invalidatesTags: (_result, error) => (error ? [] : ["RunList"]) },
    pauseRun: { invalidatesTags: ofRun },
    resumeRun: { invalidatesTags: ofRun },
    cancelRun: { invalidatesTags: (_result, _error, { runId }) => ["RunList", { type: "Run", id: runId }] },
    retryFailed: { invalidatesTags: ofRun },
    retryJudging: { invalidatesTags: ofRun },
    addEvaluators: { invalidatesTags: ofRun },
    promoteRevision: { invalidatesTags: (_result, _error, { runId }) => ["RunList", "Item", { type: "Run", id: runId }] },
    decideGates: { invalidatesTags: ofRun },
    listBaselines: { providesTags: ["Baseline"] },
    createBaseline: { invalidatesTags: (_result, error) => (error ? [] : ["Baseline"]) },
    promoteToBaseline: { invalidatesTags: (_result, error) => (error ? [] : ["Baseline"]) },
    getBaselineHistory: { providesTags: ["Baseline"] },
    createGate: { invalidatesTags: (_result, error) => (error ? [] : ["Baseline"]) },
    deleteGate: { invalidatesTags: (_result, error) => (error ? [] : ["Baseline"]) },
    getRunDistribution: { providesTags: ofRun },
    // Formats change with a new version of the server only.
    listExportFormats: { keepUnusedDataFor: 3600 },
    listItems: PASS_THROUGH,
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
  order: "asc" | "desc";
}

const FOUND_PER_PAGE = 200;

export const runsApi = tagged.injectEndpoints({
  endpoints: (build) => ({
    /** `GET /api/runs` page by page, by cursor. */
    runPages: build.infiniteQuery<RunPage, RunFilter, string | null>({
      query: ({ queryArg, pageParam }) => ({
        url: "/api/runs",
        params: {
          status: queryArg.status,
          created_from: queryArg.createdFrom,
          created_before: queryArg.createdBefore,
          tag: queryArg.tag,
          q: queryArg.q,
          provider_id: queryArg.providerId,
          limit: 50,
          cursor: pageParam,
        },
      }),
      infiniteQueryOptions: {
        initialPageParam: null,
        getNextPageParam: (lastPage) => lastPage.next_cursor ?? undefined,
      },
      providesTags: ["RunList"],
    }),
    /** The filtered items in the given order, page by page. */
    foundItems: build.infiniteQuery<ItemPage, FoundItems, string | null>({
      query: ({ queryArg: { runId, filter, sort, order }, pageParam }) => ({
        url: `/api/runs/${encodeURIComponent(runId)}/items`,
        params: { ...itemParams(filter), sort, order, limit: FOUND_PER_PAGE, cursor: pageParam },
      }),
      infiniteQueryOptions: {
        initialPageParam: null,
        getNextPageParam: (lastPage) => lastPage.next_cursor ?? undefined,
      },
      keepUnusedDataFor: 0,
    }),
  }),
});

export const {
  useRunPagesInfiniteQuery,
  useFoundItemsInfiniteQuery,
  useCountItemsQuery,
  useListItemsQuery,
  useListRunsQuery,
  useListQueueQuery,
  useMoveRunMutation,
  useGetRunQuery,
  useLazyGetRunQuery,
  useGetItemQuery,
  useGetRunDistributionQuery,
  useListExportFormatsQuery,
  useCreateRunMutation,
  useChangeRunMutation,
  useDeleteRunMutation,
  usePauseRunMutation,
  useResumeRunMutation,
  useCancelRunMutation,
  useRetryFailedMutation,
  useRetryJudgingMutation,
  useAddEvaluatorsMutation,
  usePromoteRevisionMutation,
  useDecideGatesMutation,
  useListBaselinesQuery,
  useCreateBaselineMutation,
  usePromoteToBaselineMutation,
  useGetBaselineHistoryQuery,
  useCreateGateMutation,
  useDeleteGateMutation,
} = runsApi;

/** Return the formats that apply to a run: some need exactly one target. */
export function exportFormatsOf(formats: readonly ExportFormatOut[], run: Pick<RunSummary, "targets" | "evaluators">, filter: ItemFilter = {}): ExportFormatOut[] {
  const isOneTarget = run.targets.length === 1 || filter.targetId?.length === 1;
  return formats.filter(({ one_target: oneTarget, evaluator }) => (!oneTarget || isOneTarget) && (!evaluator || run.evaluators.some(({ kind }) => kind === evaluator)));
}

/** Return the URL of an export of the filtered items. */
export function exportUrl(runId: string, format: string, filter: ItemFilter = {}): string {
  return `/api/runs/${encodeURIComponent(runId)}/export?${serializeParams({ format, ...itemParams(filter) })}`;
}
