import { baseApi as api } from "../base-api";
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
        },
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
    listItems: build.query<ListItemsApiResponse, ListItemsApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/items`,
        params: {
          sort: queryArg.sort,
          order: queryArg.order,
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          status: queryArg.status,
          target_id: queryArg.targetId,
          model: queryArg.model,
          category: queryArg.category,
          task_id: queryArg.taskId,
          conversation_id: queryArg.conversationId,
          failure_kind: queryArg.failureKind,
          failure_phase: queryArg.failurePhase,
          score_min: queryArg.scoreMin,
          score_max: queryArg.scoreMax,
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
    countItems: build.query<CountItemsApiResponse, CountItemsApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/items/count`,
        params: {
          status: queryArg.status,
          target_id: queryArg.targetId,
          model: queryArg.model,
          category: queryArg.category,
          task_id: queryArg.taskId,
          conversation_id: queryArg.conversationId,
          failure_kind: queryArg.failureKind,
          failure_phase: queryArg.failurePhase,
          score_min: queryArg.scoreMin,
          score_max: queryArg.scoreMax,
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
          task_id: queryArg.taskId,
          conversation_id: queryArg.conversationId,
          failure_kind: queryArg.failureKind,
          failure_phase: queryArg.failurePhase,
          score_min: queryArg.scoreMin,
          score_max: queryArg.scoreMax,
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
          column: queryArg.column,
          baseline: queryArg.baseline,
          of: queryArg["of"],
          show: queryArg.show,
          category: queryArg.category,
          q: queryArg.q,
          sort: queryArg.sort,
          limit: queryArg.limit,
          cursor: queryArg.cursor,
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
export type CreateRunApiResponse =
  /** status 201 Successful Response */ RunSummary;
export type CreateRunApiArg = {
  /** A text of your choice: the same request sent twice under it does its work once. */
  "Idempotency-Key"?: string | null;
  createRun: CreateRun;
};
export type ListRunsApiResponse = /** status 200 Successful Response */ RunPage;
export type ListRunsApiArg = {
  limit?: number;
  cursor?: string | null;
  status?: RunStatus[] | null;
  createdFrom?: string | null;
  createdBefore?: string | null;
  tag?: string[] | null;
  /** Left out: all but single evaluations, of which there may be many. */
  type?: RunType[] | null;
  /** Part of the name or the description. */
  q?: string | null;
};
export type GetRunApiResponse = /** status 200 Successful Response */ RunDetail;
export type GetRunApiArg = {
  runId: string;
  /** `tasks`: the figures of every task as well. */
  include?: "tasks"[] | null;
};
export type ChangeRunApiResponse =
  /** status 200 Successful Response */ RunSummary;
export type ChangeRunApiArg = {
  runId: string;
  changeRun: ChangeRun;
};
export type DeleteRunApiResponse = unknown;
export type DeleteRunApiArg = {
  runId: string;
};
export type PauseRunApiResponse =
  /** status 202 Successful Response */ RunSummary;
export type PauseRunApiArg = {
  runId: string;
};
export type ResumeRunApiResponse =
  /** status 202 Successful Response */ RunSummary;
export type ResumeRunApiArg = {
  runId: string;
  body: ResumeRun | null;
};
export type CancelRunApiResponse =
  /** status 202 Successful Response */ RunSummary;
export type CancelRunApiArg = {
  runId: string;
};
export type RetryFailedApiResponse =
  /** status 202 Successful Response */ RunSummary;
export type RetryFailedApiArg = {
  runId: string;
  /** A text of your choice: the same request sent twice under it does its work once. */
  "Idempotency-Key"?: string | null;
  body: RetryFailed | null;
};
export type RetryJudgingApiResponse =
  /** status 202 Successful Response */ RunSummary;
export type RetryJudgingApiArg = {
  runId: string;
  /** A text of your choice: the same request sent twice under it does its work once. */
  "Idempotency-Key"?: string | null;
  body: RetryJudging | null;
};
export type AddEvaluatorsApiResponse =
  /** status 202 Successful Response */ RunSummary;
export type AddEvaluatorsApiArg = {
  runId: string;
  /** A text of your choice: the same request sent twice under it does its work once. */
  "Idempotency-Key"?: string | null;
  addEvaluators: AddEvaluators;
};
export type ListItemsApiResponse =
  /** status 200 Successful Response */ ItemPage;
export type ListItemsApiArg = {
  runId: string;
  sort?: SortKey;
  order?: "asc" | "desc";
  limit?: number;
  cursor?: string | null;
  status?: ItemStatus[] | null;
  targetId?: string[] | null;
  model?: string[] | null;
  category?: string[] | null;
  taskId?: string | null;
  conversationId?: string | null;
  failureKind?: string[] | null;
  failurePhase?: RunPhase | null;
  /** Raw, on the evaluator's scale. */
  scoreMin?: number | null;
  scoreMax?: number | null;
  passed?: boolean | null;
  /** Whose score `score_min`, `score_max`, `passed` and `outcome` mean. */
  evaluator?: string | null;
  outcome?: ("scored" | "unparsed" | "refused" | "errored")[] | null;
  cached?: boolean | null;
  /** Whether the answer ended at its token limit. */
  cut?: boolean | null;
  finishReason?: string[] | null;
  /** What answers are made of: `tool_calls`, `reasoning` … */
  answerKind?:
    ("text" | "tool_calls" | "json" | "media" | "reasoning" | "empty")[] | null;
  /** In task id, question, answer or reason. */
  q?: string | null;
};
export type CountItemsApiResponse =
  /** status 200 Successful Response */ ItemCount;
export type CountItemsApiArg = {
  runId: string;
  status?: ItemStatus[] | null;
  targetId?: string[] | null;
  model?: string[] | null;
  category?: string[] | null;
  taskId?: string | null;
  conversationId?: string | null;
  failureKind?: string[] | null;
  failurePhase?: RunPhase | null;
  /** Raw, on the evaluator's scale. */
  scoreMin?: number | null;
  scoreMax?: number | null;
  passed?: boolean | null;
  /** Whose score `score_min`, `score_max`, `passed` and `outcome` mean. */
  evaluator?: string | null;
  outcome?: ("scored" | "unparsed" | "refused" | "errored")[] | null;
  cached?: boolean | null;
  /** Whether the answer ended at its token limit. */
  cut?: boolean | null;
  finishReason?: string[] | null;
  /** What answers are made of: `tool_calls`, `reasoning` … */
  answerKind?:
    ("text" | "tool_calls" | "json" | "media" | "reasoning" | "empty")[] | null;
  /** In task id, question, answer or reason. */
  q?: string | null;
};
export type GetItemApiResponse =
  /** status 200 Successful Response */ ItemDetail;
export type GetItemApiArg = {
  runId: string;
  itemId: string;
};
export type GetRunDistributionApiResponse =
  /** status 200 Successful Response */ RunDistribution;
export type GetRunDistributionApiArg = {
  runId: string;
};
export type ReadRunLogApiResponse =
  /** status 200 Successful Response */ RunLog;
export type ReadRunLogApiArg = {
  runId: string;
  /** The `run_seq` of the last line that is known. */
  after?: number;
  limit?: number;
};
export type ListRunEventsApiResponse =
  /** status 200 Successful Response */ RunEvents;
export type ListRunEventsApiArg = {
  runId: string;
  fromSeq?: number;
  limit?: number;
};
export type ExportRunApiResponse =
  /** status 200 The results, streamed */ string;
export type ExportRunApiArg = {
  runId: string;
  format?: string;
  status?: ItemStatus[] | null;
  targetId?: string[] | null;
  model?: string[] | null;
  category?: string[] | null;
  taskId?: string | null;
  conversationId?: string | null;
  failureKind?: string[] | null;
  failurePhase?: RunPhase | null;
  /** Raw, on the evaluator's scale. */
  scoreMin?: number | null;
  scoreMax?: number | null;
  passed?: boolean | null;
  /** Whose score `score_min`, `score_max`, `passed` and `outcome` mean. */
  evaluator?: string | null;
  outcome?: ("scored" | "unparsed" | "refused" | "errored")[] | null;
  cached?: boolean | null;
  /** Whether the answer ended at its token limit. */
  cut?: boolean | null;
  finishReason?: string[] | null;
  /** What answers are made of: `tool_calls`, `reasoning` … */
  answerKind?:
    ("text" | "tool_calls" | "json" | "media" | "reasoning" | "empty")[] | null;
  /** In task id, question, answer or reason. */
  q?: string | null;
};
export type CompareColumnsApiResponse =
  /** status 200 Successful Response */ Comparison;
export type CompareColumnsApiArg = {
  /** `<run id>:<target id>`, repeated: what is compared, in this order. */
  column: string[];
  /** The column that the others are compared with. */
  baseline?: number;
  /** A metadata key of the cases: those of one value are one cluster. */
  clusterBy?: string | null;
};
export type ListComparedCasesApiResponse =
  /** status 200 Successful Response */ ComparedCases;
export type ListComparedCasesApiArg = {
  /** `<run id>:<target id>`, repeated: what is compared, in this order. */
  column: string[];
  /** The column that the others are compared with. */
  baseline?: number;
  /** The one column that `show` and `sort` look at; else all. */
  of?: number | null;
  show?: Show;
  category?: string[] | null;
  /** In task id, question, answer or reason. */
  q?: string | null;
  /** `-delta`: greatest difference first; those without one come last. */
  sort?: "position" | "-delta" | "delta";
  limit?: number;
  cursor?: string | null;
};
export type CompareBenchmarksApiResponse =
  /** status 200 Successful Response */ BenchmarksCompared;
export type CompareBenchmarksApiArg = {
  compareBenchmarks: CompareBenchmarks;
};
export type CheckGateApiResponse =
  /** status 200 Successful Response */ GateChecked;
export type CheckGateApiArg = {
  checkGate: CheckGate;
};
export type CreateEvaluationApiResponse =
  | /** status 201 Successful Response */ EvaluationOut
  | /** status 202 Not scored yet: ask for it by its id. */ EvaluationOut;
export type CreateEvaluationApiArg = {
  /** A text of your choice: the same request sent twice under it does its work once. */
  "Idempotency-Key"?: string | null;
  createEvaluation: CreateEvaluation;
};
export type ListEvaluationsApiResponse =
  /** status 200 Successful Response */ EvaluationPage;
export type ListEvaluationsApiArg = {
  limit?: number;
  offset?: number;
  status?:
    ("PENDING" | "RUNNING" | "COMPLETED" | "FAILED" | "CANCELLED") | null;
  type?: RunType | null;
  datasetVersionId?: string | null;
  /** Refused: there are no experiments that a run could be part of yet. */
  experimentId?: string | null;
  createdAfter?: string | null;
  createdBefore?: string | null;
};
export type CreateEvaluationBatchApiResponse =
  /** status 202 Successful Response */ BatchCreated;
export type CreateEvaluationBatchApiArg = {
  /** A text of your choice: the same request sent twice under it does its work once. */
  "Idempotency-Key"?: string | null;
  createBatch: {
    /** Criteria of G-Eval (`faithfulness`, `relevance` …), names of `custom_rubrics`, or kinds of evaluators (`GET /api/evaluators`) with their defaults. */
    metrics?: string[];
    /** Evaluators with parameters, beside `metrics`. */
    evaluators?: {
      kind: string;
      /** Tells it apart in results; left out, it is the kind. Unique in the run. */
      name?: string | null;
      params?: {
        [key: string]: any;
      };
      /** In the overall score of an answer, a weighted mean. With 0 it is not part of it. */
      weight?: number;
      /** Without its score an answer is FAILED, not COMPLETED. */
      required?: boolean;
      /** On the evaluator's own scale: an answer passes from here on. Left out, its own verdict holds. */
      pass_threshold?: number | null;
      /** The cases that it is asked about, by what they contain: `{"category": "sums"}`, `{"metadata": {"tags": ["hard"]}}`, `{"checks": [{}]}` for those with checks. Left out, all that it can score. */
      only?: {
        [key: string]: any;
      } | null;
      /** Likewise the cases that it is not asked about. */
      unless?: {
        [key: string]: any;
      } | null;
      /** Left out, it is the run's. Only for one that asks. */
      judge?: {
        provider_id: string;
        model: string;
        params?: {
          temperature?: number | null;
          top_p?: number | null;
          max_tokens?: number | null;
          seed?: number | null;
          stop?: string[] | null;
          system_prompt?: string | null;
          /** Provider-specific options, sent as they are. */
          options?: {
            [key: string]: any;
          };
          /** Answers are asked for as JSON by this schema, in the provider's own way. */
          response_schema?: {
            name: string;
            json_schema: {
              [key: string]: any;
            };
          } | null;
        };
        concurrency?: number | null;
      } | null;
      /** Instead of the judge. Left out, it is the run's. */
      panel?: {
        /** Different models, best of different families. */
        judges: {
          provider_id: string;
          model: string;
          params?: {
            temperature?: number | null;
            top_p?: number | null;
            max_tokens?: number | null;
            seed?: number | null;
            stop?: string[] | null;
            system_prompt?: string | null;
            /** Provider-specific options, sent as they are. */
            options?: {
              [key: string]: any;
            };
            /** Answers are asked for as JSON by this schema, in the provider's own way. */
            response_schema?: {
              name: string;
              json_schema: {
                [key: string]: any;
              };
            } | null;
          };
          concurrency?: number | null;
        }[];
        /** How many of them have to give a score; all of them if left out. With fewer, the medians of some answers are over other judges than those of the rest. */
        quorum?: number | null;
      } | null;
    }[];
    /** Whose output it is. Further fields are metadata of the case. */
    metadata?: {
      model_name?: string | null;
      model_version?: string | null;
      model_provider?: string | null;
      prompt_version?: string | null;
      [key: string]: any;
    };
    /** What the judges' calls may cost. When it is reached the run pauses; `POST /api/runs/{id}/resume` with a higher limit goes on. */
    max_cost_usd?: number | null;
    name?: string | null;
    dataset_version_id?: string | null;
    config?: {
      /** A model that exactly one provider has; else name it in `judge`. */
      evaluator_model?: string;
      /** The model with its provider; goes before the name. */
      judge?: {
        provider_id: string;
        model: string;
        params?: {
          temperature?: number | null;
          top_p?: number | null;
          max_tokens?: number | null;
          seed?: number | null;
          stop?: string[] | null;
          system_prompt?: string | null;
          /** Provider-specific options, sent as they are. */
          options?: {
            [key: string]: any;
          };
          /** Answers are asked for as JSON by this schema, in the provider's own way. */
          response_schema?: {
            name: string;
            json_schema: {
              [key: string]: any;
            };
          } | null;
        };
        concurrency?: number | null;
      } | null;
      /** Criteria of your own by their names in `metrics`: `description`, `anchors` (what the levels 1 to 5 mean), perhaps `steps` and `shows`. */
      custom_rubrics?: object;
      /** Seconds per model call. */
      timeout_s?: number;
      /** Ask the judge's provider for its models first. */
      check_providers?: boolean;
      /** The share of the outputs that is scored. */
      sample_rate?: number;
      sample_strategy?: "random" | "stratified";
      /** The metadata field whose values are the strata. */
      stratify_by?: string;
      /** The same one samples the same cases. */
      seed?: number | null;
      /** Judge calls in flight: of a local model one, unless `judge.concurrency` allows more. */
      parallelism?: number;
      /** Where a version's cases have the output, when no file is sent: a field of their metadata. */
      output_field?: string;
    };
    /** `column=field`: what a column of the file is, for instance `answer=expected_output` or `response=output`. Left out, columns are known by their names. */
    map?: string[];
    /** Told when the batch is over, signed as Standard Webhooks has it. */
    webhook_url?: string | null;
    /** `whsec_` and 24 to 64 bytes in base64. Left out, one is made, and shown once. */
    webhook_secret?: string | null;
  };
};
export type GetEvaluationBatchApiResponse =
  /** status 200 Successful Response */ BatchOut;
export type GetEvaluationBatchApiArg = {
  jobId: string;
};
export type GetEvaluationApiResponse =
  /** status 200 Successful Response */ EvaluationOut;
export type GetEvaluationApiArg = {
  evaluationId: string;
};
export type RunType = "BENCHMARK" | "SINGLE" | "BATCH";
export type RunWarning = {
  kind:
    | "self_judging"
    | "same_family"
    | "one_family"
    | "cut_answers"
    | "judge_not_asked"
    | "unreadable_references"
    | "columns";
  message: string;
};
export type ClusterLevel = "case" | "conversation" | "document" | "metadata";
export type RunStatus =
  | "QUEUED"
  | "PENDING"
  | "RUNNING"
  | "PAUSING"
  | "PAUSED"
  | "FINISHED"
  | "CANCELLED";
export type RunPhase = "BENCHMARKING" | "JUDGING";
export type RunOutcome = "complete" | "partial" | "failed";
export type ResponseSchema = {
  name: string;
  json_schema: {
    [key: string]: any;
  };
};
export type SamplingParams = {
  temperature?: number | null;
  top_p?: number | null;
  max_tokens?: number | null;
  seed?: number | null;
  stop?: string[] | null;
  system_prompt?: string | null;
  /** Provider-specific options, sent as they are. */
  options?: {
    [key: string]: any;
  };
  /** Answers are asked for as JSON by this schema, in the provider's own way. */
  response_schema?: ResponseSchema | null;
};
export type JudgeOut = {
  provider_id: string;
  provider_name: string;
  model: string;
  params: SamplingParams;
};
export type PanelJudge = {
  revision_id: string;
  provider_id: string;
  model: string;
  params: SamplingParams;
};
export type PanelOut = {
  judges: PanelJudge[];
  quorum: number;
};
export type EvaluatorRef = {
  name: string;
  title: string;
  kind: string;
  revision_id: string;
  judge_provider_id: string | null;
  judge_model: string | null;
  weight: number;
  required: boolean;
  /** On the evaluator's own scale. */
  pass_threshold: number | null;
  scale_min: number;
  scale_max: number;
  whole: boolean;
  primary: boolean;
  member: boolean;
  panel: PanelOut | null;
  /** The cases that it is asked about; null for all. */
  only?: {
    [key: string]: any;
  } | null;
  /** The cases that it is not asked about. */
  unless?: {
    [key: string]: any;
  } | null;
};
export type TargetOut = {
  id: string;
  label: string;
  provider_id: string | null;
  provider_name: string;
  model: string;
  params: SamplingParams;
  epochs: number;
  timeout_s: number;
  max_attempts: number;
  use_cache: boolean;
};
export type CollectionRef = {
  id: string;
  name: string;
};
export type DatasetVersionRef = {
  version_id: string;
  dataset_id: string;
  name: string;
  version_number: number;
};
export type RunCounts = {
  items: number;
  answered: number;
  judged: number;
  failed: number;
};
export type RunSummary = {
  id: string;
  type: RunType;
  name: string;
  description: string | null;
  tags: string[];
  baseline_run_id: string | null;
  warnings: RunWarning[];
  /** The metadata key of its cases that says which results belong together. Null is the coarsest one that nests: document, conversation, case. */
  cluster_by: string | null;
  /** What the clusters of its figures are. */
  cluster_level: ClusterLevel;
  max_cost_usd: number | null;
  cost_usd: number;
  unpriced_calls: number;
  status: RunStatus;
  phase: RunPhase;
  outcome: RunOutcome | null;
  status_reason: string | null;
  judge: JudgeOut | null;
  evaluators: EvaluatorRef[];
  targets: TargetOut[];
  collections: CollectionRef[];
  dataset_versions: DatasetVersionRef[];
  counts: RunCounts;
  /** Whether choices were appended to the questions. */
  show_choices?: boolean;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  mean_score: number | null;
};
export type ProblemField = {
  field: string;
  message: string;
};
export type ProblemBody = {
  type?: string;
  title: string;
  status: number;
  detail: string;
  errors?: ProblemField[];
  [key: string]: any;
};
export type JudgeParams = {
  temperature?: number | null;
  top_p?: number | null;
  max_tokens?: number | null;
  seed?: number | null;
  stop?: string[] | null;
  system_prompt?: string | null;
  /** Provider-specific options, sent as they are. */
  options?: {
    [key: string]: any;
  };
  /** Answers are asked for as JSON by this schema, in the provider's own way. */
  response_schema?: ResponseSchema | null;
};
export type JudgeChoice = {
  provider_id: string;
  model: string;
  params?: JudgeParams;
  concurrency?: number | null;
};
export type PanelChoice = {
  /** Different models, best of different families. */
  judges: JudgeChoice[];
  /** How many of them have to give a score; all of them if left out. With fewer, the medians of some answers are over other judges than those of the rest. */
  quorum?: number | null;
};
export type EvaluatorInput = {
  kind: string;
  /** Tells it apart in results; left out, it is the kind. Unique in the run. */
  name?: string | null;
  params?: {
    [key: string]: any;
  };
  /** In the overall score of an answer, a weighted mean. With 0 it is not part of it. */
  weight?: number;
  /** Without its score an answer is FAILED, not COMPLETED. */
  required?: boolean;
  /** On the evaluator's own scale: an answer passes from here on. Left out, its own verdict holds. */
  pass_threshold?: number | null;
  /** The cases that it is asked about, by what they contain: `{"category": "sums"}`, `{"metadata": {"tags": ["hard"]}}`, `{"checks": [{}]}` for those with checks. Left out, all that it can score. */
  only?: {
    [key: string]: any;
  } | null;
  /** Likewise the cases that it is not asked about. */
  unless?: {
    [key: string]: any;
  } | null;
  /** Left out, it is the run's. Only for one that asks. */
  judge?: JudgeChoice | null;
  /** Instead of the judge. Left out, it is the run's. */
  panel?: PanelChoice | null;
};
export type Params = {
  temperature?: number | null;
  top_p?: number | null;
  max_tokens?: number | null;
  seed?: number | null;
  stop?: string[] | null;
  system_prompt?: string | null;
  /** Provider-specific options, sent as they are. */
  options?: {
    [key: string]: any;
  };
  /** Answers are asked for as JSON by this schema, in the provider's own way. */
  response_schema?: ResponseSchema | null;
};
export type TargetChoice = {
  provider_id: string;
  model: string;
  label?: string | null;
  params?: Params;
  epochs?: number | null;
  concurrency?: number | null;
  timeout_s?: number | null;
  max_attempts?: number | null;
  use_cache?: boolean | null;
};
export type CreateRun = {
  name?: string | null;
  description?: string | null;
  tags?: string[];
  /** The run that this one is compared with. */
  baseline_run_id?: string | null;
  max_cost_usd?: number | null;
  cluster_by?: string | null;
  /** Of every evaluator that asks a model and names none itself. */
  judge?: JudgeChoice | null;
  /** Instead of the judge, of every evaluator that asks a model and names nobody itself. */
  panel?: PanelChoice | null;
  /** Left out, it is `case_checks` for the cases with checks, and the rubric for the others. */
  evaluators?: EvaluatorInput[] | null;
  targets: TargetChoice[];
  collection_ids?: string[];
  /** PUBLISHED versions of datasets. A run draws on collections, on versions, or on both. */
  dataset_version_ids?: string[];
  /** For every target that says nothing else. */
  params?: Params;
  /** How often each task is asked. Answers of one task are one cluster. */
  epochs?: number;
  /** Calls in flight per model group. */
  concurrency?: number;
  /** Left out, 5 for targets of HTTP_JSON providers. */
  timeout_s?: number;
  /** Left out, 2 for targets of HTTP_JSON providers. */
  max_attempts?: number;
  /** Take an answer already paid for, where request and epoch are the same. It is marked `cached`. */
  use_cache?: boolean;
  /** How long a provider may be unavailable before its group fails. */
  max_backoff_s?: number;
  /** How many earlier turns of a conversation (question and answer) are sent with the next one; of these the last that have 400,000 characters together. */
  max_conversation_history?: number;
  /** Append the `choices` in a case's metadata to its question, one lettered line each, unless the question has them. */
  show_choices?: boolean;
  /** Ask each provider for its models first, and refuse the run when one is missing. */
  check_providers?: boolean;
  /** Let the judge score its own answers. */
  allow_self_judging?: boolean;
};
export type RunPage = {
  items: RunSummary[];
  next_cursor: string | null;
};
export type Interval = {
  low: number;
  high: number;
};
export type LengthBaseline = {
  spearman: number | null;
  answers: number;
  undefined_because: string | null;
};
export type PanelAgreement = {
  alpha: number | null;
  answers: number;
  mean_spread: number | null;
  undefined_because: string | null;
};
export type JudgeFiguresOut = {
  asked: number;
  parse_rate: number | null;
  repair_rate: number | null;
  swapped: number;
  swap_consistency: number | null;
  repeated: number;
  self_agreement: number | null;
  modes: {
    [key: string]: number;
  };
};
export type EvaluatorTargetOut = {
  asked: number;
  scored: number;
  unparsed: number;
  refused: number;
  errored: number;
  pending: number;
  verdicts: number;
  clusters: number;
  mean_score: number | null;
  mean_score_interval: Interval | null;
  pass_rate: number | null;
  pass_rate_interval: Interval | null;
  length_baseline: LengthBaseline;
  /** Of a panel. */
  agreement: PanelAgreement | null;
  /** Figures of its judge; null where no judge was asked. */
  judging: JudgeFiguresOut | null;
  cost_usd: number | null;
  target_id: string;
  label: string;
};
export type EvaluatorOut = {
  asked: number;
  scored: number;
  unparsed: number;
  refused: number;
  errored: number;
  pending: number;
  verdicts: number;
  clusters: number;
  mean_score: number | null;
  mean_score_interval: Interval | null;
  pass_rate: number | null;
  pass_rate_interval: Interval | null;
  length_baseline: LengthBaseline;
  /** Of a panel. */
  agreement: PanelAgreement | null;
  /** Figures of its judge; null where no judge was asked. */
  judging: JudgeFiguresOut | null;
  cost_usd: number | null;
  name: string;
  title: string;
  kind: string;
  revision_id: string;
  judge_provider_id: string | null;
  judge_model: string | null;
  weight: number;
  required: boolean;
  /** On the evaluator's own scale. */
  pass_threshold: number | null;
  scale_min: number;
  scale_max: number;
  whole: boolean;
  primary: boolean;
  member: boolean;
  panel: PanelOut | null;
  /** The cases that it is asked about; null for all. */
  only?: {
    [key: string]: any;
  } | null;
  /** The cases that it is not asked about. */
  unless?: {
    [key: string]: any;
  } | null;
  params: {
    [key: string]: any;
  };
  schema_name: string;
  schema_version: string;
  prompt_hash: string;
  targets: EvaluatorTargetOut[];
};
export type RunLimits = {
  concurrency: number;
  timeout_s: number;
  max_attempts: number;
  max_backoff_s: number;
  max_conversation_history: number;
};
export type ProviderType =
  | "OPENAI"
  | "OLLAMA"
  | "LM_STUDIO"
  | "OPENROUTER"
  | "AZURE_OPENAI"
  | "CUSTOM_OPEN_AI_COMPATIBLE"
  | "HTTP_JSON";
export type GroupStatus =
  "WAITING" | "WARMING_UP" | "OPEN" | "RELEASING" | "CLOSED" | "FAILED";
export type GroupOut = {
  id: string;
  phase: RunPhase;
  provider_id: string | null;
  provider_name: string;
  provider_type: ProviderType | null;
  model: string;
  status: GroupStatus;
  concurrency: number;
  total: number;
  done: number;
  failed: number;
  backoff_until: string | null;
  failure_reason: string | null;
};
export type Figures = {
  items: number;
  completed: number;
  failed: number;
  scored: number;
  /** Clusters that have a score; see `cluster_level` of the run. */
  clusters: number;
  mean_score: number | null;
  mean_score_interval: Interval | null;
  pass_rate: number | null;
  pass_rate_interval: Interval | null;
  timed: number;
  cached: number;
  mean_time_ms: number | null;
  p50_time_ms: number | null;
  p95_time_ms: number | null;
  p99_time_ms: number | null;
  mean_first_token_ms: number | null;
  p50_first_token_ms: number | null;
  p95_first_token_ms: number | null;
  p99_first_token_ms: number | null;
  /** Pooled, as a mean of rates is no rate: the tokens after the first of each answer, over the time from its first token to its last, both summed over the answers that streamed. */
  mean_tokens_per_second: number | null;
  /** Seconds in which at least one call that was answered was under way. Pauses, waits for a provider and the time of other targets do not count. Null per category and task. */
  busy_s: number | null;
  /** Answers over `busy_s`. */
  requests_per_second: number | null;
  /** Completion tokens of those answers over `busy_s`, of all calls at once. */
  system_tokens_per_second: number | null;
  prompt_tokens: number;
  completion_tokens: number;
  reasoning_tokens: number;
  /** Items whose tokens the provider did not report. */
  estimated_usage: number;
  /** Answers that ended at their token limit (`finish_reason` `length`). */
  cut: number;
  priced: number;
  cost_usd: number | null;
};
export type PassesOut = {
  k: number;
  cases: number;
  pass_at_k: number;
  pass_at_k_interval: Interval | null;
  pass_hat_k: number;
  pass_hat_k_interval: Interval | null;
};
export type TargetResult = {
  items: number;
  completed: number;
  failed: number;
  scored: number;
  /** Clusters that have a score; see `cluster_level` of the run. */
  clusters: number;
  mean_score: number | null;
  mean_score_interval: Interval | null;
  pass_rate: number | null;
  pass_rate_interval: Interval | null;
  timed: number;
  cached: number;
  mean_time_ms: number | null;
  p50_time_ms: number | null;
  p95_time_ms: number | null;
  p99_time_ms: number | null;
  mean_first_token_ms: number | null;
  p50_first_token_ms: number | null;
  p95_first_token_ms: number | null;
  p99_first_token_ms: number | null;
  /** Pooled, as a mean of rates is no rate: the tokens after the first of each answer, over the time from its first token to its last, both summed over the answers that streamed. */
  mean_tokens_per_second: number | null;
  /** Seconds in which at least one call that was answered was under way. Pauses, waits for a provider and the time of other targets do not count. Null per category and task. */
  busy_s: number | null;
  /** Answers over `busy_s`. */
  requests_per_second: number | null;
  /** Completion tokens of those answers over `busy_s`, of all calls at once. */
  system_tokens_per_second: number | null;
  prompt_tokens: number;
  completion_tokens: number;
  reasoning_tokens: number;
  /** Items whose tokens the provider did not report. */
  estimated_usage: number;
  /** Answers that ended at their token limit (`finish_reason` `length`). */
  cut: number;
  priced: number;
  cost_usd: number | null;
  target_id: string;
  label: string;
  model: string;
  /** pass@k and pass^k for each k up to the epochs; empty without epochs. */
  passes: PassesOut[];
};
export type CategoryResult = {
  items: number;
  completed: number;
  failed: number;
  scored: number;
  /** Clusters that have a score; see `cluster_level` of the run. */
  clusters: number;
  mean_score: number | null;
  mean_score_interval: Interval | null;
  pass_rate: number | null;
  pass_rate_interval: Interval | null;
  timed: number;
  cached: number;
  mean_time_ms: number | null;
  p50_time_ms: number | null;
  p95_time_ms: number | null;
  p99_time_ms: number | null;
  mean_first_token_ms: number | null;
  p50_first_token_ms: number | null;
  p95_first_token_ms: number | null;
  p99_first_token_ms: number | null;
  /** Pooled, as a mean of rates is no rate: the tokens after the first of each answer, over the time from its first token to its last, both summed over the answers that streamed. */
  mean_tokens_per_second: number | null;
  /** Seconds in which at least one call that was answered was under way. Pauses, waits for a provider and the time of other targets do not count. Null per category and task. */
  busy_s: number | null;
  /** Answers over `busy_s`. */
  requests_per_second: number | null;
  /** Completion tokens of those answers over `busy_s`, of all calls at once. */
  system_tokens_per_second: number | null;
  prompt_tokens: number;
  completion_tokens: number;
  reasoning_tokens: number;
  /** Items whose tokens the provider did not report. */
  estimated_usage: number;
  /** Answers that ended at their token limit (`finish_reason` `length`). */
  cut: number;
  priced: number;
  cost_usd: number | null;
  category: string;
};
export type TaskResult = {
  items: number;
  completed: number;
  failed: number;
  scored: number;
  /** Clusters that have a score; see `cluster_level` of the run. */
  clusters: number;
  mean_score: number | null;
  mean_score_interval: Interval | null;
  pass_rate: number | null;
  pass_rate_interval: Interval | null;
  timed: number;
  cached: number;
  mean_time_ms: number | null;
  p50_time_ms: number | null;
  p95_time_ms: number | null;
  p99_time_ms: number | null;
  mean_first_token_ms: number | null;
  p50_first_token_ms: number | null;
  p95_first_token_ms: number | null;
  p99_first_token_ms: number | null;
  /** Pooled, as a mean of rates is no rate: the tokens after the first of each answer, over the time from its first token to its last, both summed over the answers that streamed. */
  mean_tokens_per_second: number | null;
  /** Seconds in which at least one call that was answered was under way. Pauses, waits for a provider and the time of other targets do not count. Null per category and task. */
  busy_s: number | null;
  /** Answers over `busy_s`. */
  requests_per_second: number | null;
  /** Completion tokens of those answers over `busy_s`, of all calls at once. */
  system_tokens_per_second: number | null;
  prompt_tokens: number;
  completion_tokens: number;
  reasoning_tokens: number;
  /** Items whose tokens the provider did not report. */
  estimated_usage: number;
  /** Answers that ended at their token limit (`finish_reason` `length`). */
  cut: number;
  priced: number;
  cost_usd: number | null;
  task_id: string;
  category: string;
};
export type CurrentWork = {
  group_id: string;
  group_status: GroupStatus;
  provider_name: string;
  model: string;
  target_label?: string | null;
  item_id?: string | null;
  task_id?: string | null;
  backoff_until?: string | null;
  backoff_reason?: string | null;
};
export type RunDetail = {
  id: string;
  type: RunType;
  name: string;
  description: string | null;
  tags: string[];
  baseline_run_id: string | null;
  warnings: RunWarning[];
  /** The metadata key of its cases that says which results belong together. Null is the coarsest one that nests: document, conversation, case. */
  cluster_by: string | null;
  /** What the clusters of its figures are. */
  cluster_level: ClusterLevel;
  max_cost_usd: number | null;
  cost_usd: number;
  unpriced_calls: number;
  status: RunStatus;
  phase: RunPhase;
  outcome: RunOutcome | null;
  status_reason: string | null;
  judge: JudgeOut | null;
  evaluators: EvaluatorOut[];
  targets: TargetOut[];
  collections: CollectionRef[];
  dataset_versions: DatasetVersionRef[];
  counts: RunCounts;
  /** Whether choices were appended to the questions. */
  show_choices?: boolean;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  mean_score: number | null;
  limits: RunLimits;
  /** How requests were made: a group has `concurrency` calls in flight, and the next is sent when one has ended. Times count from sending. */
  load?: "closed_loop";
  groups: GroupOut[];
  totals: Figures;
  results: TargetResult[];
  categories: CategoryResult[];
  tasks: TaskResult[] | null;
  current: CurrentWork | null;
  last_seq: number;
};
export type ChangeRun = {
  name?: string;
  description?: string | null;
  tags?: string[];
  baseline_run_id?: string | null;
  /** Null is the coarsest that nests. Figures are counted again. */
  cluster_by?: string | null;
};
export type ResumeRun = {
  /** A new cost limit, where the old one is reached. */
  max_cost_usd?: number | null;
};
export type RetryFailed = {
  /** All failed ones if left out. */
  item_ids?: string[] | null;
};
export type RetryJudging = {
  item_ids?: string[] | null;
  judge?: JudgeChoice | null;
  /** The name of the evaluator whose scores are meant; all of them if left out. */
  evaluator?: string | null;
  /** `all` has another judge score every answer of the run. Needs `judge`. */
  scope?: "failed" | "all";
  check_providers?: boolean;
  allow_self_judging?: boolean;
};
export type AddEvaluators = {
  evaluators: EvaluatorInput[];
  /** Of every evaluator that asks a model and names none itself. */
  judge?: JudgeChoice | null;
  /** Instead of the judge, of every evaluator that asks a model and names nobody itself. */
  panel?: PanelChoice | null;
  check_providers?: boolean;
  allow_self_judging?: boolean;
};
export type ItemStatus =
  | "NEW"
  | "IN_PROGRESS"
  | "WAITING_FOR_JUDGE"
  | "JUDGING"
  | "COMPLETED"
  | "FAILED";
export type ItemFailure = {
  phase: RunPhase;
  kind: string;
  message: string;
  retryable: boolean;
};
export type ScoreStatus = "NEW" | "IN_PROGRESS" | "SCORED" | "FAILED";
export type ItemScore = {
  evaluator: string;
  evaluator_revision_id: string;
  judge_model: string | null;
  status: ScoreStatus;
  outcome: ("scored" | "unparsed" | "refused" | "errored") | null;
  raw: number | null;
  normalised: number | null;
  passed: boolean | null;
};
export type ItemOut = {
  id: string;
  position: number;
  task_id: string;
  category: string;
  subcategory?: string | null;
  target_id: string;
  target_label: string;
  model: string;
  epoch?: number;
  status: ItemStatus;
  attempts?: number;
  score?: number | null;
  score_normalised?: number | null;
  passed?: boolean | null;
  reason?: string | null;
  failure?: ItemFailure | null;
  time_ms?: number | null;
  first_token_ms?: number | null;
  first_content_ms?: number | null;
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  reasoning_tokens?: number | null;
  usage_source?: ("reported" | "estimated") | null;
  tokens_per_second?: number | null;
  finish_reason?: string | null;
  cost_usd?: number | null;
  cached?: boolean;
  score_revision_id?: string | null;
  conversation_id?: string | null;
  turn?: number | null;
  answer_kind?:
    ("text" | "tool_calls" | "json" | "media" | "reasoning" | "empty") | null;
  scores: ItemScore[];
};
export type ItemPage = {
  items: ItemOut[];
  next_cursor: string | null;
};
export type SortKey =
  | "position"
  | "task_id"
  | "category"
  | "target"
  | "status"
  | "score"
  | "time_ms"
  | "first_token_ms"
  | "tokens_per_second"
  | "completion_tokens"
  | "cost_usd";
export type ItemCount = {
  items: number;
};
export type ChatMessage = {
  role: "system" | "user" | "assistant";
  content: string;
};
export type GroundTruth = {
  answer?: string | null;
  acceptable_answers?: string[];
  rubric?: {
    [key: string]: any;
  } | null;
  /** Documents that an answer has to cite. */
  citations?: string[];
  source?: ("HUMAN_CONSENSUS" | "EXPERT" | "AUTOMATED" | "IMPORTED") | null;
  confidence?: number | null;
};
export type Check = {
  kind: string;
  params?: {
    [key: string]: any;
  };
  weight?: number;
  negate?: boolean;
};
export type Case = {
  id: string;
  task_id: string;
  category: string;
  subcategory?: string | null;
  question: string;
  excellent?: string | null;
  good?: string | null;
  pass?: string | null;
  incorrect_answer_direction?: string | null;
  system_prompt?: string | null;
  /** What the answer is to rest on, given with the question. */
  context?: string | null;
  /** The turns before the question, given. */
  conversation?: ChatMessage[];
  /** The case is one turn of it: the turns before it are cases as well, and are asked first. */
  conversation_id?: string | null;
  /** Its place in the conversation, from 1. */
  turn?: number | null;
  expected_output?: string | null;
  ground_truth?: GroundTruth | null;
  metadata?: {
    [key: string]: any;
  };
  /** What an answer to this case has to satisfy. */
  checks?: Check[];
};
export type Citation = {
  document: string;
  section?: string | null;
  relevance?: number | null;
};
export type Usage = {
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  reasoning_tokens?: number | null;
  cached_prompt_tokens?: number | null;
  source?: "reported" | "estimated";
};
export type Timings = {
  total_ms: number;
  first_token_ms?: number | null;
  first_content_ms?: number | null;
  tokens_per_second?: number | null;
};
export type Cost = {
  usd: number;
  source: "reported" | "own_price" | "list_price";
};
export type ExtractionOut = {
  answer: string | null;
  answer_rule: string;
  reference: string | null;
  reference_rule: string | null;
};
export type ScoreOut = {
  id: string;
  evaluator: string;
  evaluator_revision_id: string;
  kind: string;
  status: ScoreStatus;
  outcome: ("scored" | "unparsed" | "refused" | "errored") | null;
  raw: number | null;
  scale_min: number;
  scale_max: number;
  normalised: number | null;
  passed: boolean | null;
  reason: string | null;
  error: string | null;
  /** What was read from the answer and from the reference; null for an evaluator that reads no part. */
  extraction: ExtractionOut | null;
  /** What the evaluator says beside its score. */
  details: {
    [key: string]: any;
  };
  attempts: number;
  cost_usd: number | null;
  judge_model: string | null;
  judge_prompt: string | null;
  judge_reply: string | null;
};
export type ItemDetail = {
  id: string;
  position: number;
  task_id: string;
  category: string;
  subcategory?: string | null;
  target_id: string;
  target_label: string;
  model: string;
  epoch?: number;
  status: ItemStatus;
  attempts?: number;
  score?: number | null;
  score_normalised?: number | null;
  passed?: boolean | null;
  reason?: string | null;
  failure?: ItemFailure | null;
  time_ms?: number | null;
  first_token_ms?: number | null;
  first_content_ms?: number | null;
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  reasoning_tokens?: number | null;
  usage_source?: ("reported" | "estimated") | null;
  tokens_per_second?: number | null;
  finish_reason?: string | null;
  cost_usd?: number | null;
  cached?: boolean;
  score_revision_id?: string | null;
  conversation_id?: string | null;
  turn?: number | null;
  answer_kind?:
    ("text" | "tool_calls" | "json" | "media" | "reasoning" | "empty") | null;
  run_id: string;
  case: Case;
  system_prompt: string | null;
  answer: string | null;
  /** What the model wrote before its answer, where the provider shows it. */
  reasoning: string | null;
  /** The model's own words, where it refused to answer. */
  refusal: string | null;
  /** Parts of the request or the answer that were dropped or changed. */
  notes: string[];
  /** Those that the service gave in fields of their own; null where it has none for them. */
  citations: Citation[] | null;
  usage: Usage | null;
  timings: Timings | null;
  cost: Cost | null;
  /** As it was sent; headers are not part of it. */
  request: {
    [key: string]: any;
  } | null;
  /** As the provider sent it, put together from its stream. */
  response: any;
  scores: ScoreOut[];
};
export type TargetDistribution = {
  target_id: string;
  label: string;
  model: string;
  scores: number[];
  times: number[];
};
export type JudgeCalls = {
  provider_id: string;
  model: string;
  calls: number;
  mean_time_ms: number;
};
export type RunDistribution = {
  score_bins: number[];
  time_edges_ms: number[];
  targets: TargetDistribution[];
  judges: JudgeCalls[];
};
export type LogKind = "prompt" | "answer" | "judge_prompt" | "verdict" | "note";
export type RunLogged = {
  type?: "llmbench.run.logged.v1";
  run_id: string;
  run_seq?: number;
  at: string;
  level?: "info" | "warning" | "error";
  kind?: LogKind;
  text: string;
  truncated?: boolean;
  item_id?: string | null;
  task_id?: string | null;
  target_label?: string | null;
  model?: string | null;
};
export type RunLog = {
  lines: RunLogged[];
  next_after: number;
  last_seq: number;
};
export type ItemRow = {
  id: string;
  position: number;
  task_id: string;
  category: string;
  subcategory?: string | null;
  target_id: string;
  target_label: string;
  model: string;
  epoch?: number;
  status: ItemStatus;
  attempts?: number;
  score?: number | null;
  score_normalised?: number | null;
  passed?: boolean | null;
  reason?: string | null;
  failure?: ItemFailure | null;
  time_ms?: number | null;
  first_token_ms?: number | null;
  first_content_ms?: number | null;
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  reasoning_tokens?: number | null;
  usage_source?: ("reported" | "estimated") | null;
  tokens_per_second?: number | null;
  finish_reason?: string | null;
  cost_usd?: number | null;
  cached?: boolean;
  score_revision_id?: string | null;
  conversation_id?: string | null;
  turn?: number | null;
  answer_kind?:
    ("text" | "tool_calls" | "json" | "media" | "reasoning" | "empty") | null;
};
export type ItemChanged = {
  type?: "llmbench.run.item_changed.v1";
  run_id: string;
  run_seq?: number;
  at: string;
  item: ItemRow;
};
export type RunProgressed = {
  type?: "llmbench.run.progressed.v1";
  run_id: string;
  run_seq?: number;
  at: string;
  phase: RunPhase;
  items: number;
  answered: number;
  judged: number;
  failed: number;
  cost_usd?: number;
  current?: CurrentWork | null;
};
export type RunStatusChanged = {
  type?: "llmbench.run.status_changed.v1";
  run_id: string;
  run_seq?: number;
  at: string;
  status: RunStatus;
  phase: RunPhase;
  outcome?: RunOutcome | null;
  reason?: string | null;
};
export type RunEvents = {
  events: (
    | ({
        type: "llmbench.run.item_changed.v1";
      } & ItemChanged)
    | ({
        type: "llmbench.run.logged.v1";
      } & RunLogged)
    | ({
        type: "llmbench.run.progressed.v1";
      } & RunProgressed)
    | ({
        type: "llmbench.run.status_changed.v1";
      } & RunStatusChanged)
  )[];
  next_seq: number;
  last_seq: number;
};
export type ComparedJudge = {
  scoring: string;
  kind: string;
  judge_model: string | null;
  scale_min: number;
  scale_max: number;
};
export type ComparedColumn = {
  run_id: string;
  run_name: string;
  run_status: RunStatus;
  run_created_at: string;
  target_id: string;
  label: string;
  provider_name: string;
  model: string;
  judge: ComparedJudge | null;
  cluster_by?: string | null;
  figures: Figures;
};
export type Verdict = "better" | "worse" | "not separable" | "low coverage";
export type ScoreComparison = {
  cases: number;
  clusters: number;
  better: number;
  worse: number;
  equal: number;
  mean: number | null;
  mean_here: number | null;
  mean_baseline: number | null;
  interval: Interval | null;
  simultaneous: Interval | null;
  /** How the interval is computed: betting, or bootstrap-t. */
  method: string | null;
  /** Null while a run goes on: `withheld` says which. */
  verdict: Verdict | null;
  clusters_needed: number | null;
};
export type PassComparison = {
  cases: number;
  gained: number;
  lost: number;
  rate_difference: number | null;
  interval: Interval | null;
  simultaneous: Interval | null;
  verdict: Verdict | null;
};
export type EvaluatorComparison = {
  name: string;
  title: string;
  kind: string;
  judge_model: string | null;
  weight: number;
  gates: boolean;
  score: ScoreComparison;
};
export type ColumnComparison = {
  /** Its index in `columns`. */
  column: number;
  cases_in_both: number;
  only_baseline: number;
  only_here: number;
  /** Cases in both whose question is not the same text. */
  questions_differ: number;
  /** Cases of either that have no difference: not in both, or not scored in both. */
  missing: number;
  /** The share of the cases in both that is scored in both; an epoch is a part. */
  coverage: number;
  /** Refused or malformed answers of the cases in both that count as 0. */
  zeros: number;
  baseline_zeros: number;
  score: ScoreComparison | null;
  passes: PassComparison | null;
  note: string | null;
  /** Why there is no verdict yet: a run goes on. */
  withheld: string | null;
  /** By each evaluator that both were scored by, also where their overall scores are not comparable. Empty where one alone makes the overall score. */
  evaluators: EvaluatorComparison[];
};
export type Comparison = {
  columns: ComparedColumn[];
  /** Its index in `columns`. */
  baseline: number;
  /** That at least one column has. */
  cases: number;
  comparisons: ColumnComparison[];
  /** The metadata key whose values are clusters, where there is one. */
  cluster_by: string | null;
  /** The index of the column whose verdict is better against every other one. */
  winner: number | null;
  /** Why there is no winner. */
  winner_reason: string | null;
};
export type Cell = {
  item_id: string;
  status: ItemStatus;
  failure: ItemFailure | null;
  epochs: number;
  scored: number;
  /** On the judge's own scale. */
  score: number | null;
  score_normalised: number | null;
  passed: boolean | null;
  /** To the baseline, on 0…1; null in the baseline itself. */
  difference: number | null;
  answer: string | null;
  truncated: boolean;
  time_ms: number | null;
  cost_usd: number | null;
};
export type ComparedCase = {
  task_id: string;
  category: string;
  question: string;
  questions_differ: boolean;
  cells: (Cell | null)[];
};
export type ComparedCases = {
  items: ComparedCase[];
  /** How many cases the filters choose. */
  total: number;
  next_cursor: string | null;
};
export type Show =
  "all" | "differing" | "better" | "worse" | "equal" | "missing";
export type GateState = "fine" | "worse" | "undecided" | "low coverage";
export type GatePairOut = {
  run_id: string;
  target_id: string;
  label: string;
  state: GateState;
  lower_than_baseline: boolean;
  sentence: string;
  mean: number | null;
  mean_here: number | null;
  mean_baseline: number | null;
  interval: Interval | null;
  method: string | null;
  cases: number;
  clusters: number;
  shared_cases: number;
  coverage: number;
  probability_fine: number | null;
  /** The clusters that would decide, or find an unchanged model fine. */
  clusters_needed: number | null;
  /** The margin that would decide with these clusters. */
  margin_needed: number | null;
};
export type GateOut = {
  metric: string;
  title: string;
  relative: boolean;
  lower_is_better: boolean;
  margin: number;
  state: GateState;
  lower_than_baseline: boolean;
  pairs: GatePairOut[];
};
export type BenchmarkVerdict = {
  columns: ComparedColumn[];
  /** Its index in `columns`. */
  baseline: number;
  /** That at least one column has. */
  cases: number;
  comparisons: ColumnComparison[];
  /** The metadata key whose values are clusters, where there is one. */
  cluster_by: string | null;
  /** The index of the column whose verdict is better against every other one. */
  winner: number | null;
  /** Why there is no winner. */
  winner_reason: string | null;
  regressed: string[];
};
export type BenchmarkModel = {
  run_id: string;
  model_name: string;
  overall_score: number | null;
  cases: number;
  target_id: string;
  label: string;
};
export type BenchmarkTaskScore = {
  run_id: string;
  score: number;
  target_id: string;
};
export type BenchmarkTask = {
  task_name: string;
  scores: BenchmarkTaskScore[];
};
export type BenchmarksCompared = {
  margin: number;
  regressed: boolean;
  gate: GateOut | null;
  comparisons: BenchmarkVerdict[];
  models: BenchmarkModel[];
  comparison: BenchmarkTask[];
  winner: string | null;
  winner_target_id: string | null;
  winner_reason: string | null;
};
export type ColumnChoice = {
  run_id: string;
  target_id: string;
};
export type GateChoice = {
  /** `score`, `pass_rate`, `cost`, `latency`, or the name of an evaluator that both runs have (`evaluator:<name>` where it is called like one of the others). */
  metric: string;
  /** Of scores and rates in their own unit, from 0 to 1; of cost and latency a share of the baseline. */
  margin: number;
  /** Decide also where an unchanged model would be fine in fewer than 80 of 100 comparisons. */
  force?: boolean;
};
export type CompareBenchmarks = {
  run_ids?: string[] | null;
  columns?: ColumnChoice[] | null;
  /** The index of the run or column to compare the others with. */
  baseline?: number;
  /** How much worse, on 0…1, still counts as none in `regressed`: of the mean score. */
  margin?: number;
  /** A metadata key of the cases: those of one value depend on each other, and are one cluster. Left out, the runs' own key; without one the coarsest that nests: document, conversation, case. */
  cluster_by?: string | null;
  gate?: GateChoice | null;
};
export type Basis = "epochs of the same case" | "random pairs of cases";
export type GateCheckOut = {
  target_id: string;
  label: string;
  basis: Basis;
  checks: number;
  fine: number;
  undecided: number;
  worse: number;
  lower_than_baseline: number;
  clusters: number;
  cases: number;
  coverage: number;
  probability_fine: number;
  holds: boolean;
  clusters_needed: number | null;
  margin_needed: number | null;
  sentence: string;
};
export type GateChecked = {
  run_id: string;
  run_name: string;
  metric: string;
  title: string;
  relative: boolean;
  margin: number;
  holds: boolean;
  targets: GateCheckOut[];
};
export type CheckGate = {
  run_id: string;
  target_id?: string | null;
  gate: GateChoice;
  /** A metadata key of the cases: those of one value depend on each other, and are one cluster. Left out, the runs' own key; without one the coarsest that nests: document, conversation, case. */
  cluster_by?: string | null;
};
export type MetricResult = {
  metric: string;
  raw: number | null;
  scale_min: number;
  scale_max: number;
  passed: boolean | null;
  judge_model: string | null;
  details: {
    [key: string]: any;
  };
};
export type EvaluationOut = {
  evaluation_id: string;
  status: "pending" | "completed" | "failed" | "cancelled";
  scores: {
    [key: string]: number;
  };
  reasoning: {
    [key: string]: string;
  };
  errors: {
    [key: string]: string;
  };
  passed: boolean | null;
  results: MetricResult[];
  metadata: {
    [key: string]: any;
  };
  warnings: string[];
  latency_ms: number | null;
  cost_usd: number;
  created_at: string;
  run_status: RunStatus;
};
export type Metadata = {
  model_name?: string | null;
  model_version?: string | null;
  model_provider?: string | null;
  prompt_version?: string | null;
  [key: string]: any;
};
export type EvaluationConfig = {
  /** A model that exactly one provider has; else name it in `judge`. */
  evaluator_model?: string;
  /** The model with its provider; goes before the name. */
  judge?: JudgeChoice | null;
  /** Criteria of your own by their names in `metrics`: `description`, `anchors` (what the levels 1 to 5 mean), perhaps `steps` and `shows`. */
  custom_rubrics?: object;
  /** Seconds per model call. */
  timeout_s?: number;
  /** Ask the judge's provider for its models first. */
  check_providers?: boolean;
  /** Wait for the scores. When that takes long, the answer is a 202 with the id to ask for. */
  sync?: boolean;
};
export type CreateEvaluation = {
  /** Criteria of G-Eval (`faithfulness`, `relevance` …), names of `custom_rubrics`, or kinds of evaluators (`GET /api/evaluators`) with their defaults. */
  metrics?: string[];
  /** Evaluators with parameters, beside `metrics`. */
  evaluators?: EvaluatorInput[];
  metadata?: Metadata;
  /** What the judges' calls may cost. When it is reached the run pauses; `POST /api/runs/{id}/resume` with a higher limit goes on. */
  max_cost_usd?: number | null;
  /** The prompt, or an object of `prompt`, `context`, `system_prompt` and `conversation`. */
  input:
    | string
    | {
        [key: string]: any;
      };
  /** What is scored. */
  output: string;
  expected_output?: string | null;
  /** What the output was to rest on. */
  context?: string | null;
  config?: EvaluationConfig;
};
export type EvaluationRunOut = {
  run_id: string;
  org_id: string;
  name: string;
  type: RunType;
  status: "PENDING" | "RUNNING" | "COMPLETED" | "FAILED" | "CANCELLED";
  dataset_version_id: string | null;
  baseline_run_id: string | null;
  config: {
    [key: string]: any;
  };
  total_items: number;
  completed_items: number;
  failed_items: number;
  summary_scores: {
    [key: string]: number | null;
  };
  total_cost_usd: number;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  run_status: RunStatus;
};
export type EvaluationPage = {
  runs: EvaluationRunOut[];
  total: number;
  has_more: boolean;
};
export type SampledOut = {
  rate: number;
  strategy: string;
  stratify_by: string | null;
  seed: number;
  of: number;
};
export type BatchCreated = {
  job_id: string;
  status: "queued" | "running" | "completed" | "failed" | "cancelled";
  estimated_completion: string | null;
  total_items: number;
  parallelism: number | null;
  sample: SampledOut | null;
  /** Warnings about how the file was read, and about the judges. */
  warnings?: string[];
  webhook_secret?: string | null;
};
export type BatchProgress = {
  total: number;
  completed: number;
  failed: number;
};
export type MetricSummary = {
  scored: number;
  mean: number | null;
  p50: number | null;
  p95: number | null;
};
export type WebhookStatus = "PENDING" | "DELIVERED" | "FAILED";
export type WebhookOut = {
  webhook_id: string;
  url: string;
  status: WebhookStatus;
  attempts: number;
  last_error: string | null;
  next_attempt_at: string | null;
  delivered_at: string | null;
};
export type BatchOut = {
  job_id: string;
  name: string;
  status: "queued" | "running" | "completed" | "failed" | "cancelled";
  progress: BatchProgress;
  summary_scores: {
    [key: string]: MetricSummary;
  };
  total_cost_usd: number;
  /** Judge calls in flight; null where no model is asked. */
  parallelism: number | null;
  sample: SampledOut | null;
  dataset_version_id: string | null;
  webhook: WebhookOut | null;
  warnings: string[];
  estimated_completion: string | null;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  run_status: RunStatus;
};
export const {
  useCreateRunMutation,
  useListRunsQuery,
  useGetRunQuery,
  useChangeRunMutation,
  useDeleteRunMutation,
  usePauseRunMutation,
  useResumeRunMutation,
  useCancelRunMutation,
  useRetryFailedMutation,
  useRetryJudgingMutation,
  useAddEvaluatorsMutation,
  useListItemsQuery,
  useCountItemsQuery,
  useGetItemQuery,
  useGetRunDistributionQuery,
  useReadRunLogQuery,
  useListRunEventsQuery,
  useExportRunQuery,
  useCompareColumnsQuery,
  useListComparedCasesQuery,
  useCompareBenchmarksMutation,
  useCheckGateMutation,
  useCreateEvaluationMutation,
  useListEvaluationsQuery,
  useCreateEvaluationBatchMutation,
  useGetEvaluationBatchQuery,
  useGetEvaluationQuery,
} = injectedRtkApi;
