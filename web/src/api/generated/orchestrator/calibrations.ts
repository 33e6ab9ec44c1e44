import { baseApi as api } from "../../base-api";
import type {
  ListCalibrationsApiResponse,
  ListCalibrationsApiArg,
  CreateCalibrationApiResponse,
  CreateCalibrationApiArg,
  ListJudgesOfRunsApiResponse,
  ListJudgesOfRunsApiArg,
  GetCalibrationApiResponse,
  GetCalibrationApiArg,
  RenameCalibrationApiResponse,
  RenameCalibrationApiArg,
  DeleteCalibrationApiResponse,
  DeleteCalibrationApiArg,
  ExportCalibrationApiResponse,
  ExportCalibrationApiArg,
  PlanLabelsApiResponse,
  PlanLabelsApiArg,
} from "../orchestrator";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listCalibrations: build.query<
      ListCalibrationsApiResponse,
      ListCalibrationsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/calibrations`,
        params: {
          run_id: queryArg.runId,
          evaluator_revision_id: queryArg.evaluatorRevisionId,
          annotation_task_id: queryArg.annotationTaskId,
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
    createCalibration: build.mutation<
      CreateCalibrationApiResponse,
      CreateCalibrationApiArg
    >({
      query: (queryArg) => ({
        url: `/api/calibrations`,
        method: "POST",
        body: queryArg.createCalibration,
      }),
    }),
    listJudgesOfRuns: build.query<
      ListJudgesOfRunsApiResponse,
      ListJudgesOfRunsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/calibrations/judges`,
        params: {
          run_id: queryArg.runId,
        },
      }),
    }),
    getCalibration: build.query<
      GetCalibrationApiResponse,
      GetCalibrationApiArg
    >({
      query: (queryArg) => ({
        url: `/api/calibrations/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    renameCalibration: build.mutation<
      RenameCalibrationApiResponse,
      RenameCalibrationApiArg
    >({
      query: (queryArg) => ({
        url: `/api/calibrations/${encodeURIComponent(String(queryArg.id))}`,
        method: "PATCH",
        body: queryArg.renameCalibration,
      }),
    }),
    deleteCalibration: build.mutation<
      DeleteCalibrationApiResponse,
      DeleteCalibrationApiArg
    >({
      query: (queryArg) => ({
        url: `/api/calibrations/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    exportCalibration: build.query<
      ExportCalibrationApiResponse,
      ExportCalibrationApiArg
    >({
      query: (queryArg) => ({
        url: `/api/calibrations/${encodeURIComponent(String(queryArg.id))}/export`,
        params: {
          format: queryArg.format,
        },
      }),
    }),
    planLabels: build.query<PlanLabelsApiResponse, PlanLabelsApiArg>({
      query: (queryArg) => ({
        url: `/api/calibrations/${encodeURIComponent(String(queryArg.id))}/plan`,
        params: {
          half_width: queryArg.halfWidth,
          measure: queryArg.measure,
          answers: queryArg.answers,
          label_cost: queryArg.labelCost,
          judge_cost: queryArg.judgeCost,
          budget: queryArg.budget,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as orchestratorApi };
export const {
  useListCalibrationsQuery,
  useCreateCalibrationMutation,
  useListJudgesOfRunsQuery,
  useGetCalibrationQuery,
  useRenameCalibrationMutation,
  useDeleteCalibrationMutation,
  useExportCalibrationQuery,
  usePlanLabelsQuery,
} = injectedRtkApi;
