/** The comparison endpoints as the app uses them: the cases page by page. */

import type {
  BenchmarksCompared,
  ComparedCases,
  CompareBenchmarks,
  GateChoice,
  GateOut,
  ListComparedCasesApiArg,
  RunDetail,
} from "./generated/orchestrator";
import { orchestratorApi } from "./generated/orchestrator/comparisons";

export type CaseQuery = Omit<ListComparedCasesApiArg, "limit" | "cursor">;

const CASES_PER_PAGE = 100;

export const comparisonsApi = orchestratorApi.injectEndpoints({
  endpoints: (build) => ({
    /** `GET /api/comparisons/cases` page by page, by cursor. */
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
    /** Pairs of targets of two runs, with their verdicts: requested by POST, and cached like a GET. */
    pairedRuns: build.query<BenchmarksCompared, CompareBenchmarks>({
      query: (body) => ({ url: "/v1/benchmarks/compare", method: "POST", body }),
      keepUnusedDataFor: 0,
    }),
    /** A gate over a comparison, also requested by POST. */
    gateOf: build.query<GateOut, CompareBenchmarks & { gate: GateChoice }>({
      query: (body) => ({ url: "/v1/benchmarks/compare", method: "POST", body }),
      transformResponse: (compared: BenchmarksCompared) => compared.gate as GateOut,
      keepUnusedDataFor: 0,
    }),
    /** Return several runs in the given order. */
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

export const { useGateOfQuery, usePairedRunsQuery, useCompareCategoriesQuery, useCompareColumnsQuery, usePairScoresQuery, useComparedCasePagesInfiniteQuery, useRunsByIdQuery } = comparisonsApi;
