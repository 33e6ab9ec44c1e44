/** The comparison endpoints as the app uses them: the cases page after page. */

import { orchestratorApi, type ComparedCases, type ListComparedCasesApiArg, type RunDetail } from "./generated/orchestrator";

export type CaseQuery = Omit<ListComparedCasesApiArg, "limit" | "cursor">;

const CASES_PER_PAGE = 100;

export const comparisonsApi = orchestratorApi.injectEndpoints({
  endpoints: (build) => ({
    /** `GET /api/comparisons/cases` page after page, by its cursor. */
    comparedCasePages: build.infiniteQuery<ComparedCases, CaseQuery, string | null>({
      query: ({ queryArg, pageParam }) => ({
        url: "/api/comparisons/cases",
        params: { ...queryArg, limit: CASES_PER_PAGE, cursor: pageParam },
      }),
      infiniteQueryOptions: {
        initialPageParam: null,
        getNextPageParam: (lastPage) => lastPage.next_cursor ?? undefined,
      },
      keepUnusedDataFor: 0,
    }),
    /** Some runs at once, in the order asked for. */
    runsById: build.query<RunDetail[], readonly string[]>({
      queryFn: async (ids, _api, _options, ask) => {
        const answers = await Promise.all(ids.map((id) => ask(`/api/runs/${encodeURIComponent(id)}`)));
        const error = answers.find((one) => one.error)?.error;
        return error ? { error } : { data: answers.map((one) => one.data as RunDetail) };
      },
      keepUnusedDataFor: 0,
    }),
  }),
});

export const { useCompareColumnsQuery, useComparedCasePagesInfiniteQuery, useRunsByIdQuery } = comparisonsApi;
