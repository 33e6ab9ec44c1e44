import { baseApi as api } from "../../base-api";
import type {
  ListItemsApiResponse,
  ListItemsApiArg,
  CountItemsApiResponse,
  CountItemsApiArg,
  ListItemExcerptsApiResponse,
  ListItemExcerptsApiArg,
  GetItemApiResponse,
  GetItemApiArg,
  GetRunDistributionApiResponse,
  GetRunDistributionApiArg,
  ListFailuresApiResponse,
  ListFailuresApiArg,
  ReadRunLogApiResponse,
  ReadRunLogApiArg,
  ListRunEventsApiResponse,
  ListRunEventsApiArg,
  ExportRunApiResponse,
  ExportRunApiArg,
  ListExportFormatsApiResponse,
  ListExportFormatsApiArg,
  GetTrendApiResponse,
  GetTrendApiArg,
  ListTrendNamesApiResponse,
  ListTrendNamesApiArg,
} from "../orchestrator";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listItems: build.query<ListItemsApiResponse, ListItemsApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/items`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          status: queryArg.status,
          target_id: queryArg.targetId,
          model: queryArg.model,
          category: queryArg.category,
          tag: queryArg.tag,
          suite_task: queryArg.suiteTask,
          task_id: queryArg.taskId,
          conversation_id: queryArg.conversationId,
          failure_kind: queryArg.failureKind,
          failure_cause: queryArg.failureCause,
          failure_phase: queryArg.failurePhase,
          score_min: queryArg.scoreMin,
          score_max: queryArg.scoreMax,
          overall_min: queryArg.overallMin,
          overall_below: queryArg.overallBelow,
          time_min: queryArg.timeMin,
          time_below: queryArg.timeBelow,
          passed: queryArg.passed,
          evaluator: queryArg.evaluator,
          outcome: queryArg.outcome,
          cached: queryArg.cached,
          cut: queryArg.cut,
          finish_reason: queryArg.finishReason,
          answer_kind: queryArg.answerKind,
          q: queryArg.q,
          sort: queryArg.sort,
          order: queryArg.order,
          evaluator_revision_id: queryArg.evaluatorRevisionId,
        },
      }),
    }),
    countItems: build.query<CountItemsApiResponse, CountItemsApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/items/count`,
        params: {
          status: queryArg.status,
          target_id: queryArg.targetId,
          model: queryArg.model,
          category: queryArg.category,
          tag: queryArg.tag,
          suite_task: queryArg.suiteTask,
          task_id: queryArg.taskId,
          conversation_id: queryArg.conversationId,
          failure_kind: queryArg.failureKind,
          failure_cause: queryArg.failureCause,
          failure_phase: queryArg.failurePhase,
          score_min: queryArg.scoreMin,
          score_max: queryArg.scoreMax,
          overall_min: queryArg.overallMin,
          overall_below: queryArg.overallBelow,
          time_min: queryArg.timeMin,
          time_below: queryArg.timeBelow,
          passed: queryArg.passed,
          evaluator: queryArg.evaluator,
          outcome: queryArg.outcome,
          cached: queryArg.cached,
          cut: queryArg.cut,
          finish_reason: queryArg.finishReason,
          answer_kind: queryArg.answerKind,
          q: queryArg.q,
        },
      }),
    }),
    listItemExcerpts: build.query<
      ListItemExcerptsApiResponse,
      ListItemExcerptsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/items/excerpts`,
        params: {
          item_id: queryArg.itemId,
        },
      }),
    }),
    getItem: build.query<GetItemApiResponse, GetItemApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/items/${encodeURIComponent(String(queryArg.itemId))}`,
      }),
    }),
    getRunDistribution: build.query<
      GetRunDistributionApiResponse,
      GetRunDistributionApiArg
    >({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/distribution`,
      }),
    }),
    listFailures: build.query<ListFailuresApiResponse, ListFailuresApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/failures`,
      }),
    }),
    readRunLog: build.query<ReadRunLogApiResponse, ReadRunLogApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/log`,
        params: {
          after: queryArg.after,
          limit: queryArg.limit,
        },
      }),
    }),
    listRunEvents: build.query<ListRunEventsApiResponse, ListRunEventsApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/events`,
        params: {
          from_seq: queryArg.fromSeq,
          limit: queryArg.limit,
        },
      }),
    }),
    exportRun: build.query<ExportRunApiResponse, ExportRunApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/export`,
        params: {
          format: queryArg.format,
          status: queryArg.status,
          target_id: queryArg.targetId,
          model: queryArg.model,
          category: queryArg.category,
          tag: queryArg.tag,
          suite_task: queryArg.suiteTask,
          task_id: queryArg.taskId,
          conversation_id: queryArg.conversationId,
          failure_kind: queryArg.failureKind,
          failure_cause: queryArg.failureCause,
          failure_phase: queryArg.failurePhase,
          score_min: queryArg.scoreMin,
          score_max: queryArg.scoreMax,
          overall_min: queryArg.overallMin,
          overall_below: queryArg.overallBelow,
          time_min: queryArg.timeMin,
          time_below: queryArg.timeBelow,
          passed: queryArg.passed,
          evaluator: queryArg.evaluator,
          outcome: queryArg.outcome,
          cached: queryArg.cached,
          cut: queryArg.cut,
          finish_reason: queryArg.finishReason,
          answer_kind: queryArg.answerKind,
          q: queryArg.q,
        },
      }),
    }),
    listExportFormats: build.query<
      ListExportFormatsApiResponse,
      ListExportFormatsApiArg
    >({
      query: () => ({ url: `/api/export-formats` }),
    }),
    getTrend: build.query<GetTrendApiResponse, GetTrendApiArg>({
      query: (queryArg) => ({
        url: `/api/trends`,
        params: {
          name: queryArg.name,
          suite: queryArg.suite,
          limit: queryArg.limit,
        },
      }),
    }),
    listTrendNames: build.query<
      ListTrendNamesApiResponse,
      ListTrendNamesApiArg
    >({
      query: (queryArg) => ({
        url: `/api/trends/names`,
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
  useListItemsQuery,
  useCountItemsQuery,
  useListItemExcerptsQuery,
  useGetItemQuery,
  useGetRunDistributionQuery,
  useListFailuresQuery,
  useReadRunLogQuery,
  useListRunEventsQuery,
  useExportRunQuery,
  useListExportFormatsQuery,
  useGetTrendQuery,
  useListTrendNamesQuery,
} = injectedRtkApi;
