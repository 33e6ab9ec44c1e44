import { baseApi as api } from "../base-api";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    createRun: build.mutation<CreateRunApiResponse, CreateRunApiArg>({
      query: (queryArg) => ({
        url: `/api/runs`,
        method: "POST",
        body: queryArg.createRun,
      }),
    }),
    listRuns: build.query<ListRunsApiResponse, ListRunsApiArg>({
      query: (queryArg) => ({
        url: `/api/runs`,
        params: {
          status: queryArg.status,
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
    getRun: build.query<GetRunApiResponse, GetRunApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}`,
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
      }),
    }),
    cancelRun: build.mutation<CancelRunApiResponse, CancelRunApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/cancel`,
        method: "POST",
      }),
    }),
    listItems: build.query<ListItemsApiResponse, ListItemsApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/items`,
        params: {
          status: queryArg.status,
          target_id: queryArg.targetId,
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
    getItem: build.query<GetItemApiResponse, GetItemApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/items/${encodeURIComponent(String(queryArg.itemId))}`,
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
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as orchestratorApi };
export type CreateRunApiResponse =
  /** status 201 Successful Response */ RunSummary;
export type CreateRunApiArg = {
  createRun: CreateRun;
};
export type ListRunsApiResponse = /** status 200 Successful Response */ RunPage;
export type ListRunsApiArg = {
  status?: RunStatus[] | null;
  limit?: number;
  cursor?: string | null;
};
export type GetRunApiResponse = /** status 200 Successful Response */ RunDetail;
export type GetRunApiArg = {
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
};
export type CancelRunApiResponse =
  /** status 202 Successful Response */ RunSummary;
export type CancelRunApiArg = {
  runId: string;
};
export type ListItemsApiResponse =
  /** status 200 Successful Response */ ItemPage;
export type ListItemsApiArg = {
  runId: string;
  status?: ItemStatus[] | null;
  targetId?: string | null;
  limit?: number;
  cursor?: string | null;
};
export type GetItemApiResponse =
  /** status 200 Successful Response */ ItemDetail;
export type GetItemApiArg = {
  runId: string;
  itemId: string;
};
export type ListRunEventsApiResponse =
  /** status 200 Successful Response */ RunEvents;
export type ListRunEventsApiArg = {
  runId: string;
  fromSeq?: number;
  limit?: number;
};
export type ExportRunApiResponse = /** status 200 The results */ string;
export type ExportRunApiArg = {
  runId: string;
  format?: string;
};
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
};
export type JudgeOut = {
  provider_id: string;
  provider_name: string;
  model: string;
  params: SamplingParams;
};
export type TargetOut = {
  id: string;
  label: string;
  provider_id: string;
  provider_name: string;
  model: string;
  params: SamplingParams;
};
export type CollectionRef = {
  id: string;
  name: string;
};
export type RunCounts = {
  items: number;
  answered: number;
  judged: number;
  failed: number;
};
export type RunSummary = {
  id: string;
  name: string;
  status: RunStatus;
  phase: RunPhase;
  outcome: RunOutcome | null;
  status_reason: string | null;
  judge: JudgeOut;
  targets: TargetOut[];
  collections: CollectionRef[];
  counts: RunCounts;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  /** Mean of normalised scores, 0…1, over scored items. */
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
export type JudgeChoice = {
  provider_id: string;
  model: string;
  params?: SamplingParams;
};
export type TargetChoice = {
  provider_id: string;
  model: string;
  label?: string | null;
  params?: SamplingParams;
};
export type CreateRun = {
  name?: string | null;
  judge: JudgeChoice;
  targets: TargetChoice[];
  collection_ids: string[];
  /** Calls in flight per model group. */
  concurrency?: number;
  /** Per model call. */
  timeout_s?: number;
  max_attempts?: number;
  /** How long a provider may be unavailable before its group fails. */
  max_backoff_s?: number;
  /** Ask each provider for its models first, and refuse the run when one is missing. */
  check_providers?: boolean;
};
export type RunPage = {
  items: RunSummary[];
  next_cursor: string | null;
};
export type ProviderType =
  | "OPENAI"
  | "OLLAMA"
  | "LM_STUDIO"
  | "OPENROUTER"
  | "AZURE_OPENAI"
  | "CUSTOM_OPEN_AI_COMPATIBLE";
export type GroupStatus =
  "WAITING" | "WARMING_UP" | "OPEN" | "RELEASING" | "CLOSED" | "FAILED";
export type GroupOut = {
  id: string;
  phase: RunPhase;
  provider_id: string;
  provider_name: string;
  provider_type: ProviderType;
  model: string;
  status: GroupStatus;
  concurrency: number;
  total: number;
  done: number;
  failed: number;
  backoff_until: string | null;
  failure_reason: string | null;
};
export type EvaluatorOut = {
  revision_id: string;
  kind: string;
  schema_name: string;
  schema_version: string;
  scale_min: number;
  scale_max: number;
};
export type TargetResult = {
  target_id: string;
  label: string;
  model: string;
  items: number;
  completed: number;
  failed: number;
  scored: number;
  mean_score: number | null;
  pass_rate: number | null;
  mean_time_ms: number | null;
  mean_first_token_ms: number | null;
  mean_tokens_per_second: number | null;
  completion_tokens: number;
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
  name: string;
  status: RunStatus;
  phase: RunPhase;
  outcome: RunOutcome | null;
  status_reason: string | null;
  judge: JudgeOut;
  targets: TargetOut[];
  collections: CollectionRef[];
  counts: RunCounts;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  /** Mean of normalised scores, 0…1, over scored items. */
  mean_score: number | null;
  groups: GroupOut[];
  evaluators: EvaluatorOut[];
  results: TargetResult[];
  current: CurrentWork | null;
  last_seq: number;
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
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  tokens_per_second?: number | null;
  finish_reason?: string | null;
};
export type ItemPage = {
  items: ItemRow[];
  next_cursor: string | null;
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
export type ScoreStatus = "NEW" | "IN_PROGRESS" | "SCORED" | "FAILED";
export type ScoreOut = {
  id: string;
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
  attempts: number;
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
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  tokens_per_second?: number | null;
  finish_reason?: string | null;
  run_id: string;
  case: Case;
  system_prompt: string | null;
  answer: string | null;
  usage: Usage | null;
  timings: Timings | null;
  scores: ScoreOut[];
};
export type ItemChanged = {
  type?: "llmbench.run.item_changed.v1";
  run_id: string;
  run_seq?: number;
  at: string;
  item: ItemRow;
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
export const {
  useCreateRunMutation,
  useListRunsQuery,
  useGetRunQuery,
  usePauseRunMutation,
  useResumeRunMutation,
  useCancelRunMutation,
  useListItemsQuery,
  useGetItemQuery,
  useListRunEventsQuery,
  useExportRunQuery,
} = injectedRtkApi;
