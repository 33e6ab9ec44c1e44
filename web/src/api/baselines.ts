/** Baselines and gates as the app uses them: the generated client plus cache tags. */

import { orchestratorApi } from "./generated/orchestrator/baselines";

export const {
  useListBaselinesQuery,
  useCreateBaselineMutation,
  usePromoteToBaselineMutation,
  useGetBaselineHistoryQuery,
  useCreateGateMutation,
  useChangeGateMutation,
  useDeleteGateMutation,
  useCheckSavedGateMutation,
  useDeleteBaselineMutation,
} = orchestratorApi.enhanceEndpoints({
  addTagTypes: ["Baseline"],
  endpoints: {
    listBaselines: { providesTags: ["Baseline"] },
    createBaseline: { invalidatesTags: (_result, error) => (error ? [] : ["Baseline"]) },
    promoteToBaseline: { invalidatesTags: (_result, error) => (error ? [] : ["Baseline"]) },
    getBaselineHistory: { providesTags: ["Baseline"] },
    createGate: { invalidatesTags: (_result, error) => (error ? [] : ["Baseline"]) },
    changeGate: { invalidatesTags: (_result, error) => (error ? [] : ["Baseline"]) },
    deleteBaseline: { invalidatesTags: (_result, error) => (error ? [] : ["Baseline"]) },
    deleteGate: { invalidatesTags: (_result, error) => (error ? [] : ["Baseline"]) },
  },
});
