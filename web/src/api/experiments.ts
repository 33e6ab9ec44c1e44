/** The experiment endpoints as the app uses them: the generated client plus cache tags. */

import type { ExperimentPlan, PlanExperiment } from "./generated/orchestrator";
import { orchestratorApi } from "./generated/orchestrator/experiments";

const LIST = "ExperimentList" as const;
const ofExperiment = (_result: unknown, _error: unknown, { experimentId }: { experimentId: string }) => [{ type: "Experiment" as const, id: experimentId }];
const changed = (_result: unknown, error: unknown, { experimentId }: { experimentId: string }) => (error ? [] : [LIST, { type: "Experiment" as const, id: experimentId }]);

const tagged = orchestratorApi.enhanceEndpoints({
  addTagTypes: [LIST, "Experiment"],
  endpoints: {
    listExperiments: { providesTags: [LIST] },
    getExperiment: { providesTags: ofExperiment },
    listExperimentRounds: { providesTags: ofExperiment },
    getExperimentResults: { providesTags: ofExperiment },
    listExperimentLooks: { providesTags: ofExperiment },
    listExperimentCases: { providesTags: ofExperiment },
    createExperiment: { invalidatesTags: (_result, error) => (error ? [] : [LIST]) },
    updateExperiment: { invalidatesTags: changed },
    startExperiment: { invalidatesTags: changed },
    pauseExperiment: { invalidatesTags: changed },
    resumeExperiment: { invalidatesTags: changed },
    concludeExperiment: { invalidatesTags: changed },
    archiveExperiment: { invalidatesTags: changed },
    // The deleted experiment's own tag stays valid: refetching it would answer 404.
    deleteExperiment: { invalidatesTags: (_result, error) => (error ? [] : [LIST]) },
  },
});

export const experimentsApi = tagged.injectEndpoints({
  endpoints: (build) => ({
    /** `POST /v1/experiments/plan` as a query, because it stores nothing. */
    experimentPlan: build.query<ExperimentPlan, PlanExperiment>({
      query: (body) => ({ url: "/v1/experiments/plan", method: "POST", body }),
      keepUnusedDataFor: 5,
    }),
    /** The decision record as Markdown. */
    experimentRecord: build.query<string, { experimentId: string }>({
      query: ({ experimentId }) => ({ url: recordUrl(experimentId, "markdown"), responseHandler: "text" }),
      providesTags: ofExperiment,
    }),
  }),
});

export const recordUrl = (experimentId: string, format: "markdown" | "json") => `/v1/experiments/${encodeURIComponent(experimentId)}/record?format=${format}`;

export const {
  useListExperimentsQuery,
  useGetExperimentQuery,
  useExperimentPlanQuery,
  useListExperimentRoundsQuery,
  useGetExperimentResultsQuery,
  useListExperimentLooksQuery,
  useListExperimentCasesQuery,
  useExperimentRecordQuery,
  useCreateExperimentMutation,
  useUpdateExperimentMutation,
  useDeleteExperimentMutation,
  useStartExperimentMutation,
  usePauseExperimentMutation,
  useResumeExperimentMutation,
  useConcludeExperimentMutation,
  useArchiveExperimentMutation,
} = experimentsApi;
