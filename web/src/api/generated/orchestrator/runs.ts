import { baseApi as api } from "../../base-api";
import type {
  CreateRunApiResponse,
  CreateRunApiArg,
  ListRunsApiResponse,
  ListRunsApiArg,
  ChangeRunApiResponse,
  ChangeRunApiArg,
  DeleteRunApiResponse,
  DeleteRunApiArg,
  GetRunApiResponse,
  GetRunApiArg,
  MoveRunApiResponse,
  MoveRunApiArg,
  PauseRunApiResponse,
  PauseRunApiArg,
  ResumeRunApiResponse,
  ResumeRunApiArg,
  CancelRunApiResponse,
  CancelRunApiArg,
  RetryFailedApiResponse,
  RetryFailedApiArg,
  RetryJudgingApiResponse,
  RetryJudgingApiArg,
  AddEvaluatorsApiResponse,
  AddEvaluatorsApiArg,
  PromoteRevisionApiResponse,
  PromoteRevisionApiArg,
  DecideGatesApiResponse,
  DecideGatesApiArg,
  ListOverrulingsApiResponse,
  ListOverrulingsApiArg,
  OverruleScoreApiResponse,
  OverruleScoreApiArg,
  WithdrawOverrulingApiResponse,
  WithdrawOverrulingApiArg,
  TagRunsApiResponse,
  TagRunsApiArg,
  DeleteRunsApiResponse,
  DeleteRunsApiArg,
  ListRunGroupsApiResponse,
  ListRunGroupsApiArg,
  ListQueueApiResponse,
  ListQueueApiArg,
} from "../orchestrator";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    createRun: build.mutation<CreateRunApiResponse, CreateRunApiArg>({
      query: (queryArg) => ({
        url: `/api/runs`,
        method: "POST",
        body: queryArg.createRun,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    listRuns: build.query<ListRunsApiResponse, ListRunsApiArg>({
      query: (queryArg) => ({
        url: `/api/runs`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          status: queryArg.status,
          created_from: queryArg.createdFrom,
          created_before: queryArg.createdBefore,
          tag: queryArg.tag,
          type: queryArg["type"],
          q: queryArg.q,
          provider_id: queryArg.providerId,
          suite: queryArg.suite,
          has_tag: queryArg.hasTag,
          has_suite: queryArg.hasSuite,
          sort: queryArg.sort,
          order: queryArg.order,
        },
      }),
    }),
    changeRun: build.mutation<ChangeRunApiResponse, ChangeRunApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}`,
        method: "PATCH",
        body: queryArg.changeRun,
      }),
    }),
    deleteRun: build.mutation<DeleteRunApiResponse, DeleteRunApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}`,
        method: "DELETE",
      }),
    }),
    getRun: build.query<GetRunApiResponse, GetRunApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}`,
        params: {
          include: queryArg.include,
        },
      }),
    }),
    moveRun: build.mutation<MoveRunApiResponse, MoveRunApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/move`,
        method: "POST",
        body: queryArg.moveRun,
      }),
    }),
    pauseRun: build.mutation<PauseRunApiResponse, PauseRunApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/pause`,
        method: "POST",
      }),
    }),
    resumeRun: build.mutation<ResumeRunApiResponse, ResumeRunApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/resume`,
        method: "POST",
        body: queryArg.body,
      }),
    }),
    cancelRun: build.mutation<CancelRunApiResponse, CancelRunApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/cancel`,
        method: "POST",
      }),
    }),
    retryFailed: build.mutation<RetryFailedApiResponse, RetryFailedApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/retry-failed`,
        method: "POST",
        body: queryArg.body,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    retryJudging: build.mutation<RetryJudgingApiResponse, RetryJudgingApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/retry-judging`,
        method: "POST",
        body: queryArg.body,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    addEvaluators: build.mutation<
      AddEvaluatorsApiResponse,
      AddEvaluatorsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/evaluators`,
        method: "POST",
        body: queryArg.addEvaluators,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    promoteRevision: build.mutation<
      PromoteRevisionApiResponse,
      PromoteRevisionApiArg
    >({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/promote`,
        method: "POST",
        body: queryArg.promoteRevision,
      }),
    }),
    decideGates: build.mutation<DecideGatesApiResponse, DecideGatesApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/decide-gates`,
        method: "POST",
      }),
    }),
    listOverrulings: build.query<
      ListOverrulingsApiResponse,
      ListOverrulingsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/items/${encodeURIComponent(String(queryArg.itemId))}/overrulings`,
      }),
    }),
    overruleScore: build.mutation<
      OverruleScoreApiResponse,
      OverruleScoreApiArg
    >({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/items/${encodeURIComponent(String(queryArg.itemId))}/overrulings/${encodeURIComponent(String(queryArg.revisionId))}`,
        method: "PUT",
        body: queryArg.overrule,
      }),
    }),
    withdrawOverruling: build.mutation<
      WithdrawOverrulingApiResponse,
      WithdrawOverrulingApiArg
    >({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/items/${encodeURIComponent(String(queryArg.itemId))}/overrulings/${encodeURIComponent(String(queryArg.revisionId))}`,
        method: "DELETE",
        params: {
          by: queryArg.by,
        },
      }),
    }),
    tagRuns: build.mutation<TagRunsApiResponse, TagRunsApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/tag`,
        method: "POST",
        body: queryArg.tagRuns,
      }),
    }),
    deleteRuns: build.mutation<DeleteRunsApiResponse, DeleteRunsApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/delete`,
        method: "POST",
        body: queryArg.deleteRuns,
      }),
    }),
    listRunGroups: build.query<ListRunGroupsApiResponse, ListRunGroupsApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/groups`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          status: queryArg.status,
          created_from: queryArg.createdFrom,
          created_before: queryArg.createdBefore,
          tag: queryArg.tag,
          type: queryArg["type"],
          q: queryArg.q,
          provider_id: queryArg.providerId,
          suite: queryArg.suite,
          has_tag: queryArg.hasTag,
          has_suite: queryArg.hasSuite,
          by: queryArg.by,
          time_zone: queryArg.timeZone,
        },
      }),
    }),
    listQueue: build.query<ListQueueApiResponse, ListQueueApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/queue`,
        params: {
          limit: queryArg.limit,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as orchestratorApi };
export const {
  useCreateRunMutation,
  useListRunsQuery,
  useChangeRunMutation,
  useDeleteRunMutation,
  useGetRunQuery,
  useMoveRunMutation,
  usePauseRunMutation,
  useResumeRunMutation,
  useCancelRunMutation,
  useRetryFailedMutation,
  useRetryJudgingMutation,
  useAddEvaluatorsMutation,
  usePromoteRevisionMutation,
  useDecideGatesMutation,
  useListOverrulingsQuery,
  useOverruleScoreMutation,
  useWithdrawOverrulingMutation,
  useTagRunsMutation,
  useDeleteRunsMutation,
  useListRunGroupsQuery,
  useListQueueQuery,
} = injectedRtkApi;
