/** Runs as the app uses them: the generated client plus cache tags and paging. */

import type { ListRunsApiArg, RunPage } from "./generated/orchestrator";
import { orchestratorApi } from "./generated/orchestrator/runs";

export type RunFilter = Pick<ListRunsApiArg, "status" | "createdFrom" | "createdBefore" | "tag" | "q" | "providerId" | "suite">;

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
        params: {
          status: queryArg.status,
          created_from: queryArg.createdFrom,
          created_before: queryArg.createdBefore,
          tag: queryArg.tag,
          q: queryArg.q,
          provider_id: queryArg.providerId,
          suite: queryArg.suite,
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
  }),
});

export const {
  useRunPagesInfiniteQuery,
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
