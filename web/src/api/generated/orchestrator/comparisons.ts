import { baseApi as api } from "../../base-api";
import type {
  CompareColumnsApiResponse,
  CompareColumnsApiArg,
  ListComparedCasesApiResponse,
  ListComparedCasesApiArg,
  CompareBenchmarksApiResponse,
  CompareBenchmarksApiArg,
  CheckGateApiResponse,
  CheckGateApiArg,
} from "../orchestrator";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    compareColumns: build.query<
      CompareColumnsApiResponse,
      CompareColumnsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/comparisons`,
        params: {
          column: queryArg.column,
          baseline: queryArg.baseline,
          cluster_by: queryArg.clusterBy,
        },
      }),
    }),
    listComparedCases: build.query<
      ListComparedCasesApiResponse,
      ListComparedCasesApiArg
    >({
      query: (queryArg) => ({
        url: `/api/comparisons/cases`,
        params: {
          column: queryArg.column,
          baseline: queryArg.baseline,
          of: queryArg["of"],
          show: queryArg.show,
          category: queryArg.category,
          q: queryArg.q,
          sort: queryArg.sort,
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
    compareBenchmarks: build.mutation<
      CompareBenchmarksApiResponse,
      CompareBenchmarksApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/benchmarks/compare`,
        method: "POST",
        body: queryArg.compareBenchmarks,
      }),
    }),
    checkGate: build.mutation<CheckGateApiResponse, CheckGateApiArg>({
      query: (queryArg) => ({
        url: `/v1/benchmarks/check-gate`,
        method: "POST",
        body: queryArg.checkGate,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as orchestratorApi };
export const {
  useCompareColumnsQuery,
  useListComparedCasesQuery,
  useCompareBenchmarksMutation,
  useCheckGateMutation,
} = injectedRtkApi;
