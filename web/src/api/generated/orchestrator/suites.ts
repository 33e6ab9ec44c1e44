import { baseApi as api } from "../../base-api";
import type {
  ListBenchmarkSuitesApiResponse,
  ListBenchmarkSuitesApiArg,
  StartBenchmarkApiResponse,
  StartBenchmarkApiArg,
  GetBenchmarkApiResponse,
  GetBenchmarkApiArg,
  GetSuiteOfRunApiResponse,
  GetSuiteOfRunApiArg,
  GetLeaderboardApiResponse,
  GetLeaderboardApiArg,
} from "../orchestrator";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listBenchmarkSuites: build.query<
      ListBenchmarkSuitesApiResponse,
      ListBenchmarkSuitesApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/benchmarks/suites`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    startBenchmark: build.mutation<
      StartBenchmarkApiResponse,
      StartBenchmarkApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/benchmarks/runs`,
        method: "POST",
        body: queryArg.startBenchmark,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
        params: {
          dry_run: queryArg.dryRun,
        },
      }),
    }),
    getBenchmark: build.query<GetBenchmarkApiResponse, GetBenchmarkApiArg>({
      query: (queryArg) => ({
        url: `/v1/benchmarks/runs/${encodeURIComponent(String(queryArg.runId))}`,
      }),
    }),
    getSuiteOfRun: build.query<GetSuiteOfRunApiResponse, GetSuiteOfRunApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/suite`,
      }),
    }),
    getLeaderboard: build.query<
      GetLeaderboardApiResponse,
      GetLeaderboardApiArg
    >({
      query: (queryArg) => ({
        url: `/api/leaderboards`,
        params: {
          suite: queryArg.suite,
          version: queryArg.version,
          provider_id: queryArg.providerId,
          since: queryArg.since,
          category: queryArg.category,
          tag: queryArg.tag,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as orchestratorApi };
export const {
  useListBenchmarkSuitesQuery,
  useStartBenchmarkMutation,
  useGetBenchmarkQuery,
  useGetSuiteOfRunQuery,
  useGetLeaderboardQuery,
} = injectedRtkApi;
