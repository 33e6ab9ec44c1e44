/** Runs as the app uses them: the generated client plus cache tags and paging. */

import type { ListRunGroupsApiArg, ListRunsApiArg, RunGroups, RunPage } from "./generated/orchestrator";
import { orchestratorApi } from "./generated/orchestrator/runs";

export type RunFilter = Pick<ListRunsApiArg, "status" | "createdFrom" | "createdBefore" | "tag" | "q" | "providerId" | "suite" | "hasTag" | "hasSuite" | "sort" | "order">;
export type GroupFilter = Omit<RunFilter, "sort" | "order"> & Pick<ListRunGroupsApiArg, "by" | "timeZone">;

const asParams = (chosen: Omit<RunFilter, "sort" | "order">) => ({
  status: chosen.status,
  created_from: chosen.createdFrom,
  created_before: chosen.createdBefore,
  tag: chosen.tag,
  q: chosen.q,
  provider_id: chosen.providerId,
  suite: chosen.suite,
  has_tag: chosen.hasTag,
  has_suite: chosen.hasSuite,
});

const ofRun = (_result: unknown, _error: unknown, { runId }: { runId: string }) => [{ type: "Run" as const, id: runId }];

const tagged = orchestratorApi.enhanceEndpoints({
  addTagTypes: ["RunList", "Run", "Item"],
  endpoints: {
    getRun: { providesTags: ofRun },
    listRuns: { providesTags: ["RunList"] },
    listQueue: { providesTags: ["RunList"] },
    moveRun: { invalidatesTags: (_result, _error, { runId }) => ["RunList", { type: "Run", id: runId }] },
    createRun: { invalidatesTags: ["RunList"] },
    changeRun: { invalidatesTags: (_result, _error, { runId }) => ["RunList", { type: "Run", id: runId }] },
    // The deleted run's own tag stays valid: refetching it would answer 404.
    deleteRuns: { invalidatesTags: (_result, error) => (error ? [] : ["RunList"]) },
    tagRuns: { invalidatesTags: (_result, error, { tagRuns: { run_ids: ids } }) => (error ? [] : ["RunList", ...ids.map((id) => ({ type: "Run" as const, id }))]) },
    deleteRun: { invalidatesTags: (_result, error) => (error ? [] : ["RunList"]) },
    pauseRun: { invalidatesTags: ofRun },
    resumeRun: { invalidatesTags: ofRun },
    cancelRun: { invalidatesTags: (_result, _error, { runId }) => ["RunList", { type: "Run", id: runId }] },
    retryFailed: { invalidatesTags: ofRun },
    retryJudging: { invalidatesTags: ofRun },
    addEvaluators: { invalidatesTags: ofRun },
    promoteRevision: { invalidatesTags: (_result, _error, { runId }) => ["RunList", "Item", { type: "Run", id: runId }] },
    decideGates: { invalidatesTags: ofRun },
  },
});

export const runsApi = tagged.injectEndpoints({
  endpoints: (build) => ({
    /** `GET /api/runs` page by page, by cursor. */
    runPages: build.infiniteQuery<RunPage, RunFilter, string | null>({
      query: ({ queryArg, pageParam }) => ({
        url: "/api/runs",
        params: { ...asParams(queryArg), sort: queryArg.sort, order: queryArg.order, limit: 50, cursor: pageParam },
      }),
      infiniteQueryOptions: {
        initialPageParam: null,
        getNextPageParam: (lastPage) => lastPage.next_cursor ?? undefined,
      },
      providesTags: ["RunList"],
    }),
    /** `GET /api/runs/groups` page by page. */
    groupPages: build.infiniteQuery<RunGroups, GroupFilter, string | null>({
      query: ({ queryArg, pageParam }) => ({
        url: "/api/runs/groups",
        params: { ...asParams(queryArg), by: queryArg.by, time_zone: queryArg.timeZone, limit: 50, cursor: pageParam },
      }),
      infiniteQueryOptions: {
        initialPageParam: null,
        getNextPageParam: (lastPage) => lastPage.next_cursor ?? undefined,
      },
      providesTags: ["RunList"],
    }),
  }),
});

export const {
  useRunPagesInfiniteQuery,
  useGroupPagesInfiniteQuery,
  useTagRunsMutation,
  useDeleteRunsMutation,
  useListRunsQuery,
  useListQueueQuery,
  useMoveRunMutation,
  useGetRunQuery,
  useLazyGetRunQuery,
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
} = runsApi;
