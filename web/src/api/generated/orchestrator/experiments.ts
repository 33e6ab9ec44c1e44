import { baseApi as api } from "../../base-api";
import type {
  ListExperimentsApiResponse,
  ListExperimentsApiArg,
  CreateExperimentApiResponse,
  CreateExperimentApiArg,
  PlanExperimentApiResponse,
  PlanExperimentApiArg,
  GetExperimentApiResponse,
  GetExperimentApiArg,
  UpdateExperimentApiResponse,
  UpdateExperimentApiArg,
  DeleteExperimentApiResponse,
  DeleteExperimentApiArg,
  StartExperimentApiResponse,
  StartExperimentApiArg,
  PauseExperimentApiResponse,
  PauseExperimentApiArg,
  ResumeExperimentApiResponse,
  ResumeExperimentApiArg,
  ConcludeExperimentApiResponse,
  ConcludeExperimentApiArg,
  ArchiveExperimentApiResponse,
  ArchiveExperimentApiArg,
  ListExperimentRoundsApiResponse,
  ListExperimentRoundsApiArg,
  GetExperimentResultsApiResponse,
  GetExperimentResultsApiArg,
  ListExperimentLooksApiResponse,
  ListExperimentLooksApiArg,
  ListExperimentCasesApiResponse,
  ListExperimentCasesApiArg,
  GetExperimentRecordApiResponse,
  GetExperimentRecordApiArg,
  AssignUnitsApiResponse,
  AssignUnitsApiArg,
  AddObservationsApiResponse,
  AddObservationsApiArg,
} from "../orchestrator";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listExperiments: build.query<
      ListExperimentsApiResponse,
      ListExperimentsApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/experiments`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
          status: queryArg.status,
          type: queryArg["type"],
          search: queryArg.search,
        },
      }),
    }),
    createExperiment: build.mutation<
      CreateExperimentApiResponse,
      CreateExperimentApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/experiments`,
        method: "POST",
        body: queryArg.experimentIn,
      }),
    }),
    planExperiment: build.mutation<
      PlanExperimentApiResponse,
      PlanExperimentApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/experiments/plan`,
        method: "POST",
        body: queryArg.planExperiment,
      }),
    }),
    getExperiment: build.query<GetExperimentApiResponse, GetExperimentApiArg>({
      query: (queryArg) => ({
        url: `/v1/experiments/${encodeURIComponent(String(queryArg.experimentId))}`,
      }),
    }),
    updateExperiment: build.mutation<
      UpdateExperimentApiResponse,
      UpdateExperimentApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/experiments/${encodeURIComponent(String(queryArg.experimentId))}`,
        method: "PUT",
        body: queryArg.experimentIn,
        headers: {
          "if-match": queryArg["if-match"],
        },
      }),
    }),
    deleteExperiment: build.mutation<
      DeleteExperimentApiResponse,
      DeleteExperimentApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/experiments/${encodeURIComponent(String(queryArg.experimentId))}`,
        method: "DELETE",
      }),
    }),
    startExperiment: build.mutation<
      StartExperimentApiResponse,
      StartExperimentApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/experiments/${encodeURIComponent(String(queryArg.experimentId))}/start`,
        method: "POST",
      }),
    }),
    pauseExperiment: build.mutation<
      PauseExperimentApiResponse,
      PauseExperimentApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/experiments/${encodeURIComponent(String(queryArg.experimentId))}/pause`,
        method: "POST",
      }),
    }),
    resumeExperiment: build.mutation<
      ResumeExperimentApiResponse,
      ResumeExperimentApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/experiments/${encodeURIComponent(String(queryArg.experimentId))}/resume`,
        method: "POST",
      }),
    }),
    concludeExperiment: build.mutation<
      ConcludeExperimentApiResponse,
      ConcludeExperimentApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/experiments/${encodeURIComponent(String(queryArg.experimentId))}/conclude`,
        method: "POST",
        body: queryArg.concludeIn,
      }),
    }),
    archiveExperiment: build.mutation<
      ArchiveExperimentApiResponse,
      ArchiveExperimentApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/experiments/${encodeURIComponent(String(queryArg.experimentId))}/archive`,
        method: "POST",
      }),
    }),
    listExperimentRounds: build.query<
      ListExperimentRoundsApiResponse,
      ListExperimentRoundsApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/experiments/${encodeURIComponent(String(queryArg.experimentId))}/rounds`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    getExperimentResults: build.query<
      GetExperimentResultsApiResponse,
      GetExperimentResultsApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/experiments/${encodeURIComponent(String(queryArg.experimentId))}/results`,
      }),
    }),
    listExperimentLooks: build.query<
      ListExperimentLooksApiResponse,
      ListExperimentLooksApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/experiments/${encodeURIComponent(String(queryArg.experimentId))}/looks`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    listExperimentCases: build.query<
      ListExperimentCasesApiResponse,
      ListExperimentCasesApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/experiments/${encodeURIComponent(String(queryArg.experimentId))}/cases`,
        params: {
          variant_id: queryArg.variantId,
          baseline_id: queryArg.baselineId,
          order: queryArg.order,
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    getExperimentRecord: build.query<
      GetExperimentRecordApiResponse,
      GetExperimentRecordApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/experiments/${encodeURIComponent(String(queryArg.experimentId))}/record`,
        params: {
          format: queryArg.format,
        },
      }),
    }),
    assignUnits: build.mutation<AssignUnitsApiResponse, AssignUnitsApiArg>({
      query: (queryArg) => ({
        url: `/v1/experiments/${encodeURIComponent(String(queryArg.experimentId))}/assign`,
        method: "POST",
        body: queryArg.assignIn,
      }),
    }),
    addObservations: build.mutation<
      AddObservationsApiResponse,
      AddObservationsApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/experiments/${encodeURIComponent(String(queryArg.experimentId))}/observations`,
        method: "POST",
        body: queryArg.observationsIn,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as orchestratorApi };
export const {
  useListExperimentsQuery,
  useCreateExperimentMutation,
  usePlanExperimentMutation,
  useGetExperimentQuery,
  useUpdateExperimentMutation,
  useDeleteExperimentMutation,
  useStartExperimentMutation,
  usePauseExperimentMutation,
  useResumeExperimentMutation,
  useConcludeExperimentMutation,
  useArchiveExperimentMutation,
  useListExperimentRoundsQuery,
  useGetExperimentResultsQuery,
  useListExperimentLooksQuery,
  useListExperimentCasesQuery,
  useGetExperimentRecordQuery,
  useAssignUnitsMutation,
  useAddObservationsMutation,
} = injectedRtkApi;
