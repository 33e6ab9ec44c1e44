import { baseApi as api } from "../../base-api";
import type {
  CreateEvaluationApiResponse,
  CreateEvaluationApiArg,
  ListEvaluationsApiResponse,
  ListEvaluationsApiArg,
  CreateEvaluationBatchApiResponse,
  CreateEvaluationBatchApiArg,
  GetEvaluationBatchApiResponse,
  GetEvaluationBatchApiArg,
  GetEvaluationApiResponse,
  GetEvaluationApiArg,
} from "../orchestrator";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    createEvaluation: build.mutation<
      CreateEvaluationApiResponse,
      CreateEvaluationApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/evaluations`,
        method: "POST",
        body: queryArg.createEvaluation,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    listEvaluations: build.query<
      ListEvaluationsApiResponse,
      ListEvaluationsApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/evaluations`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
          status: queryArg.status,
          type: queryArg["type"],
          dataset_version_id: queryArg.datasetVersionId,
          experiment_id: queryArg.experimentId,
          created_after: queryArg.createdAfter,
          created_before: queryArg.createdBefore,
        },
      }),
    }),
    createEvaluationBatch: build.mutation<
      CreateEvaluationBatchApiResponse,
      CreateEvaluationBatchApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/evaluations/batch`,
        method: "POST",
        body: queryArg.createBatch,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    getEvaluationBatch: build.query<
      GetEvaluationBatchApiResponse,
      GetEvaluationBatchApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/evaluations/batch/${encodeURIComponent(String(queryArg.jobId))}`,
      }),
    }),
    getEvaluation: build.query<GetEvaluationApiResponse, GetEvaluationApiArg>({
      query: (queryArg) => ({
        url: `/v1/evaluations/${encodeURIComponent(String(queryArg.evaluationId))}`,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as orchestratorApi };
export const {
  useCreateEvaluationMutation,
  useListEvaluationsQuery,
  useCreateEvaluationBatchMutation,
  useGetEvaluationBatchQuery,
  useGetEvaluationQuery,
} = injectedRtkApi;
