/** The run endpoints as the app uses them: the generated client plus cache tags and paging. */

import { orchestratorApi, type RunEvents, type RunPage, type RunStatus } from "./generated/orchestrator";

export type RunEvent = RunEvents["events"][number];

/** Rows and events live in the live store: the query cache only carries them there. */
const PASS_THROUGH = { keepUnusedDataFor: 0, structuralSharing: false } as const;

const tagged = orchestratorApi.enhanceEndpoints({
  addTagTypes: ["RunList", "Run", "Item"],
  endpoints: {
    getRun: { providesTags: (_result, _error, { runId }) => [{ type: "Run", id: runId }] },
    getItem: { providesTags: (_result, _error, { itemId }) => [{ type: "Item", id: itemId }] },
    pauseRun: { invalidatesTags: (_result, _error, { runId }) => [{ type: "Run", id: runId }] },
    resumeRun: { invalidatesTags: (_result, _error, { runId }) => [{ type: "Run", id: runId }] },
    cancelRun: { invalidatesTags: (_result, _error, { runId }) => [{ type: "Run", id: runId }] },
    listItems: PASS_THROUGH,
    listRunEvents: PASS_THROUGH,
  },
});

export const runsApi = tagged.injectEndpoints({
  endpoints: (build) => ({
    /** `GET /api/runs` page after page, by its cursor. */
    runPages: build.infiniteQuery<RunPage, { status: RunStatus[] }, string | null>({
      query: ({ queryArg, pageParam }) => ({
        url: "/api/runs",
        params: { status: queryArg.status, limit: 50, cursor: pageParam },
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
  useGetRunQuery,
  useGetItemQuery,
  usePauseRunMutation,
  useResumeRunMutation,
  useCancelRunMutation,
} = runsApi;

/** Everything of a run, as it stands on the server. */
export function exportUrl(runId: string): string {
  return `/api/runs/${encodeURIComponent(runId)}/export?format=csv`;
}
