import { baseApi as api } from "../../base-api";
import type {
  CompareColumnsApiResponse,
  CompareColumnsApiArg,
  ListComparedCasesApiResponse,
  ListComparedCasesApiArg,
  ExportComparedCasesApiResponse,
  ExportComparedCasesApiArg,
  CompareCategoriesApiResponse,
  CompareCategoriesApiArg,
  PairScoresApiResponse,
  PairScoresApiArg,
  CompareBenchmarksApiResponse,
  CompareBenchmarksApiArg,
  CheckGateApiResponse,
  CheckGateApiArg,
  ReportComparisonApiResponse,
  ReportComparisonApiArg,
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
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          column: queryArg.column,
          baseline: queryArg.baseline,
          of: queryArg["of"],
          show: queryArg.show,
          category: queryArg.category,
          q: queryArg.q,
          sort: queryArg.sort,
          bin: queryArg.bin,
        },
      }),
    }),
    exportComparedCases: build.query<
      ExportComparedCasesApiResponse,
      ExportComparedCasesApiArg
    >({
      query: (queryArg) => ({
        url: `/api/comparisons/cases/export`,
        params: {
          column: queryArg.column,
          baseline: queryArg.baseline,
          of: queryArg["of"],
          show: queryArg.show,
          category: queryArg.category,
          q: queryArg.q,
          sort: queryArg.sort,
          bin: queryArg.bin,
        },
      }),
    }),
    compareCategories: build.query<
      CompareCategoriesApiResponse,
      CompareCategoriesApiArg
    >({
      query: (queryArg) => ({
        url: `/api/comparisons/categories`,
        params: {
          column: queryArg.column,
          baseline: queryArg.baseline,
        },
      }),
    }),
    pairScores: build.query<PairScoresApiResponse, PairScoresApiArg>({
      query: (queryArg) => ({
        url: `/api/comparisons/scores`,
        params: {
          column: queryArg.column,
          baseline: queryArg.baseline,
          of: queryArg["of"],
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
    reportComparison: build.query<
      ReportComparisonApiResponse,
      ReportComparisonApiArg
    >({
      query: (queryArg) => ({
        url: `/api/comparisons/report`,
        params: {
          column: queryArg.column,
          run: queryArg.run,
          pair: queryArg.pair,
          baseline: queryArg.baseline,
          cluster_by: queryArg.clusterBy,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as orchestratorApi };
export const {
  useCompareColumnsQuery,
  useListComparedCasesQuery,
  useExportComparedCasesQuery,
  useCompareCategoriesQuery,
  usePairScoresQuery,
  useCompareBenchmarksMutation,
  useCheckGateMutation,
  useReportComparisonQuery,
} = injectedRtkApi;
