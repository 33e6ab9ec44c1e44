/** The suite endpoints as the app uses them: the generated clients plus cache tags. */

import { configApi } from "./generated/config-api/suites";
import { orchestratorApi } from "./generated/orchestrator/suites";

const suitesApi = configApi.enhanceEndpoints({
  addTagTypes: ["Suite"],
  endpoints: {
    listSuites: { providesTags: ["Suite"] },
    getSuite: { providesTags: ["Suite"] },
    listSuiteVersions: { providesTags: ["Suite"] },
    createSuite: { invalidatesTags: (_result, error) => (error ? [] : ["Suite"]) },
    updateSuite: { invalidatesTags: (_result, error) => (error ? [] : ["Suite"]) },
    createSuiteVersion: { invalidatesTags: (_result, error) => (error ? [] : ["Suite"]) },
    publishSuite: { invalidatesTags: (_result, error) => (error ? [] : ["Suite"]) },
  },
});

const suiteRunsApi = orchestratorApi.enhanceEndpoints({
  addTagTypes: ["RunList"],
  endpoints: {
    startBenchmark: { invalidatesTags: (_result, error, { dryRun }) => (error || dryRun ? [] : ["RunList"]) },
  },
});

export const {
  useListSuitesQuery,
  useGetSuiteQuery,
  useListSuiteVersionsQuery,
  useCreateSuiteMutation,
  useUpdateSuiteMutation,
  useCreateSuiteVersionMutation,
  usePublishSuiteMutation,
} = suitesApi;
export const { useStartBenchmarkMutation, useGetSuiteOfRunQuery, useGetLeaderboardQuery } = suiteRunsApi;
