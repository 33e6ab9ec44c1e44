// Types only: the endpoints are in orchestrator/, a file per tag.

export type CreateRunApiResponse =
  /** status 201 Successful Response */ RunCreated;
export type CreateRunApiArg = {
  /** A text of your choice: repeating the request with it does the work once. */
  "Idempotency-Key"?: string | null;
  createRun: CreateRunWrite;
};
export type ListRunsApiResponse = /** status 200 Successful Response */ RunPage;
export type ListRunsApiArg = {
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
  status?: RunStatus[] | null;
  createdFrom?: string | null;
  createdBefore?: string | null;
  tag?: string[] | null;
  /** By default all except single evaluations, of which there may be many. */
  type?: RunType[] | null;
  /** Part of the name or the description. */
  q?: string | null;
  /** Runs with a target or a judge of one of these providers. */
  providerId?: string[] | null;
  /** Runs of the suite with this name, in any of its versions. */
  suite?: string | null;
  /** True for runs with any tag, false for those without. */
  hasTag?: boolean | null;
  /** True for runs of any suite, false for the others. */
  hasSuite?: boolean | null;
  sort?: RunSortKey;
  order?: "asc" | "desc";
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
export type GetRunApiResponse = /** status 200 Successful Response */ RunDetail;
export type GetRunApiArg = {
  runId: string;
  /** `tasks`: the figures of every task as well. `case_tags`: those by tag of the cases. */
  include?: ("tasks" | "case_tags")[] | null;
};
export type MoveRunApiResponse =
  /** status 200 Successful Response */ RunSummary;
export type MoveRunApiArg = {
  runId: string;
  moveRun: MoveRun;
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
  /** A text of your choice: repeating the request with it does the work once. */
  "Idempotency-Key"?: string | null;
  body: RetryFailed | null;
};
export type RetryJudgingApiResponse =
  /** status 202 Successful Response */ RunSummary;
export type RetryJudgingApiArg = {
  runId: string;
  /** A text of your choice: repeating the request with it does the work once. */
  "Idempotency-Key"?: string | null;
  body: RetryJudging | null;
};
export type AddEvaluatorsApiResponse =
  /** status 202 Successful Response */ RunSummary;
export type AddEvaluatorsApiArg = {
  runId: string;
  /** A text of your choice: repeating the request with it does the work once. */
  "Idempotency-Key"?: string | null;
  addEvaluators: AddEvaluators;
};
export type PromoteRevisionApiResponse =
  /** status 202 Successful Response */ RunSummary;
export type PromoteRevisionApiArg = {
  runId: string;
  promoteRevision: PromoteRevision;
};
export type DecideGatesApiResponse =
  /** status 202 Successful Response */ RunSummary;
export type DecideGatesApiArg = {
  runId: string;
};
export type ListOverrulingsApiResponse =
  /** status 200 Successful Response */ ItemOverrulings;
export type ListOverrulingsApiArg = {
  runId: string;
  itemId: string;
};
export type OverruleScoreApiResponse =
  /** status 200 Successful Response */ ItemOverrulings;
export type OverruleScoreApiArg = {
  runId: string;
  itemId: string;
  revisionId: string;
  overrule: Overrule;
};
export type WithdrawOverrulingApiResponse =
  /** status 200 Successful Response */ ItemOverrulings;
export type WithdrawOverrulingApiArg = {
  runId: string;
  itemId: string;
  revisionId: string;
  /** The name of the person, if nobody is signed in. With sign-in it is the person who signed in: leave it out. */
  by?: string | null;
};
export type ListCommentsApiResponse =
  /** status 200 Successful Response */ ItemComments;
export type ListCommentsApiArg = {
  runId: string;
  itemId: string;
};
export type AddCommentApiResponse =
  /** status 201 Successful Response */ CommentOut;
export type AddCommentApiArg = {
  runId: string;
  itemId: string;
  newComment: NewComment;
};
export type DeleteCommentApiResponse = unknown;
export type DeleteCommentApiArg = {
  runId: string;
  itemId: string;
  commentId: string;
};
export type TagRunsApiResponse =
  /** status 200 Successful Response */ RunsTagged;
export type TagRunsApiArg = {
  tagRuns: TagRuns;
};
export type DeleteRunsApiResponse =
  /** status 200 Successful Response */ RunsDeleted;
export type DeleteRunsApiArg = {
  deleteRuns: DeleteRuns;
};
export type ListRunGroupsApiResponse =
  /** status 200 Successful Response */ RunGroups;
export type ListRunGroupsApiArg = {
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
  status?: RunStatus[] | null;
  createdFrom?: string | null;
  createdBefore?: string | null;
  tag?: string[] | null;
  /** By default all except single evaluations, of which there may be many. */
  type?: RunType[] | null;
  /** Part of the name or the description. */
  q?: string | null;
  /** Runs with a target or a judge of one of these providers. */
  providerId?: string[] | null;
  /** Runs of the suite with this name, in any of its versions. */
  suite?: string | null;
  /** True for runs with any tag, false for those without. */
  hasTag?: boolean | null;
  /** True for runs of any suite, false for the others. */
  hasSuite?: boolean | null;
  by: "tag" | "suite" | "day";
  /** With `by=day`: the IANA name of the zone in which days begin. */
  timeZone?: string;
};
export type ListQueueApiResponse =
  /** status 200 Successful Response */ RunPage;
export type ListQueueApiArg = {
  limit?: number;
};
export type ListItemsApiResponse =
  /** status 200 Successful Response */ ItemPage;
export type ListItemsApiArg = {
  runId: string;
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
  status?: ItemStatus[] | null;
  targetId?: string[] | null;
  model?: string[] | null;
  category?: string[] | null;
  /** Items whose case has all of these tags, in `metadata.tags`. */
  tag?: string[] | null;
  suiteTask?: string[] | null;
  taskId?: string | null;
  conversationId?: string | null;
  failureKind?: string[] | null;
  /** A cause of `GET …/failures`, or the kind of a failure without a cause. */
  failureCause?: string[] | null;
  failurePhase?: RunPhase | null;
  /** Least raw score, on the evaluator's scale. */
  scoreMin?: number | null;
  scoreMax?: number | null;
  /** Least overall score on 0…1 (inclusive), as the run's figures count it. */
  overallMin?: number | null;
  /** Upper bound of that score (exclusive). */
  overallBelow?: number | null;
  /** Least time of the answer, in milliseconds. */
  timeMin?: number | null;
  /** Upper bound of that time (exclusive). */
  timeBelow?: number | null;
  passed?: boolean | null;
  /** The evaluator that `score_min`, `score_max`, `passed` and `outcome` refer to. */
  evaluator?: string | null;
  outcome?: ("scored" | "unparsed" | "refused" | "errored")[] | null;
  cached?: boolean | null;
  /** True for answers that ended at their token limit. */
  cut?: boolean | null;
  finishReason?: string[] | null;
  /** The kind of an answer: `tool_calls`, `reasoning` … */
  answerKind?:
    ("text" | "tool_calls" | "json" | "media" | "reasoning" | "empty")[] | null;
  /** Searched in task id, question, answer and reason. */
  q?: string | null;
  sort?: SortKey;
  order?: "asc" | "desc";
  /** With `sort=evaluator_score`: the revision whose scores sort, one of the run's evaluators. */
  evaluatorRevisionId?: string | null;
};
export type CountItemsApiResponse =
  /** status 200 Successful Response */ ItemCount;
export type CountItemsApiArg = {
  runId: string;
  status?: ItemStatus[] | null;
  targetId?: string[] | null;
  model?: string[] | null;
  category?: string[] | null;
  /** Items whose case has all of these tags, in `metadata.tags`. */
  tag?: string[] | null;
  suiteTask?: string[] | null;
  taskId?: string | null;
  conversationId?: string | null;
  failureKind?: string[] | null;
  /** A cause of `GET …/failures`, or the kind of a failure without a cause. */
  failureCause?: string[] | null;
  failurePhase?: RunPhase | null;
  /** Least raw score, on the evaluator's scale. */
  scoreMin?: number | null;
  scoreMax?: number | null;
  /** Least overall score on 0…1 (inclusive), as the run's figures count it. */
  overallMin?: number | null;
  /** Upper bound of that score (exclusive). */
  overallBelow?: number | null;
  /** Least time of the answer, in milliseconds. */
  timeMin?: number | null;
  /** Upper bound of that time (exclusive). */
  timeBelow?: number | null;
  passed?: boolean | null;
  /** The evaluator that `score_min`, `score_max`, `passed` and `outcome` refer to. */
  evaluator?: string | null;
  outcome?: ("scored" | "unparsed" | "refused" | "errored")[] | null;
  cached?: boolean | null;
  /** True for answers that ended at their token limit. */
  cut?: boolean | null;
  finishReason?: string[] | null;
  /** The kind of an answer: `tool_calls`, `reasoning` … */
  answerKind?:
    ("text" | "tool_calls" | "json" | "media" | "reasoning" | "empty")[] | null;
  /** Searched in task id, question, answer and reason. */
  q?: string | null;
};
export type ListItemExcerptsApiResponse =
  /** status 200 Successful Response */ ItemExcerpts;
export type ListItemExcerptsApiArg = {
  runId: string;
  /** The items to read. */
  itemId: string[];
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
export type ListFailuresApiResponse =
  /** status 200 Successful Response */ RunFailures;
export type ListFailuresApiArg = {
  runId: string;
};
export type ReadRunLogApiResponse =
  /** status 200 Successful Response */ RunLog;
export type ReadRunLogApiArg = {
  runId: string;
  /** The `run_seq` of the last known line. */
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
  /** Items whose case has all of these tags, in `metadata.tags`. */
  tag?: string[] | null;
  suiteTask?: string[] | null;
  taskId?: string | null;
  conversationId?: string | null;
  failureKind?: string[] | null;
  /** A cause of `GET …/failures`, or the kind of a failure without a cause. */
  failureCause?: string[] | null;
  failurePhase?: RunPhase | null;
  /** Least raw score, on the evaluator's scale. */
  scoreMin?: number | null;
  scoreMax?: number | null;
  /** Least overall score on 0…1 (inclusive), as the run's figures count it. */
  overallMin?: number | null;
  /** Upper bound of that score (exclusive). */
  overallBelow?: number | null;
  /** Least time of the answer, in milliseconds. */
  timeMin?: number | null;
  /** Upper bound of that time (exclusive). */
  timeBelow?: number | null;
  passed?: boolean | null;
  /** The evaluator that `score_min`, `score_max`, `passed` and `outcome` refer to. */
  evaluator?: string | null;
  outcome?: ("scored" | "unparsed" | "refused" | "errored")[] | null;
  cached?: boolean | null;
  /** True for answers that ended at their token limit. */
  cut?: boolean | null;
  finishReason?: string[] | null;
  /** The kind of an answer: `tool_calls`, `reasoning` … */
  answerKind?:
    ("text" | "tool_calls" | "json" | "media" | "reasoning" | "empty")[] | null;
  /** Searched in task id, question, answer and reason. */
  q?: string | null;
};
export type ListExportFormatsApiResponse =
  /** status 200 Successful Response */ ExportFormats;
export type ListExportFormatsApiArg = void;
export type ListReportLinksApiResponse =
  /** status 200 Successful Response */ ReportLinks;
export type ListReportLinksApiArg = {
  runId: string;
};
export type CreateReportLinkApiResponse =
  /** status 201 Successful Response */ ReportLinkCreated;
export type CreateReportLinkApiArg = {
  runId: string;
  newReportLink: NewReportLink;
};
export type RevokeReportLinkApiResponse = unknown;
export type RevokeReportLinkApiArg = {
  runId: string;
  linkId: string;
};
export type ReadSharedReportApiResponse =
  /** status 200 Successful Response */ SharedReport;
export type ReadSharedReportApiArg = {
  /** The token of the link. */
  "Llmbench-Report-Link": string;
};
export type OpenSharedReportApiResponse = /** status 200 The report */ string;
export type OpenSharedReportApiArg = {
  bodyOpenSharedReport: BodyOpenSharedReport;
};
export type GetTrendApiResponse = /** status 200 Successful Response */ Trend;
export type GetTrendApiArg = {
  /** The name of the runs. */
  name?: string | null;
  /** Instead: the suite of the runs, by its name. */
  suite?: string | null;
  /** The number of runs, the newest ones. */
  limit?: number;
};
export type ListTrendNamesApiResponse =
  /** status 200 Successful Response */ TrendNames;
export type ListTrendNamesApiArg = {
  limit?: number;
};
export type CompareColumnsApiResponse =
  /** status 200 Successful Response */ Comparison;
export type CompareColumnsApiArg = {
  /** `<run id>:<target id>`, repeated: the columns, in this order. */
  column: string[];
  /** The column that the others are compared with. */
  baseline?: number;
  /** A metadata key of the cases: cases with the same value are one cluster. */
  clusterBy?: string | null;
};
export type ListComparedCasesApiResponse =
  /** status 200 Successful Response */ ComparedCases;
export type ListComparedCasesApiArg = {
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
  /** `<run id>:<target id>`, repeated: the columns, in this order. */
  column: string[];
  /** The column that the others are compared with. */
  baseline?: number;
  /** The only column for `show` and `sort`; by default all. */
  of?: number | null;
  /** The cases to list: `gained` passes here and not in the baseline, `lost` only in the baseline. */
  show?: Show;
  category?: string[] | null;
  /** Searched in task id, question, answer and reason. */
  q?: string | null;
  /** `-delta`: the greatest difference first; cases without a difference come last. `group`: worse cases, then better, equal and missing ones. */
  sort?: "position" | "-delta" | "delta" | "group";
  /** Only cases of one bin of `/api/comparisons/scores`: `<baseline bin>:<bin of the other>`. With more than two columns, `of` has to name the other one. */
  bin?: string | null;
};
export type ExportComparedCasesApiResponse =
  /** status 200 The cases, streamed */ string;
export type ExportComparedCasesApiArg = {
  /** `<run id>:<target id>`, repeated: the columns, in this order. */
  column: string[];
  /** The column that the others are compared with. */
  baseline?: number;
  /** The only column for `show` and `sort`; by default all. */
  of?: number | null;
  /** The cases to list: `gained` passes here and not in the baseline, `lost` only in the baseline. */
  show?: Show;
  category?: string[] | null;
  /** Searched in task id, question, answer and reason. */
  q?: string | null;
  /** `-delta`: the greatest difference first; cases without a difference come last. `group`: worse cases, then better, equal and missing ones. */
  sort?: "position" | "-delta" | "delta" | "group";
  /** Only cases of one bin of `/api/comparisons/scores`: `<baseline bin>:<bin of the other>`. With more than two columns, `of` has to name the other one. */
  bin?: string | null;
};
export type CompareCategoriesApiResponse =
  /** status 200 Successful Response */ CategoryMap;
export type CompareCategoriesApiArg = {
  /** `<run id>:<target id>`, repeated: the columns, in this order. */
  column: string[];
  /** The column that the others are compared with. */
  baseline?: number;
};
export type PairScoresApiResponse =
  /** status 200 Successful Response */ ScorePairs;
export type PairScoresApiArg = {
  /** `<run id>:<target id>`, repeated: the columns, in this order. */
  column: string[];
  /** The column that the others are compared with. */
  baseline?: number;
  /** The other column; by default the first other one. */
  of?: number | null;
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
export type ReportComparisonApiResponse = /** status 200 The report */ string;
export type ReportComparisonApiArg = {
  /** `<run id>:<target id>`, repeated: the columns, in this order. */
  column?: string[] | null;
  /** Instead of `column`: the runs, whose targets are paired. */
  run?: string[] | null;
  /** `<target id of the baseline>:<target id of the other run>`, repeated: targets of two runs that are paired by hand. */
  pair?: string[] | null;
  /** The column or run that the others are compared with. */
  baseline?: number;
  /** A metadata key of the cases: cases with the same value are one cluster. */
  clusterBy?: string | null;
};
export type ListBaselinesApiResponse =
  /** status 200 Successful Response */ BaselinePage;
export type ListBaselinesApiArg = {
  subjectKind?: SubjectKind | null;
  /** Together with `subject_kind`. */
  subjectId?: string | null;
  label?: string | null;
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
};
export type CreateBaselineApiResponse =
  /** status 201 Successful Response */ BaselineOut;
export type CreateBaselineApiArg = {
  createBaseline: CreateBaseline;
};
export type GetBaselineApiResponse =
  /** status 200 Successful Response */ BaselineOut;
export type GetBaselineApiArg = {
  id: string;
};
export type DeleteBaselineApiResponse = unknown;
export type DeleteBaselineApiArg = {
  id: string;
};
export type PromoteToBaselineApiResponse =
  /** status 200 Successful Response */ BaselineOut;
export type PromoteToBaselineApiArg = {
  id: string;
  promoteRun: PromoteRun;
};
export type GetBaselineHistoryApiResponse =
  /** status 200 Successful Response */ PromotionPage;
export type GetBaselineHistoryApiArg = {
  id: string;
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
};
export type CreateGateApiResponse =
  /** status 201 Successful Response */ SavedGate;
export type CreateGateApiArg = {
  id: string;
  createGate: CreateGate;
};
export type GetGateApiResponse =
  /** status 200 Successful Response */ SavedGate;
export type GetGateApiArg = {
  id: string;
};
export type ChangeGateApiResponse =
  /** status 200 Successful Response */ SavedGate;
export type ChangeGateApiArg = {
  id: string;
  changeGate: ChangeGate;
};
export type DeleteGateApiResponse = unknown;
export type DeleteGateApiArg = {
  id: string;
};
export type CheckSavedGateApiResponse =
  /** status 200 Successful Response */ SavedGateChecked;
export type CheckSavedGateApiArg = {
  id: string;
};
export type ListCalibrationsApiResponse =
  /** status 200 Successful Response */ CalibrationPage;
export type ListCalibrationsApiArg = {
  /** Only calibrations of this run's judges, also those made on other runs. */
  runId?: string | null;
  evaluatorRevisionId?: string | null;
  annotationTaskId?: string | null;
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
};
export type CreateCalibrationApiResponse =
  /** status 201 Successful Response */ CalibrationOut;
export type CreateCalibrationApiArg = {
  createCalibration: {
    /** By default the names of the judge and of the run. */
    name?: string | null;
    /** By default that of the annotation task. */
    run_id?: string | null;
    /** The judge; by default the run's only primary evaluator that has a judge model. */
    evaluator_revision_id?: string | null;
    annotation_task_id?: string | null;
    /** The question of the task. By default its first rating, or else classification. */
    field?: string | null;
    /** The number of each option of a classification. Words such as `pass` and `fail` need none. */
    values?: {
      [key: string]: number;
    } | null;
    /** The range of labels that are sent; by default the evaluator's own. */
    scale?: {
      min: number;
      max: number;
    } | null;
    /** The label from which an answer passes; by default the evaluator's own pass mark. */
    pass_mark?: number | null;
    /** Labels of people. A form has a file instead. */
    labels?:
      | {
          item_id?: string | null;
          case?: string | null;
          target?: string | null;
          epoch?: number | null;
          /** A number, or a word such as `pass` or `fail`, `yes` or `no` on a scale from 0 to 1. */
          label: number | string | boolean;
          annotator?: string;
        }[]
      | null;
  };
};
export type ListJudgesOfRunsApiResponse =
  /** status 200 Successful Response */ JudgesOfRuns;
export type ListJudgesOfRunsApiArg = {
  /** The runs, repeated. */
  runId: string[];
};
export type GetCalibrationApiResponse =
  /** status 200 Successful Response */ CalibrationOut;
export type GetCalibrationApiArg = {
  id: string;
};
export type RenameCalibrationApiResponse =
  /** status 200 Successful Response */ CalibrationOut;
export type RenameCalibrationApiArg = {
  id: string;
  renameCalibration: RenameCalibration;
};
export type DeleteCalibrationApiResponse = unknown;
export type DeleteCalibrationApiArg = {
  id: string;
};
export type ExportCalibrationApiResponse =
  /** status 200 Successful Response */ string;
export type ExportCalibrationApiArg = {
  id: string;
  format?: "json" | "csv";
};
export type PlanLabelsApiResponse =
  /** status 200 Successful Response */ PlannedLabels;
export type PlanLabelsApiArg = {
  id: string;
  /** Half the width of the interval. */
  halfWidth?: number;
  measure?: "pass_rate" | "mean";
  /** Answers of the run to correct. */
  answers?: number | null;
  labelCost?: number;
  /** By default the mean cost of a verdict. */
  judgeCost?: number | null;
  budget?: number | null;
};
export type CreateEvaluationApiResponse =
  | /** status 201 Successful Response */ EvaluationOut
  | /** status 202 Not scored yet: read it by its id. */ EvaluationOut;
export type CreateEvaluationApiArg = {
  /** A text of your choice: repeating the request with it does the work once. */
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
  /** Only the rounds of this experiment. */
  experimentId?: string | null;
  createdAfter?: string | null;
  createdBefore?: string | null;
};
export type CreateEvaluationBatchApiResponse =
  /** status 202 Successful Response */ BatchCreated;
export type CreateEvaluationBatchApiArg = {
  /** A text of your choice: repeating the request with it does the work once. */
  "Idempotency-Key"?: string | null;
  createBatch: {
    /** Criteria of G-Eval (`faithfulness`, `relevance` …), names of `custom_rubrics`, or kinds of evaluators (`GET /api/evaluators`) with their defaults. */
    metrics?: string[];
    /** Evaluators with parameters, in addition to `metrics`. */
    evaluators?: {
      kind: string;
      /** Its name in results, unique in the run; by default its kind. */
      name?: string | null;
      params?: {
        [key: string]: any;
      };
      /** Its weight in an answer's overall score, a weighted mean; 0 excludes it. */
      weight?: number;
      /** Whether an answer without its score is FAILED instead of COMPLETED. */
      required?: boolean;
      /** The score, on the evaluator's own scale, from which an answer passes. By default the evaluator decides. */
      pass_threshold?: number | null;
      /** The cases that it scores, by what they contain: `{"category": "sums"}`, `{"metadata": {"tags": ["hard"]}}`, `{"checks": [{}]}` for those with checks. By default all that it can score. */
      only?: {
        [key: string]: any;
      } | null;
      /** Likewise the cases that it does not score. */
      unless?: {
        [key: string]: any;
      } | null;
      /** By default the run's. Only for an evaluator that asks a model. */
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
          /** The JSON Schema of answers, sent in the way that the provider supports. */
          response_schema?: {
            name: string;
            json_schema: {
              [key: string]: any;
            };
          } | null;
        };
        concurrency?: number | null;
      } | null;
      /** Instead of the judge; by default the run's. */
      panel?: {
        /** Different models, preferably of different families. */
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
            /** The JSON Schema of answers, sent in the way that the provider supports. */
            response_schema?: {
              name: string;
              json_schema: {
                [key: string]: any;
              };
            } | null;
          };
          concurrency?: number | null;
        }[];
        /** How many of them have to give a score; by default all. With fewer, the medians of some answers cover other judges than the rest. */
        quorum?: number | null;
      } | null;
    }[];
    /** The model and prompt that produced an output. Further fields become metadata of the case. */
    metadata?: {
      model_name?: string | null;
      model_version?: string | null;
      model_provider?: string | null;
      prompt_version?: string | null;
      [key: string]: any;
    };
    /** The cost limit of the judges' calls. The run pauses when it is reached; `POST /api/runs/{id}/resume` with a higher limit continues it. */
    max_cost_usd?: number | null;
    name?: string | null;
    dataset_version_id?: string | null;
    config?: {
      /** A model that exactly one provider has; otherwise use `judge`. */
      evaluator_model?: string;
      /** The model with its provider; it overrides the name. */
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
          /** The JSON Schema of answers, sent in the way that the provider supports. */
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
      /** The same seed samples the same cases. */
      seed?: number | null;
      /** Judge calls in flight. A local model gets one, unless `judge.concurrency` allows more. */
      parallelism?: number;
      /** The metadata field that has the output of a version's cases, if no file is sent. */
      output_field?: string;
    };
    /** `column=field` maps a column of the file, for instance `answer=expected_output` or `response=output`. By default columns are recognised by name. */
    map?: string[];
    /** Called when the batch is over, signed by Standard Webhooks. */
    webhook_url?: string | null;
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
export type CreateJudgeCheckApiResponse =
  /** status 202 Successful Response */ JudgeCheckDetail;
export type CreateJudgeCheckApiArg = {
  /** A text of your choice: repeating the request with it does the work once. */
  "Idempotency-Key"?: string | null;
  createJudgeCheck: CreateJudgeCheck;
};
export type ListJudgeChecksApiResponse =
  /** status 200 Successful Response */ JudgeCheckPage;
export type ListJudgeChecksApiArg = {
  limit?: number;
  cursor?: string | null;
};
export type GetJudgeCheckApiResponse =
  /** status 200 Successful Response */ JudgeCheckDetail;
export type GetJudgeCheckApiArg = {
  checkId: string;
};
export type ListJudgeCheckCasesApiResponse =
  /** status 200 Successful Response */ CheckedCasePage;
export type ListJudgeCheckCasesApiArg = {
  checkId: string;
  /** Cases with a wrong or a missing verdict, or all. */
  found?: "wrong" | "missing" | "all";
  category?: string | null;
  limit?: number;
  cursor?: string | null;
};
export type AskPlaygroundApiResponse =
  /** status 201 Successful Response */ RunSummary;
export type AskPlaygroundApiArg = {
  /** A text of your choice: repeating the request with it does the work once. */
  "Idempotency-Key"?: string | null;
  askPlayground: AskPlayground;
};
export type KeepPlaygroundApiResponse =
  /** status 200 Successful Response */ RunSummary;
export type KeepPlaygroundApiArg = {
  runId: string;
  body: KeepRun | null;
};
export type ListBenchmarkSuitesApiResponse =
  /** status 200 Successful Response */ BenchmarkSuites;
export type ListBenchmarkSuitesApiArg = {
  limit?: number;
  offset?: number;
};
export type StartBenchmarkApiResponse =
  | /** status 200 With `dry_run`: the plan. */ PlanOut
  | /** status 201 Successful Response */ BenchmarkStarted;
export type StartBenchmarkApiArg = {
  /** Only show the plan: levels, batches, time and cost. */
  dryRun?: boolean;
  /** A text of your choice: repeating the request with it does the work once. */
  "Idempotency-Key"?: string | null;
  startBenchmark: StartBenchmarkWrite;
};
export type GetBenchmarkApiResponse =
  /** status 200 Successful Response */ BenchmarkRun;
export type GetBenchmarkApiArg = {
  runId: string;
};
export type GetSuiteOfRunApiResponse =
  /** status 200 Successful Response */ SuiteOfRun;
export type GetSuiteOfRunApiArg = {
  runId: string;
};
export type GetLeaderboardApiResponse =
  /** status 200 Successful Response */ Leaderboard;
export type GetLeaderboardApiArg = {
  /** The suite's name, or the id of one of its versions. */
  suite: string;
  /** Only runs of this version. */
  version?: number | null;
  /** Only targets of one of these providers. */
  providerId?: string[] | null;
  /** Only runs that finished at this time or later. */
  since?: string | null;
  /** Show the scores of this category of tasks. */
  category?: string | null;
  tag?: string[] | null;
};
export type PreviewRetentionApiResponse =
  /** status 200 Successful Response */ RetentionPreview;
export type PreviewRetentionApiArg = {
  /** By default the setting's days. */
  olderThanDays?: number | null;
};
export type PruneRunsApiResponse = /** status 200 Successful Response */ Pruned;
export type PruneRunsApiArg = {
  pruneRuns: PruneRuns;
};
export type ListSchedulesApiResponse =
  /** status 200 Successful Response */ SchedulePage;
export type ListSchedulesApiArg = void;
export type CreateScheduleApiResponse =
  /** status 201 Successful Response */ ScheduleSaved;
export type CreateScheduleApiArg = {
  createSchedule: CreateScheduleWrite;
};
export type NextTimesApiResponse =
  /** status 200 Successful Response */ DueTimes;
export type NextTimesApiArg = {
  cron: string;
  timeZone?: string;
  count?: number;
};
export type GetScheduleApiResponse =
  /** status 200 Successful Response */ ScheduleOut;
export type GetScheduleApiArg = {
  scheduleId: string;
};
export type UpdateScheduleApiResponse =
  /** status 200 Successful Response */ ScheduleSaved;
export type UpdateScheduleApiArg = {
  scheduleId: string;
  /** The ETag that you read before this change. If it is outdated: 412. */
  "if-match"?: string | null;
  scheduleIn: ScheduleInWrite;
};
export type DeleteScheduleApiResponse = unknown;
export type DeleteScheduleApiArg = {
  scheduleId: string;
};
export type PauseScheduleApiResponse =
  /** status 200 Successful Response */ ScheduleOut;
export type PauseScheduleApiArg = {
  scheduleId: string;
};
export type ResumeScheduleApiResponse =
  /** status 200 Successful Response */ ScheduleOut;
export type ResumeScheduleApiArg = {
  scheduleId: string;
};
export type RunScheduleApiResponse =
  /** status 202 Successful Response */ FiringOut;
export type RunScheduleApiArg = {
  scheduleId: string;
  /** A text of your choice: repeating the request with it does the work once. */
  "Idempotency-Key"?: string | null;
};
export type ListFiringsApiResponse =
  /** status 200 Successful Response */ FiringPage;
export type ListFiringsApiArg = {
  scheduleId: string;
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
};
export type ListExperimentsApiResponse =
  /** status 200 Successful Response */ ExperimentPage;
export type ListExperimentsApiArg = {
  limit?: number;
  offset?: number;
  status?: ExperimentStatus | null;
  type?: ExperimentType | null;
  search?: string | null;
};
export type CreateExperimentApiResponse =
  /** status 201 Successful Response */ ExperimentOut;
export type CreateExperimentApiArg = {
  experimentIn: ExperimentIn;
};
export type PlanExperimentApiResponse =
  /** status 200 Successful Response */ ExperimentPlan;
export type PlanExperimentApiArg = {
  planExperiment: PlanExperiment;
};
export type GetExperimentApiResponse =
  /** status 200 Successful Response */ ExperimentOut;
export type GetExperimentApiArg = {
  experimentId: string;
};
export type UpdateExperimentApiResponse =
  /** status 200 Successful Response */ ExperimentOut;
export type UpdateExperimentApiArg = {
  experimentId: string;
  /** The ETag that you read before this change. If it is outdated: 412. */
  "if-match"?: string | null;
  experimentIn: ExperimentIn;
};
export type DeleteExperimentApiResponse = unknown;
export type DeleteExperimentApiArg = {
  experimentId: string;
};
export type StartExperimentApiResponse =
  /** status 200 Successful Response */ ExperimentOut;
export type StartExperimentApiArg = {
  experimentId: string;
};
export type PauseExperimentApiResponse =
  /** status 200 Successful Response */ ExperimentOut;
export type PauseExperimentApiArg = {
  experimentId: string;
};
export type ResumeExperimentApiResponse =
  /** status 200 Successful Response */ ExperimentOut;
export type ResumeExperimentApiArg = {
  experimentId: string;
};
export type ConcludeExperimentApiResponse =
  /** status 200 Successful Response */ ExperimentOut;
export type ConcludeExperimentApiArg = {
  experimentId: string;
  concludeIn: ConcludeIn;
};
export type ArchiveExperimentApiResponse =
  /** status 200 Successful Response */ ExperimentOut;
export type ArchiveExperimentApiArg = {
  experimentId: string;
};
export type ListExperimentRoundsApiResponse =
  /** status 200 Successful Response */ RoundPage;
export type ListExperimentRoundsApiArg = {
  experimentId: string;
  limit?: number;
  offset?: number;
};
export type GetExperimentResultsApiResponse =
  /** status 200 Successful Response */ ResultsOut;
export type GetExperimentResultsApiArg = {
  experimentId: string;
};
export type ListExperimentLooksApiResponse =
  /** status 200 Successful Response */ LookPage;
export type ListExperimentLooksApiArg = {
  experimentId: string;
  limit?: number;
  offset?: number;
};
export type ListExperimentCasesApiResponse =
  /** status 200 Successful Response */ ExperimentCases;
export type ListExperimentCasesApiArg = {
  experimentId: string;
  /** By default the first treatment. */
  variantId?: string | null;
  /** The other variant; by default the control. */
  baselineId?: string | null;
  order?: "difference" | "-difference" | "size" | "position";
  limit?: number;
  offset?: number;
};
export type GetExperimentRecordApiResponse =
  /** status 200 The decision record, as Markdown or JSON. */ string;
export type GetExperimentRecordApiArg = {
  experimentId: string;
  format?: "markdown" | "json";
};
export type AssignUnitsApiResponse =
  /** status 200 Successful Response */ AssignmentsOut;
export type AssignUnitsApiArg = {
  experimentId: string;
  assignIn: AssignIn;
};
export type AddObservationsApiResponse =
  /** status 200 Successful Response */ ObservationsOut;
export type AddObservationsApiArg = {
  experimentId: string;
  observationsIn: ObservationsIn;
};
export type GetUsageApiResponse =
  /** status 200 Successful Response */ UsageOut;
export type GetUsageApiArg = {
  groupBy?: GroupBy;
  /** A day in UTC, such as 2026-11-24. */
  since?: string | null;
  /** A day in UTC, such as 2026-11-24. */
  until?: string | null;
  /** Only runs that this person created. */
  personId?: string | null;
  /** Only calls to this model. */
  model?: string | null;
};
export type GetBudgetApiResponse =
  /** status 200 Successful Response */ BudgetOut;
export type GetBudgetApiArg = void;
export type ExportUsageApiResponse =
  /** status 200 Successful Response */ string;
export type ExportUsageApiArg = {
  /** A day in UTC, such as 2026-11-24. */
  since?: string | null;
  /** A day in UTC, such as 2026-11-24. */
  until?: string | null;
  /** Only runs that this person created. */
  personId?: string | null;
  /** Only calls to this model. */
  model?: string | null;
};
export type RunType =
  "BENCHMARK" | "SINGLE" | "BATCH" | "JUDGE_CHECK" | "PLAYGROUND";
export type RunWarning = {
  kind:
    | "self_judging"
    | "same_family"
    | "one_family"
    | "cut_answers"
    | "judge_not_asked"
    | "unreadable_references"
    | "columns"
    | "adapted_request"
    | "repeated_secret"
    | "budget_nearly_spent"
    | "no_room";
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
  /** The JSON Schema of answers, sent in the way that the provider supports. */
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
  corrects?: string | null;
  /** The cases that it scores; null for all. */
  only?: {
    [key: string]: any;
  } | null;
  /** The cases that it does not score. */
  unless?: {
    [key: string]: any;
  } | null;
};
export type PromptRef = {
  prompt_id: string;
  version_id: string;
  name: string;
  number: number;
  content_hash: string;
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
  /** The prompt that makes the messages of each case. */
  prompt?: PromptRef | null;
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
  skipped?: number;
};
export type Interval = {
  low: number;
  high: number;
};
export type TargetScore = {
  target_id: string;
  scored: number;
  mean_score: number | null;
  mean_score_interval: Interval | null;
};
export type SampleOut = {
  size: number;
  strategy: "random" | "stratified";
  seed: number;
  seed_from: "name" | "request";
  tags?: string[];
  taken: number;
  of: number;
};
export type QueuePlace = {
  position: number;
  priority: number;
  estimated_start: string | null;
};
export type ScheduleRef = {
  id: string;
  name: string;
};
export type ExperimentRef = {
  id: string;
  name: string;
};
export type SubjectKind = "preset" | "suite";
export type SubjectOut = {
  kind: SubjectKind;
  id: string;
  name: string;
};
export type GateVerdict =
  | "pending"
  | "fine"
  | "worse"
  | "undecided"
  | "low coverage"
  | "not judged"
  | "the judge changed";
export type VerdictOnRun = {
  verdict: GateVerdict;
  passed: boolean | null;
  sentence: string | null;
  decided_at: string | null;
  baseline_run_id?: string | null;
};
export type SuiteRef = {
  suite_id: string;
  name: string;
  version_number: number;
};
export type RunCreated = {
  id: string;
  type: RunType;
  name: string;
  description: string | null;
  tags: string[];
  baseline_run_id: string | null;
  warnings: RunWarning[];
  /** The metadata key of its cases that groups dependent results. Null is the coarsest of document, conversation and case. */
  cluster_by: string | null;
  /** The clusters of its figures. */
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
  /** The last time when a finished run was reopened. */
  reopened_at: string | null;
  finished_at: string | null;
  took_s: number;
  mean_score: number | null;
  /** In the order of the targets; empty until something is counted. */
  target_scores?: TargetScore[];
  /** How many cases each target answers, in each epoch. */
  cases?: number;
  /** Null if the run has every case of its sources. */
  sample?: SampleOut | null;
  /** Set while the run is QUEUED. */
  queue?: QueuePlace | null;
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
  /** The schedule that started the run. */
  schedule?: ScheduleRef | null;
  /** The experiment that the run is a round of. */
  experiment?: ExperimentRef | null;
  /** Its end is compared with the subject's baselines. */
  subject?: SubjectOut | null;
  /** The only baseline that counts; null for all. */
  baseline_label?: string | null;
  /** Null if no gate applies, or until the run has finished. */
  gate?: VerdictOnRun | null;
  /** The suite of which this is a run. */
  suite?: SuiteRef | null;
  webhook_secret?: string | null;
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
  /** The JSON Schema of answers, sent in the way that the provider supports. */
  response_schema?: ResponseSchema | null;
};
export type JudgeChoice = {
  provider_id: string;
  model: string;
  params?: JudgeParams;
  concurrency?: number | null;
};
export type PanelChoice = {
  /** Different models, preferably of different families. */
  judges: JudgeChoice[];
  /** How many of them have to give a score; by default all. With fewer, the medians of some answers cover other judges than the rest. */
  quorum?: number | null;
};
export type EvaluatorInput = {
  kind: string;
  /** Its name in results, unique in the run; by default its kind. */
  name?: string | null;
  params?: {
    [key: string]: any;
  };
  /** Its weight in an answer's overall score, a weighted mean; 0 excludes it. */
  weight?: number;
  /** Whether an answer without its score is FAILED instead of COMPLETED. */
  required?: boolean;
  /** The score, on the evaluator's own scale, from which an answer passes. By default the evaluator decides. */
  pass_threshold?: number | null;
  /** The cases that it scores, by what they contain: `{"category": "sums"}`, `{"metadata": {"tags": ["hard"]}}`, `{"checks": [{}]}` for those with checks. By default all that it can score. */
  only?: {
    [key: string]: any;
  } | null;
  /** Likewise the cases that it does not score. */
  unless?: {
    [key: string]: any;
  } | null;
  /** By default the run's. Only for an evaluator that asks a model. */
  judge?: JudgeChoice | null;
  /** Instead of the judge; by default the run's. */
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
  /** The JSON Schema of answers, sent in the way that the provider supports. */
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
  /** A version of a prompt, which makes the messages of each case. The run keeps a copy. */
  prompt_version_id?: string | null;
};
export type SampleChoice = {
  /** How many cases; by default all that have the tags. */
  size?: number | null;
  /** Only cases with all of these tags, in `metadata.tags`. Of a conversation, one turn has to have them. Tasks have none. */
  tags?: string[];
  /** `stratified` takes the same share of each category, by largest remainders. */
  strategy?: "random" | "stratified";
  /** By default derived from the run's name, so that runs of one name have the same sample. Runs without a name share one, too. */
  seed?: number | null;
};
export type SubjectChoice = {
  kind: SubjectKind;
  id: string;
};
export type CreateRun = {
  name?: string | null;
  description?: string | null;
  tags?: string[];
  /** The run that this one is compared with. */
  baseline_run_id?: string | null;
  max_cost_usd?: number | null;
  cluster_by?: string | null;
  /** The judge of every evaluator that asks a model and names none. */
  judge?: JudgeChoice | null;
  /** The panel, instead of a judge, of every evaluator that asks a model and names neither. */
  panel?: PanelChoice | null;
  /** By default `case_checks` for cases with checks, and the rubric for the others. */
  evaluators?: EvaluatorInput[] | null;
  targets: TargetChoice[];
  collection_ids?: string[];
  /** PUBLISHED versions of datasets. A run draws on collections, on versions, or on both. */
  dataset_version_ids?: string[];
  /** The default of every target. */
  params?: Params;
  /** How often each task is asked. All answers to a task are one cluster. */
  epochs?: number;
  /** Calls in flight per model group. */
  concurrency?: number;
  /** How many models are called at the same time: at most one of each provider, and one local model. A provider is local if its address is private or unknown. With 1, models are called one after another. */
  parallel_groups?: number;
  /** The default for targets of HTTP_JSON providers is 5. */
  timeout_s?: number;
  /** The default for targets of HTTP_JSON providers is 2. */
  max_attempts?: number;
  /** Reuse an answer already paid for, if request and epoch are the same. It is marked `cached`. */
  use_cache?: boolean;
  /** How long a provider may be unavailable, or load its model, before its group fails. */
  max_backoff_s?: number;
  /** How many earlier turns of a conversation (question and answer) are sent with the next one, limited to the last 400,000 characters. */
  max_conversation_history?: number;
  /** Append the `choices` in a case's metadata to its question, one lettered line each, unless the question has them. */
  show_choices?: boolean;
  /** Ask each provider for its models first, and refuse the run when one is missing. */
  check_providers?: boolean;
  /** Let the judge score its own answers. */
  allow_self_judging?: boolean;
  /** Wait for the turn, as QUEUED, while another run is active. The default is a 409. */
  queue?: boolean;
  /** Only with `queue`; by default 0. */
  priority?: number | null;
  /** By default the run has every case. */
  sample?: SampleChoice | null;
  /** When the run ends, it is compared with the baselines of its subject, by their gates. */
  subject?: SubjectChoice | null;
  /** Only with `subject`: the one baseline to compare with. By default each one. */
  baseline_label?: string | null;
  /** Called when the run is over and its gates are decided, signed by Standard Webhooks. */
  webhook_url?: string | null;
};
export type CreateRunWrite = {
  name?: string | null;
  description?: string | null;
  tags?: string[];
  /** The run that this one is compared with. */
  baseline_run_id?: string | null;
  max_cost_usd?: number | null;
  cluster_by?: string | null;
  /** The judge of every evaluator that asks a model and names none. */
  judge?: JudgeChoice | null;
  /** The panel, instead of a judge, of every evaluator that asks a model and names neither. */
  panel?: PanelChoice | null;
  /** By default `case_checks` for cases with checks, and the rubric for the others. */
  evaluators?: EvaluatorInput[] | null;
  targets: TargetChoice[];
  collection_ids?: string[];
  /** PUBLISHED versions of datasets. A run draws on collections, on versions, or on both. */
  dataset_version_ids?: string[];
  /** The default of every target. */
  params?: Params;
  /** How often each task is asked. All answers to a task are one cluster. */
  epochs?: number;
  /** Calls in flight per model group. */
  concurrency?: number;
  /** How many models are called at the same time: at most one of each provider, and one local model. A provider is local if its address is private or unknown. With 1, models are called one after another. */
  parallel_groups?: number;
  /** The default for targets of HTTP_JSON providers is 5. */
  timeout_s?: number;
  /** The default for targets of HTTP_JSON providers is 2. */
  max_attempts?: number;
  /** Reuse an answer already paid for, if request and epoch are the same. It is marked `cached`. */
  use_cache?: boolean;
  /** How long a provider may be unavailable, or load its model, before its group fails. */
  max_backoff_s?: number;
  /** How many earlier turns of a conversation (question and answer) are sent with the next one, limited to the last 400,000 characters. */
  max_conversation_history?: number;
  /** Append the `choices` in a case's metadata to its question, one lettered line each, unless the question has them. */
  show_choices?: boolean;
  /** Ask each provider for its models first, and refuse the run when one is missing. */
  check_providers?: boolean;
  /** Let the judge score its own answers. */
  allow_self_judging?: boolean;
  /** Wait for the turn, as QUEUED, while another run is active. The default is a 409. */
  queue?: boolean;
  /** Only with `queue`; by default 0. */
  priority?: number | null;
  /** By default the run has every case. */
  sample?: SampleChoice | null;
  /** When the run ends, it is compared with the baselines of its subject, by their gates. */
  subject?: SubjectChoice | null;
  /** Only with `subject`: the one baseline to compare with. By default each one. */
  baseline_label?: string | null;
  /** Called when the run is over and its gates are decided, signed by Standard Webhooks. */
  webhook_url?: string | null;
  webhook_secret?: string | null;
};
export type RunSummary = {
  id: string;
  type: RunType;
  name: string;
  description: string | null;
  tags: string[];
  baseline_run_id: string | null;
  warnings: RunWarning[];
  /** The metadata key of its cases that groups dependent results. Null is the coarsest of document, conversation and case. */
  cluster_by: string | null;
  /** The clusters of its figures. */
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
  /** The last time when a finished run was reopened. */
  reopened_at: string | null;
  finished_at: string | null;
  took_s: number;
  mean_score: number | null;
  /** In the order of the targets; empty until something is counted. */
  target_scores?: TargetScore[];
  /** How many cases each target answers, in each epoch. */
  cases?: number;
  /** Null if the run has every case of its sources. */
  sample?: SampleOut | null;
  /** Set while the run is QUEUED. */
  queue?: QueuePlace | null;
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
  /** The schedule that started the run. */
  schedule?: ScheduleRef | null;
  /** The experiment that the run is a round of. */
  experiment?: ExperimentRef | null;
  /** Its end is compared with the subject's baselines. */
  subject?: SubjectOut | null;
  /** The only baseline that counts; null for all. */
  baseline_label?: string | null;
  /** Null if no gate applies, or until the run has finished. */
  gate?: VerdictOnRun | null;
  /** The suite of which this is a run. */
  suite?: SuiteRef | null;
};
export type RunPage = {
  items: RunSummary[];
  next_cursor: string | null;
};
export type RunSortKey =
  | "created_at"
  | "finished_at"
  | "name"
  | "status"
  | "took_s"
  | "best_score"
  | "cost_usd"
  | "cases"
  | "failed";
export type ChangeRun = {
  name?: string;
  description?: string | null;
  tags?: string[];
  baseline_run_id?: string | null;
  /** Null is the coarsest of document, conversation and case. Figures are counted again. */
  cluster_by?: string | null;
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
  /** The agreement of a panel's judges; null if it is no panel. */
  agreement: PanelAgreement | null;
  /** Figures of its judge; null if it asked none. */
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
  /** The agreement of a panel's judges; null if it is no panel. */
  agreement: PanelAgreement | null;
  /** Figures of its judge; null if it asked none. */
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
  corrects?: string | null;
  /** The cases that it scores; null for all. */
  only?: {
    [key: string]: any;
  } | null;
  /** The cases that it does not score. */
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
  parallel_groups: number;
};
export type Role = "baseline" | "anchor" | "both";
export type DecidedPair = {
  target_id: string;
  label: string;
  verdict: GateVerdict;
  sentence: string;
  mean: number | null;
  mean_here: number | null;
  mean_baseline: number | null;
  interval: Interval | null;
  cases: number;
  clusters: number;
  coverage: number;
};
export type JudgeCheckOut = {
  /** The run of the check, with the new scores. */
  run_id: string;
  answers: number;
  repeats: number;
  shift: number;
  p: number;
  changed: boolean;
};
export type DecidedGate = {
  gate_id: string;
  baseline_id: string;
  /** The label of the baseline. */
  label: string;
  role: Role;
  baseline_run_id: string;
  baseline_run_name: string;
  metric: string;
  /** The task of a suite that the gate is limited to. */
  task?: string | null;
  title: string;
  /** Whether the margin is a share of the baseline, as of cost and latency. */
  relative: boolean;
  margin: number;
  undecided: "fail" | "ok";
  verdict: GateVerdict;
  passed: boolean;
  lower_than_baseline: boolean;
  sentence: string;
  pairs: DecidedPair[];
  /** Null if no judge has an influence on the metric, or if there are too few answers. */
  judge_check?: JudgeCheckOut | null;
};
export type GroupStatus =
  "WAITING" | "WARMING_UP" | "OPEN" | "RELEASING" | "CLOSED" | "FAILED";
export type GroupOut = {
  id: string;
  phase: RunPhase;
  provider_id: string | null;
  provider_name: string;
  provider_type: string | null;
  model: string;
  status: GroupStatus;
  concurrency: number;
  total: number;
  done: number;
  failed: number;
  /** When the group began. Null while it waits, and after a retry. */
  opened_at: string | null;
  backoff_until: string | null;
  backoff_reason: string | null;
  out_of_credit_reason: string | null;
  failure_reason: string | null;
};
export type ZerosOut = {
  refused: number;
  malformed: number;
  later_turns: number;
  /** The same in a sentence. */
  note: string;
};
export type Figures = {
  items: number;
  completed: number;
  failed: number;
  /** Items that were not asked: a gate of their suite failed. */
  skipped?: number;
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
  /** Each answer's tokens after the first, divided by the time from its first token to its last. Both are summed over streamed answers before dividing. */
  mean_tokens_per_second: number | null;
  /** Seconds in which at least one answered call was under way, without pauses, waits for a provider and other targets' time. Null per category and task. */
  busy_s: number | null;
  /** Answers over `busy_s`. */
  requests_per_second: number | null;
  /** Completion tokens of those answers, divided by `busy_s`, over all concurrent calls. */
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
  /** For each target and all of them. Null per category and task, and where mean and comparison cover the same answers. */
  zeros?: ZerosOut | null;
};
export type CostParts = {
  answers_usd: number;
  judging_usd: number;
  other_usd: number;
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
  /** Items that were not asked: a gate of their suite failed. */
  skipped?: number;
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
  /** Each answer's tokens after the first, divided by the time from its first token to its last. Both are summed over streamed answers before dividing. */
  mean_tokens_per_second: number | null;
  /** Seconds in which at least one answered call was under way, without pauses, waits for a provider and other targets' time. Null per category and task. */
  busy_s: number | null;
  /** Answers over `busy_s`. */
  requests_per_second: number | null;
  /** Completion tokens of those answers, divided by `busy_s`, over all concurrent calls. */
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
  /** For each target and all of them. Null per category and task, and where mean and comparison cover the same answers. */
  zeros?: ZerosOut | null;
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
  /** Items that were not asked: a gate of their suite failed. */
  skipped?: number;
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
  /** Each answer's tokens after the first, divided by the time from its first token to its last. Both are summed over streamed answers before dividing. */
  mean_tokens_per_second: number | null;
  /** Seconds in which at least one answered call was under way, without pauses, waits for a provider and other targets' time. Null per category and task. */
  busy_s: number | null;
  /** Answers over `busy_s`. */
  requests_per_second: number | null;
  /** Completion tokens of those answers, divided by `busy_s`, over all concurrent calls. */
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
  /** For each target and all of them. Null per category and task, and where mean and comparison cover the same answers. */
  zeros?: ZerosOut | null;
  category: string;
};
export type TaskResult = {
  items: number;
  completed: number;
  failed: number;
  /** Items that were not asked: a gate of their suite failed. */
  skipped?: number;
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
  /** Each answer's tokens after the first, divided by the time from its first token to its last. Both are summed over streamed answers before dividing. */
  mean_tokens_per_second: number | null;
  /** Seconds in which at least one answered call was under way, without pauses, waits for a provider and other targets' time. Null per category and task. */
  busy_s: number | null;
  /** Answers over `busy_s`. */
  requests_per_second: number | null;
  /** Completion tokens of those answers, divided by `busy_s`, over all concurrent calls. */
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
  /** For each target and all of them. Null per category and task, and where mean and comparison cover the same answers. */
  zeros?: ZerosOut | null;
  task_id: string;
  category: string;
};
export type TagTargetResult = {
  target_id: string;
  label: string;
  items: number;
  scored: number;
  clusters: number;
  mean_score: number | null;
  mean_score_interval: Interval | null;
  pass_rate: number | null;
  pass_rate_interval: Interval | null;
};
export type TagResult = {
  items: number;
  completed: number;
  failed: number;
  /** Items that were not asked: a gate of their suite failed. */
  skipped?: number;
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
  /** Each answer's tokens after the first, divided by the time from its first token to its last. Both are summed over streamed answers before dividing. */
  mean_tokens_per_second: number | null;
  /** Seconds in which at least one answered call was under way, without pauses, waits for a provider and other targets' time. Null per category and task. */
  busy_s: number | null;
  /** Answers over `busy_s`. */
  requests_per_second: number | null;
  /** Completion tokens of those answers, divided by `busy_s`, over all concurrent calls. */
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
  /** For each target and all of them. Null per category and task, and where mean and comparison cover the same answers. */
  zeros?: ZerosOut | null;
  tag: string;
  targets: TagTargetResult[];
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
  /** The metadata key of its cases that groups dependent results. Null is the coarsest of document, conversation and case. */
  cluster_by: string | null;
  /** The clusters of its figures. */
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
  /** The last time when a finished run was reopened. */
  reopened_at: string | null;
  finished_at: string | null;
  took_s: number;
  mean_score: number | null;
  /** In the order of the targets; empty until something is counted. */
  target_scores?: TargetScore[];
  /** How many cases each target answers, in each epoch. */
  cases?: number;
  /** Null if the run has every case of its sources. */
  sample?: SampleOut | null;
  /** Set while the run is QUEUED. */
  queue?: QueuePlace | null;
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
  /** The schedule that started the run. */
  schedule?: ScheduleRef | null;
  /** The experiment that the run is a round of. */
  experiment?: ExperimentRef | null;
  /** Its end is compared with the subject's baselines. */
  subject?: SubjectOut | null;
  /** The only baseline that counts; null for all. */
  baseline_label?: string | null;
  /** Null if no gate applies, or until the run has finished. */
  gate?: VerdictOnRun | null;
  /** The suite of which this is a run. */
  suite?: SuiteRef | null;
  limits: RunLimits;
  /** The gates by which the run was compared. */
  gates: DecidedGate[];
  /** How requests were made: a group has `concurrency` calls in flight, and the next is sent when one has ended. Times count from sending. */
  load?: "closed_loop";
  groups: GroupOut[];
  totals: Figures;
  cost_parts: CostParts | null;
  results: TargetResult[];
  categories: CategoryResult[];
  tasks: TaskResult[] | null;
  /** The 200 tags of the most items, by name; only with `include=case_tags`. */
  case_tags?: TagResult[] | null;
  current: CurrentWork | null;
  others: CurrentWork[];
  last_seq: number;
};
export type MoveRun = {
  /** Counted from 1; the end of the queue if there are fewer. The run takes over the priority that this place needs. */
  position?: number | null;
  priority?: number | null;
};
export type ResumeRun = {
  /** A new cost limit, needed if the old one is reached. */
  max_cost_usd?: number | null;
};
export type RetryFailed = {
  /** By default all failed ones. */
  item_ids?: string[] | null;
};
export type RetryJudging = {
  item_ids?: string[] | null;
  judge?: JudgeChoice | null;
  /** The evaluator's name; by default all evaluators. */
  evaluator?: string | null;
  /** `all` has another judge score every answer of the run. Needs `judge`. */
  scope?: "failed" | "all";
  check_providers?: boolean;
  allow_self_judging?: boolean;
};
export type AddEvaluators = {
  evaluators: EvaluatorInput[];
  /** The judge of every evaluator that asks a model and names none. */
  judge?: JudgeChoice | null;
  /** The panel, instead of a judge, of every evaluator that asks a model and names neither. */
  panel?: PanelChoice | null;
  check_providers?: boolean;
  allow_self_judging?: boolean;
};
export type PromoteRevision = {
  revision_id: string;
};
export type OverrulingOut = {
  evaluator: string;
  /** The revision of the judge. */
  evaluator_revision_id: string;
  number: number;
  judge_score: number;
  /** Null if the score before was withdrawn. */
  score: number | null;
  reason: string | null;
  /** The name that the person gave, if there was no sign-in. */
  given_name: string | null;
  created_at: string;
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
  holds: boolean;
};
export type ItemOverrulings = {
  items: OverrulingOut[];
};
export type Overrule = {
  score: number;
  reason: string;
  /** The name of the person, if nobody is signed in. With sign-in it is the person who signed in: leave it out. */
  by?: string | null;
};
export type CommentOut = {
  id: string;
  text: string;
  /** The name that the person gave, if there was no sign-in. */
  given_name: string | null;
  created_at: string;
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
  /** True if the requesting person may delete it. */
  own: boolean;
};
export type ItemComments = {
  items: CommentOut[];
};
export type NewComment = {
  text: string;
  /** The name of the person, if nobody is signed in. With sign-in it is ignored. */
  by?: string | null;
};
export type RunsTagged = {
  /** How many runs have other tags than before. */
  changed: number;
};
export type TagRuns = {
  run_ids: string[];
  add?: string[];
  remove?: string[];
};
export type RunsDeleted = {
  deleted: string[];
  /** Runs that do not exist, for instance because they are deleted already. */
  missing: string[];
};
export type DeleteRuns = {
  run_ids: string[];
};
export type RunGroupOut = {
  key: string | null;
  runs: number;
  created_from?: string | null;
  created_before?: string | null;
};
export type RunGroups = {
  items: RunGroupOut[];
  next_cursor: string | null;
};
export type ItemStatus =
  | "NEW"
  | "IN_PROGRESS"
  | "WAITING_FOR_JUDGE"
  | "JUDGING"
  | "COMPLETED"
  | "FAILED"
  | "SKIPPED";
export type ItemFailure = {
  phase: RunPhase;
  kind: string;
  message: string;
  retryable: boolean;
  cause?: string | null;
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
  corrects?: string | null;
  by_person?: boolean;
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
  suite_task?: string | null;
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
  | "evaluator_score"
  | "time_ms"
  | "first_token_ms"
  | "tokens_per_second"
  | "completion_tokens"
  | "cost_usd"
  | "model"
  | "prompt_tokens"
  | "attempts"
  | "finish_reason";
export type ItemCount = {
  items: number;
  statuses: {
    [key: string]: number;
  };
  not_passed: number;
};
export type ExcerptScore = {
  evaluator: string;
  evaluator_revision_id: string;
  outcome: ("scored" | "unparsed" | "refused" | "errored") | null;
  raw: number | null;
  normalised: number | null;
  passed: boolean | null;
  extracted: string | null;
};
export type ItemExcerpt = {
  id: string;
  question: string | null;
  answer: string | null;
  expected: string | null;
  tags: string[];
  scores: ExcerptScore[];
};
export type ItemExcerpts = {
  items: ItemExcerpt[];
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
  /** The material that has to support the answer. */
  context?: string | null;
  /** Earlier turns, with given answers. */
  conversation?: ChatMessage[];
  /** The live conversation of which the case is one turn. Its earlier turns are cases as well, and are asked first. */
  conversation_id?: string | null;
  /** The case's place in its conversation, from 1. */
  turn?: number | null;
  expected_output?: string | null;
  ground_truth?: GroundTruth | null;
  metadata?: {
    [key: string]: any;
  };
  /** What an answer to this case has to satisfy. */
  checks?: Check[];
  /** The name of the case's task in a run of a suite. `task_id` and `conversation_id` begin with it. */
  suite_task?: string | null;
};
export type RenderedPrompt = {
  prompt_id: string;
  version_id: string;
  name: string;
  number: number;
  content_hash: string;
  system: string | null;
  user: string;
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
  /** The parts read from the answer and the reference; null for an evaluator that reads none. */
  extraction: ExtractionOut | null;
  /** Further results of the evaluator. */
  details: {
    [key: string]: any;
  };
  attempts: number;
  cost_usd: number | null;
  judge_model: string | null;
  judge_prompt: string | null;
  judge_reply: string | null;
  /** Parts of the judge's request or reply that were dropped or changed. */
  notes: string[];
  /** Places where the judge's reply repeated a secret of the call; each reads •••. */
  redactions: number;
  /** The judge's revision, if people corrected its scores. */
  corrects?: string | null;
  /** True if a person gave the score. */
  by_person?: boolean;
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
  suite_task?: string | null;
  run_id: string;
  case: Case;
  system_prompt: string | null;
  /** Null if the target has no prompt. */
  rendered: RenderedPrompt | null;
  answer: string | null;
  /** The model's reasoning before its answer, if the provider shows it. */
  reasoning: string | null;
  /** The model's own words, where it refused to answer. */
  refusal: string | null;
  /** Parts of the request or the answer that were dropped or changed. */
  notes: string[];
  /** Places where the answer repeated a secret of the call; each reads •••. */
  redactions: number;
  /** The citations that the service returned in fields; null if it has no such fields. */
  citations: Citation[] | null;
  usage: Usage | null;
  timings: Timings | null;
  cost: Cost | null;
  /** The request as it was sent, without headers. */
  request: {
    [key: string]: any;
  } | null;
  /** The provider's response, assembled from its stream. */
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
  score_edges: number[];
  time_edges_ms: number[];
  targets: TargetDistribution[];
  judges: JudgeCalls[];
};
export type FailureMessage = {
  message: string;
  items: number;
};
export type FailureCause = {
  phase: RunPhase;
  /** `unauthorized`, `no_connection`, `not_ready`, `busy`, `server_error`, `connection_lost`, `refusal`, `content_filter`, `timed_out`, `unparsed` …; also the filter `failure_cause` of the items. */
  cause: string;
  items: number;
  retryable: number;
  /** Labels of the affected targets. */
  targets: string[];
  /** The first three. */
  task_ids: string[];
  /** The three most frequent. */
  messages: FailureMessage[];
  /** How many different messages there are. */
  message_count: number;
};
export type RunFailures = {
  items: number;
  causes: FailureCause[];
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
  suite_task?: string | null;
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
  skipped?: number;
  cost_usd?: number;
  current?: CurrentWork | null;
  others?: CurrentWork[] | null;
};
export type GateNews = {
  verdict: GateVerdict;
  passed?: boolean | null;
  sentence?: string | null;
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
  gate?: GateNews | null;
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
export type ExportFormatOut = {
  /** The value of `format` in `GET /api/runs/{id}/export`. */
  name: string;
  title: string;
  /** The extension of its files, without a dot. */
  extension: string;
  media_type: string;
  description: string;
  /** Whether a file has room for one target only: choose it with `target_id`. */
  one_target: boolean;
  /** The kind of evaluator without which a run has nothing to write. */
  evaluator: string | null;
};
export type ExportFormats = {
  items: ExportFormatOut[];
};
export type ReportLinkOut = {
  id: string;
  created_at: string;
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
  expires_at: string;
  /** When the report was opened with it last; null if never. */
  opened_at: string | null;
};
export type ReportLinks = {
  items: ReportLinkOut[];
};
export type ReportLinkCreated = {
  link: ReportLinkOut;
  token: string;
  path: string;
};
export type NewReportLink = {
  expires_in_days?: number;
};
export type SharedReport = {
  name: string;
  expires_at: string;
};
export type BodyOpenSharedReport = {
  /** The token of the link. */
  token: string;
};
export type Break =
  | "model"
  | "prompt"
  | "parameters"
  | "cases"
  | "suite"
  | "judge"
  | "evaluators";
export type TrendPoint = {
  run_id: string;
  /** The time at which the run was created. */
  at: string;
  model: string;
  items: number;
  completed: number;
  failed: number;
  scored: number;
  mean_score: number | null;
  mean_score_interval: Interval | null;
  pass_rate: number | null;
  pass_rate_interval: Interval | null;
  priced: number;
  cost_usd: number | null;
  mean_time_ms: number | null;
  mean_tokens_per_second: number | null;
  breaks: Break[];
  /** In the trend of a suite: which of its tasks have no score. */
  completeness: string | null;
};
export type TrendSeries = {
  label: string;
  points: TrendPoint[];
};
export type Trend = {
  name: string;
  runs: number;
  more: boolean;
  series: TrendSeries[];
};
export type TrendName = {
  name: string;
  runs: number;
  last_run_id: string;
  last_at: string;
};
export type TrendNames = {
  items: TrendName[];
  suites: TrendName[];
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
export type PairedBy =
  "hand" | "only targets" | "label" | "model and parameters" | "model";
export type ColumnDifference = {
  name: string;
  baseline: string | null;
  here: string | null;
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
  /** Null while a run is active: `withheld` says which. */
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
  /** How the target was paired with the baseline's; null where columns were named. */
  paired_by: PairedBy | null;
  /** The settings that differ from the baseline's. */
  differs: ColumnDifference[];
  cases_in_both: number;
  only_baseline: number;
  only_here: number;
  /** Cases in both whose questions differ. */
  questions_differ: number;
  /** Cases in both whose references or checks differ. */
  references_changed: number;
  /** A sentence about changed references: the two columns were not scored against the same ground truth. Null if no reference differs. */
  references_note: string | null;
  /** Cases that cannot be compared: not in both columns, or not scored in both. */
  missing: number;
  /** The share of the shared cases that is scored in both; epochs count as fractions. Where tasks are weighed, the share of the task with the lowest one. */
  coverage: number;
  /** The task with the lowest coverage, where tasks are weighed. */
  least_covered: string | null;
  /** A sentence that says how the tasks of a suite count in `score`: as in the score of the suite, or each case equally, with the reason. Null if neither run is a run of a suite, or without scores. */
  weighting: string | null;
  /** Refused or malformed answers of the cases in both that count as 0. */
  zeros: number;
  baseline_zeros: number;
  score: ScoreComparison | null;
  passes: PassComparison | null;
  note: string | null;
  /** Why there is no verdict yet: a run is active. */
  withheld: string | null;
  /** One per evaluator that scored both columns, even if their overall scores are not comparable. Empty if a single evaluator alone determines the overall score. */
  evaluators: EvaluatorComparison[];
};
export type Comparison = {
  columns: ComparedColumn[];
  /** Its index in `columns`. */
  baseline: number;
  /** The number of cases that at least one column has. */
  cases: number;
  comparisons: ColumnComparison[];
  /** The metadata key whose values are clusters, if any. */
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
  /** Difference from the baseline, on 0…1; null in the baseline itself. */
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
  /** Whether the references or checks differ between columns. */
  reference_changed: boolean;
  cells: (Cell | null)[];
};
export type CaseGroups = {
  better: number;
  worse: number;
  equal: number;
  missing: number;
  changed: number;
  gained: number;
  lost: number;
};
export type ComparedCases = {
  items: ComparedCase[];
  /** The number of cases that the filters choose. */
  total: number;
  /** The number of cases in each group of `show`, by the other filters. */
  groups: CaseGroups;
  next_cursor: string | null;
};
export type Show =
  | "all"
  | "differing"
  | "better"
  | "worse"
  | "equal"
  | "missing"
  | "changed"
  | "gained"
  | "lost";
export type ComparedCategory = {
  category: string;
  cases: number;
  shared: number;
  spread: number | null;
  scores: (number | null)[];
};
export type CategoryMap = {
  compared: boolean[];
  total: number;
  categories: ComparedCategory[];
};
export type ScoreBin = {
  baseline: number;
  here: number;
};
export type ScorePair = {
  bin: ScoreBin;
  baseline: number;
  here: number;
  cases: number;
};
export type ScorePairs = {
  cases: number;
  pairs: ScorePair[];
};
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
  /** The task of a suite that the gate is limited to. */
  task?: string | null;
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
  /** The number of cases that at least one column has. */
  cases: number;
  comparisons: ColumnComparison[];
  /** The metadata key whose values are clusters, if any. */
  cluster_by: string | null;
  /** The index of the column whose verdict is better against every other one. */
  winner: number | null;
  /** Why there is no winner. */
  winner_reason: string | null;
  regressed: string[];
};
export type RunVerdict = {
  run_id: string;
  run_name: string;
  pairs: number;
  /** Summed over the pairs, like the counts of `score`. */
  cases_in_both: number;
  coverage: number;
  /** The task with the lowest coverage, where tasks are weighed. */
  least_covered: string | null;
  /** A sentence that says how the tasks of a suite count in `score`: as in the score of the suite, or each case equally, with the reason. Null if neither run is a run of a suite, or without scores. */
  weighting: string | null;
  /** Null where two different measures scored the runs: see `note`. */
  score: ScoreComparison | null;
  note: string | null;
  withheld: string | null;
  regressed: boolean;
};
export type UnpairedTarget = {
  run_id: string;
  run_name: string;
  target_id: string;
  label: string;
  reason: string;
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
  runs: RunVerdict[];
  unpaired: UnpairedTarget[];
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
export type PairChoice = {
  baseline_target_id: string;
  target_id: string;
};
export type GateChoice = {
  /** `score`, `pass_rate`, `cost`, `latency`, or the name of an evaluator that both runs have (`evaluator:<name>` if the evaluator has one of these four names). */
  metric: string;
  /** The largest acceptable loss: from 0 to 1 for scores and rates; a share of the baseline for cost and latency. */
  margin: number;
  /** A task of a suite that the gate is limited to. */
  task?: string | null;
  /** Decide even if an unchanged model would be fine in fewer than 80 of 100 comparisons. */
  force?: boolean;
};
export type CompareBenchmarks = {
  run_ids?: string[] | null;
  columns?: ColumnChoice[] | null;
  /** Targets of two runs, paired by hand. The others are paired by label, model and parameters. */
  pairs?: PairChoice[];
  /** The index of the run or column to compare the others with. */
  baseline?: number;
  /** The largest loss of the mean score (0…1) that does not count in `regressed`. */
  margin?: number;
  /** A metadata key of the cases: cases with the same value depend on each other, and are one cluster. By default the key of the runs. If they have none, a cluster is a document, else a conversation, else a case. */
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
  /** A metadata key of the cases: cases with the same value depend on each other, and are one cluster. By default the key of the runs. If they have none, a cluster is a document, else a conversation, else a case. */
  cluster_by?: string | null;
};
export type PromotedRun = {
  id: string;
  name: string;
};
export type SavedGate = {
  id: string;
  baseline_id: string;
  metric: string;
  /** The task of a suite that the gate is limited to. */
  task: string | null;
  title: string;
  /** Whether the margin is a share of the baseline, as it is for cost and latency. */
  relative: boolean;
  margin: number;
  undecided: "fail" | "ok";
  cluster_by: string | null;
  probability_fine: number;
  clusters: number;
  /** Whether the probability is at least 0.8. */
  holds: boolean;
  created_at: string;
  updated_at: string;
};
export type BaselineOut = {
  id: string;
  subject: SubjectOut;
  label: string;
  run: PromotedRun;
  anchor: PromotedRun;
  gates: SavedGate[];
  probability_fine: number | null;
  created_at: string;
  updated_at: string;
};
export type BaselinePage = {
  items: BaselineOut[];
  next_cursor: string | null;
};
export type CreateBaseline = {
  subject: SubjectChoice;
  /** Such as `main` or `v1.2`. */
  label?: string;
  run_id: string;
  note?: string | null;
};
export type PromoteRun = {
  run_id: string;
  role?: Role;
  note?: string | null;
};
export type Promotion = {
  id: string;
  run_id: string | null;
  run_name: string;
  role: Role;
  note: string | null;
  created_by: string | null;
  created_at: string;
};
export type PromotionPage = {
  items: Promotion[];
  next_cursor: string | null;
};
export type CreateGate = {
  /** `score`, `pass_rate`, `cost`, `latency`, or the name of an evaluator of the baseline (`evaluator:<name>` if the evaluator has one of these four names). */
  metric: string;
  task?: string | null;
  /** The largest acceptable loss: from 0 to 1 for scores and rates; a share of the baseline for cost and latency. */
  margin: number;
  /** `ok` lets an undecided gate pass, unless the run is certainly worse, by any amount. */
  undecided?: "fail" | "ok";
  cluster_by?: string | null;
};
export type ChangeGate = {
  /** The largest acceptable loss: from 0 to 1 for scores and rates; a share of the baseline for cost and latency. */
  margin?: number;
  /** `ok` lets an undecided gate pass, unless the run is certainly worse, by any amount. */
  undecided?: "fail" | "ok";
  cluster_by?: string | null;
};
export type PlannedJudgeCheck = {
  run_id: string;
  run_name: string;
  evaluators: string[];
  answers: number;
  repeats: number;
  sentence: string;
};
export type SavedGateChecked = {
  run_id: string;
  run_name: string;
  metric: string;
  title: string;
  relative: boolean;
  margin: number;
  holds: boolean;
  targets: GateCheckOut[];
  judge_checks: PlannedJudgeCheck[];
};
export type JudgeOut2 = {
  evaluator_revision_id: string;
  title: string;
  kind: string;
  judge_model: string | null;
  prompt_hash: string;
  schema_name: string;
  schema_version: string;
};
export type LabelSource = {
  kind: "TASK" | "FILE" | "REQUEST";
  /** The name of the annotation task, or of the file. */
  name: string | null;
  /** The question of the annotation task. */
  field?: string | null;
  /** Labelled answers that the judge did not score; they are left out. */
  unscored?: number;
  /** The size of the task's random slice. */
  audit_items?: number;
};
export type ScaleOut = {
  levels: number[];
  pass_mark: number;
};
export type MeasureOut = {
  value: number | null;
  answers: number;
  low: number | null;
  high: number | null;
  /** Why `value` is null. */
  undefined_because: string | null;
};
export type CorrectedFigure = {
  value: number;
  raw: number;
  weight: number;
  labels: number;
  clusters: number;
  low: number | null;
  high: number | null;
};
export type CorrectedOut = {
  target_id: string;
  target: string;
  /** Answers that the judge scored, without gold answers. */
  answers: number;
  /** Answers of the random slice that people labelled. */
  audited: number;
  pass_rate: CorrectedFigure | null;
  /** In the unit of the labels; null where labels only pass or fail. */
  mean: CorrectedFigure | null;
  undefined_because: string | null;
};
export type CalibrationSummary = {
  id: string;
  name: string;
  /** Null: the run was deleted. */
  run_id: string | null;
  run_name: string;
  judge: JudgeOut2;
  annotation_task_id: string | null;
  source: LabelSource;
  scale: ScaleOut;
  answers: number;
  labels: number;
  annotators: number;
  kappa: MeasureOut;
  /** The kappa of people among themselves. */
  ceiling: MeasureOut;
  bias: MeasureOut;
  corrected: CorrectedOut[];
  created_at: string;
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
};
export type CalibrationPage = {
  items: CalibrationSummary[];
  next_cursor: string | null;
};
export type MeasuresOut = {
  /** Cohen's quadratic kappa. */
  kappa: MeasureOut;
  spearman: MeasureOut;
  /** Mean of rater minus people, in the unit of the labels. Positive: generous. */
  bias: MeasureOut;
  /** Mean distance of rater and people, in the unit of the labels. */
  mean_error: number | null;
  /** The share of equal levels. */
  exact: MeasureOut;
  /** The share of levels that differ by one at most. */
  within_one: MeasureOut;
  /** The share of answers that people pass which the rater passes. */
  sensitivity: MeasureOut;
  /** The share of answers that people fail which the rater fails. */
  specificity: MeasureOut;
};
export type PartOut = {
  name: string;
  measures: MeasuresOut;
};
export type WorstOut = {
  item_id: string;
  target: string;
  task_id: string;
  epoch: number;
  judge: number;
  consensus: number;
  labels: {
    [key: string]: number;
  };
  question: string | null;
  answer: string | null;
  /** The judge's own reason. */
  reason: string | null;
};
export type TransportedOut = {
  target_id: string;
  target: string;
  /** Answers that the judge scored. */
  answers: number;
  raw: number;
  value: number | null;
  low: number | null;
  high: number | null;
  /** Why `value` is null. */
  undefined_because: string | null;
  assumes_transport?: true;
};
export type BasisOut = {
  correlation: number | null;
  spread: number | null;
};
export type CalibrationFigures = {
  judge: MeasuresOut;
  /** Krippendorff's ordinal alpha, the judge as one more rater. */
  alpha_with_judge: MeasureOut;
  /** Each person against the median of the others. */
  people: MeasuresOut;
  alpha_of_people: MeasureOut;
  by_category: PartOut[];
  by_length: PartOut[];
  /** `confusion[i][j]` counts answers that people put at level i and the judge at level j. */
  confusion: number[][];
  worst: WorstOut[];
  /** Empty where no labels of this run are a random sample. */
  corrected: CorrectedOut[];
  /** Empty for the labels of an annotation task, and for figures made before it existed. */
  transported?: TransportedOut[];
  of_pass_rate: BasisOut;
  of_mean: BasisOut;
  /** The mean cost of a verdict of the judge. */
  verdict_cost_usd: number | null;
};
export type CalibrationOut = {
  id: string;
  name: string;
  /** Null: the run was deleted. */
  run_id: string | null;
  run_name: string;
  judge: JudgeOut2;
  annotation_task_id: string | null;
  source: LabelSource;
  scale: ScaleOut;
  answers: number;
  labels: number;
  annotators: number;
  kappa: MeasureOut;
  /** The kappa of people among themselves. */
  ceiling: MeasureOut;
  bias: MeasureOut;
  corrected: CorrectedOut[];
  created_at: string;
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
  figures: CalibrationFigures;
};
export type JudgeOfRuns = {
  evaluator_revision_id: string;
  title: string;
  /** Its model, or the size of its panel. */
  judge: string;
  /** The newest of the runs that it scored. */
  run_id: string;
  /** Its newest calibration; one that was made on these runs comes first. Null: it has none. */
  calibration_id: string | null;
};
export type JudgesOfRuns = {
  judges: JudgeOfRuns[];
};
export type RenameCalibration = {
  name: string;
};
export type LabelPlanOut = {
  labels: number;
  /** Answers that only the judge scores. */
  others: number;
  /** The number of labels that would be as precise without a judge. */
  effective_labels: number;
  cost: number;
  /** The part of the cost that labels have. */
  cost_of_people: number;
  /** The part that verdicts have. The judge scores the labelled answers, too. */
  cost_of_judge: number;
};
export type PlannedLabels = {
  measure: "pass_rate" | "mean";
  correlation: number | null;
  spread: number | null;
  answers: number;
  label_cost: number;
  judge_cost: number;
  for_width: LabelPlanOut | null;
  width_impossible_because: string | null;
  for_budget: LabelPlanOut | null;
  budget_impossible_because: string | null;
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
  /** A model that exactly one provider has; otherwise use `judge`. */
  evaluator_model?: string;
  /** The model with its provider; it overrides the name. */
  judge?: JudgeChoice | null;
  /** Criteria of your own by their names in `metrics`: `description`, `anchors` (what the levels 1 to 5 mean), perhaps `steps` and `shows`. */
  custom_rubrics?: object;
  /** Seconds per model call. */
  timeout_s?: number;
  /** Ask the judge's provider for its models first. */
  check_providers?: boolean;
  /** Wait for the scores. If that takes long, the response is a 202 with the id to read. */
  sync?: boolean;
};
export type CreateEvaluation = {
  /** Criteria of G-Eval (`faithfulness`, `relevance` …), names of `custom_rubrics`, or kinds of evaluators (`GET /api/evaluators`) with their defaults. */
  metrics?: string[];
  /** Evaluators with parameters, in addition to `metrics`. */
  evaluators?: EvaluatorInput[];
  metadata?: Metadata;
  /** The cost limit of the judges' calls. The run pauses when it is reached; `POST /api/runs/{id}/resume` with a higher limit continues it. */
  max_cost_usd?: number | null;
  /** The prompt, or an object of `prompt`, `context`, `system_prompt` and `conversation`. */
  input:
    | string
    | {
        [key: string]: any;
      };
  /** The text to score. */
  output: string;
  expected_output?: string | null;
  /** The context that the output should rely on. */
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
  /** The experiment whose round the run is. */
  experiment_id?: string | null;
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
export type CheckedJudge = {
  provider_id: string;
  provider_name: string;
  model: string;
  params: {
    [key: string]: any;
  };
  /** The hash of each evaluator's prompt, by its kind. */
  prompts: {
    [key: string]: string;
  };
};
export type CaseSet = {
  name: string;
  digest: string;
  cases: number;
  built_in: boolean;
};
export type RateOut = {
  value: number | null;
  low: number | null;
  high: number | null;
  cases: number;
};
export type CategoryOut = {
  category: string;
  cases: number;
  accuracy: RateOut;
};
export type CheckFiguresOut = {
  cases: number;
  /** Verdicts that were asked for: cases times repeats. */
  asked: number;
  /** Verdicts by outcome: scored, unparsed, refused, errored, pending. */
  outcomes: {
    [key: string]: number;
  };
  /** Verdicts without a call, such as those on empty answers. They are in no rate. */
  by_program: number;
  /** A pair is right if both orders find the better answer. */
  accuracy: RateOut;
  pairs: RateOut;
  /** The accuracy on single answers: passed or failed as they should. */
  answers: RateOut;
  /** Pairs, each order by itself; guessing gives .5. */
  verdict_accuracy: RateOut;
  /** Pairs with the same verdict in both orders. */
  swap_consistency: RateOut;
  /** Decided orders that chose the text shown first; .5 is fair. */
  first_chosen: RateOut;
  /** Decided orders that chose the longer text. */
  longer_chosen: RateOut;
  /** The share of these cases in which the longer text is better. */
  longer_right: number | null;
  /** The accuracy where the better text is the longer one. */
  right_longer: RateOut;
  /** The accuracy where the better text is the shorter one. */
  right_shorter: RateOut;
  /** The accuracy on answers that talk to the judge. */
  injection: RateOut;
  /** Failing answers that passed. */
  too_lenient: RateOut;
  /** Passing answers that failed. */
  too_strict: RateOut;
  /** Repeated cases with the same verdict each time. */
  self_agreement: RateOut;
  cost_usd: number | null;
  cost_per_verdict_usd: number | null;
  categories: CategoryOut[];
};
export type JudgeCheckDetail = {
  /** Also the id of its run. */
  id: string;
  name: string;
  status: RunStatus;
  status_reason: string | null;
  judge: CheckedJudge;
  set: CaseSet;
  repeats: number;
  figures: CheckFiguresOut;
  created_at: string;
  finished_at: string | null;
};
export type CaseIn = {
  id: string;
  category?: string;
  question: string;
  context?: string | null;
  first?: string | null;
  second?: string | null;
  answer?: string | null;
  /** `first`, `second` or `tie` for two answers; `pass` or `fail` for one. */
  right: "first" | "second" | "tie" | "pass" | "fail";
  /** Why this is right, for people. */
  reason?: string | null;
};
export type CaseSetIn = {
  name: string;
  cases: CaseIn[];
};
export type CreateJudgeCheck = {
  judge: JudgeChoice;
  name?: string | null;
  set?: CaseSetIn | null;
  /** How often each case is judged; two or more show self-agreement. */
  repeats?: number;
  /** Seconds per model call. */
  timeout_s?: number;
  max_cost_usd?: number | null;
  /** Ask the judge's provider for its models first. */
  check_providers?: boolean;
};
export type JudgeCheckPage = {
  items: JudgeCheckDetail[];
  next_cursor: string | null;
};
export type VerdictOut = {
  repeat: number;
  item_id: string;
  outcome: string;
  verdict: string | null;
  choices: string[];
  score: number | null;
  reason: string | null;
  error: string | null;
  by_program: boolean;
};
export type CheckedCase = {
  id: string;
  category: string;
  question: string;
  context: string | null;
  first: string;
  second: string | null;
  right: string;
  why: string | null;
  verdicts: VerdictOut[];
};
export type CheckedCasePage = {
  items: CheckedCase[];
  next_cursor: string | null;
};
export type AskPlayground = {
  question: string;
  system_prompt?: string | null;
  /** The context that the answer should rely on. */
  context?: string | null;
  case_name?: string;
  category?: string;
  /** Read by the judge, if the answers are judged. */
  expected_output?: string | null;
  /** Read by the judge, if the answers are judged. */
  excellent?: string | null;
  /** Read by the judge, if the answers are judged. */
  good?: string | null;
  /** Read by the judge, if the answers are judged. */
  pass?: string | null;
  /** Read by the judge, if the answers are judged. */
  incorrect_answer_direction?: string | null;
  targets: TargetChoice[];
  /** The default of every target. */
  params?: Params;
  /** Seconds per model call. */
  timeout_s?: number;
  max_cost_usd?: number | null;
};
export type KeepRun = {
  name?: string | null;
};
export type BenchmarkSuiteOut = {
  suite_id: string;
  name: string;
  version: string;
  task_count: number;
  total_items: number;
  categories: string[];
};
export type BenchmarkSuites = {
  suites: BenchmarkSuiteOut[];
  total: number;
  has_more: boolean;
};
export type BenchmarkSuite = {
  suite_id: string;
  name: string;
  version: string;
  task_count: number;
};
export type BenchmarkModel2 = {
  name: string;
  /** The version of the model, read from a label of the form `name@version`, which a request with a version and without a label gets. Null for any other label. */
  version: string | null;
  provider: string;
  label: string;
};
export type BatchOut2 = {
  batch_id: number;
  level: number;
  tasks: string[];
  estimated_duration: number | null;
};
export type TaskGate = {
  task: string;
  min_score: number;
};
export type PlannedTaskOut = {
  name: string;
  category: string;
  level: number;
  after: string[];
  gate: TaskGate[];
  cases: number;
  items: number;
  estimated_seconds: number | null;
};
export type PlanOut = {
  suite: BenchmarkSuite;
  models: BenchmarkModel2[];
  levels: string[][];
  execution_plan: BatchOut2[];
  tasks: PlannedTaskOut[];
  total_batches: number;
  total_tasks: number;
  total_items: number;
  total_estimated_duration: number | null;
  estimated_seconds: number | null;
  /** The cost of the answers, without that of the judging. */
  estimated_cost_usd: number | null;
  notes: string[];
};
export type BenchmarkStarted = {
  run_id: string;
  status?: "QUEUED";
  run_status: RunStatus;
  suite: BenchmarkSuite;
  estimated_completion: string | null;
  warnings: string[];
  webhook_secret?: string | null;
};
export type ModelChoice = {
  name: string;
  version?: string | null;
  /** The name or id of a provider. */
  provider: string;
  config?: Params;
  /** By default the name and the version. */
  label?: string | null;
  /** By default `parallelism` for a hosted model, and 1 for a local one. */
  concurrency?: number | null;
};
export type JudgeModelChoice = {
  name: string;
  /** The name or id of a provider. */
  provider: string;
  config?: JudgeParams;
  concurrency?: number | null;
};
export type StartBenchmark = {
  /** A published version: `GET /v1/benchmarks/suites`. */
  suite_id: string;
  model?: ModelChoice | null;
  models?: ModelChoice[];
  /** Needed if an evaluator asks a judge. */
  judge?: JudgeModelChoice | null;
  /** Some of the tasks; by default all. */
  tasks?: string[] | null;
  /** Calls at a time to each hosted model. */
  parallelism?: number;
  /** How many models are called at the same time: at most one of each provider, and one local model. A provider is local if its address is private or unknown. With 1, models are called one after another. */
  parallel_groups?: number;
  name?: string | null;
  description?: string | null;
  tags?: string[];
  /** The place in the queue: higher priorities first, and first in, first out among equals. */
  priority?: number;
  /** When the run ends, compare it only with the suite's baseline of this label; by default with each. */
  baseline_label?: string | null;
  max_cost_usd?: number | null;
  timeout_s?: number | null;
  max_attempts?: number | null;
  /** Reuse an answer already paid for, if request and epoch are the same. It is marked `cached`. */
  use_cache?: boolean;
  /** Ask each provider for its models first. If a model is missing, refuse the run. */
  check_providers?: boolean;
  /** Let the judge score its own answers. */
  allow_self_judging?: boolean;
  /** Called when the run is over and its gates are decided. The call is signed by Standard Webhooks. */
  webhook_url?: string | null;
};
export type StartBenchmarkWrite = {
  /** A published version: `GET /v1/benchmarks/suites`. */
  suite_id: string;
  model?: ModelChoice | null;
  models?: ModelChoice[];
  /** Needed if an evaluator asks a judge. */
  judge?: JudgeModelChoice | null;
  /** Some of the tasks; by default all. */
  tasks?: string[] | null;
  /** Calls at a time to each hosted model. */
  parallelism?: number;
  /** How many models are called at the same time: at most one of each provider, and one local model. A provider is local if its address is private or unknown. With 1, models are called one after another. */
  parallel_groups?: number;
  name?: string | null;
  description?: string | null;
  tags?: string[];
  /** The place in the queue: higher priorities first, and first in, first out among equals. */
  priority?: number;
  /** When the run ends, compare it only with the suite's baseline of this label; by default with each. */
  baseline_label?: string | null;
  max_cost_usd?: number | null;
  timeout_s?: number | null;
  max_attempts?: number | null;
  /** Reuse an answer already paid for, if request and epoch are the same. It is marked `cached`. */
  use_cache?: boolean;
  /** Ask each provider for its models first. If a model is missing, refuse the run. */
  check_providers?: boolean;
  /** Let the judge score its own answers. */
  allow_self_judging?: boolean;
  /** Called when the run is over and its gates are decided. The call is signed by Standard Webhooks. */
  webhook_url?: string | null;
  webhook_secret?: string | null;
};
export type BenchmarkProgress = {
  total_tasks: number;
  completed_tasks: number;
  total_items: number;
  completed_items: number;
};
export type TaskState =
  "WAITING" | "RUNNING" | "COMPLETED" | "FAILED" | "SKIPPED";
export type BenchmarkTaskResult = {
  task_name: string;
  category: string;
  status: TaskState;
  score: number | null;
  interval: Interval | null;
  items_evaluated: number;
  items_correct: number;
  items_failed: number;
  items_skipped: number;
  skipped_because: string | null;
};
export type BenchmarkResults = {
  overall_score: number | null;
  interval: Interval | null;
  complete: boolean;
  /** A sentence on what the score leaves out, or on why it has no interval. */
  note: string | null;
  tasks: BenchmarkTaskResult[];
};
export type BenchmarkModelResults = {
  model: BenchmarkModel2;
  results: BenchmarkResults;
};
export type BenchmarkRun = {
  run_id: string;
  status: "QUEUED" | "RUNNING" | "COMPLETED" | "FAILED";
  run_status: RunStatus;
  status_reason: string | null;
  suite: BenchmarkSuite;
  model: BenchmarkModel2;
  progress: BenchmarkProgress;
  results: BenchmarkResults;
  models: BenchmarkModelResults[];
  cost_usd: number;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
};
export type Aggregation = "mean" | "weighted" | "macro";
export type SuiteTaskOut = {
  name: string;
  category: string;
  /** Tasks of a lower level are asked first. */
  level: number;
  after: string[];
  /** The task is skipped for a target unless each of these passes. */
  gate: TaskGate[];
  source_name: string;
  source_version: number | null;
  source_cases: number;
  cases: number;
  epochs: number;
  weight: number;
  sample: SampleOut | null;
  estimated_seconds: number | null;
};
export type MissingTask = {
  task: string;
  reason: string;
};
export type CategoryScoreOut = {
  score: number | null;
  interval: Interval | null;
  note: string | null;
  category: string;
  /** The tasks with a score. */
  tasks: string[];
};
export type TaskGateStatus = "OPEN" | "PASSED" | "FAILED";
export type TaskGateOut = {
  task: string;
  min_score: number;
  status: TaskGateStatus;
  score: number | null;
  scored: number;
};
export type TaskResultOut = {
  score: number | null;
  interval: Interval | null;
  note: string | null;
  task: string;
  category: string;
  state: TaskState;
  items: number;
  completed: number;
  failed: number;
  skipped: number;
  gates: TaskGateOut[];
  /** Why the task was skipped; null if it was not. */
  skipped_because: string | null;
  scored: number;
  clusters: number;
  verdicts: number;
  passed: number;
  pass_rate: number | null;
  pass_rate_interval: Interval | null;
  /** The cost of the answers with a known price; null if none has one. */
  cost_usd: number | null;
};
export type SuiteResultOut = {
  score: number | null;
  interval: Interval | null;
  note: string | null;
  target_id: string;
  label: string;
  model: string;
  /** Whether every task of the suite has a score. */
  complete: boolean;
  missing: MissingTask[];
  /** Null if the suite is complete. */
  completeness: string | null;
  scored: number;
  items: number;
  /** How many of the items were not asked, because a gate failed. */
  skipped: number;
  categories: CategoryScoreOut[];
  tasks: TaskResultOut[];
};
export type SuiteOfRun = {
  run_id: string;
  run_status: RunStatus;
  suite_id: string;
  name: string;
  version_number: number;
  aggregation: Aggregation;
  /** All tasks of the suite, also those that the run left out. */
  task_count: number;
  left_out: string[];
  tasks: SuiteTaskOut[];
  targets: SuiteResultOut[];
};
export type Difference = "version" | "cases" | "judge" | "evaluators";
export type LeaderboardEntry = {
  score: number | null;
  interval: Interval | null;
  note: string | null;
  rank_low: number;
  rank_high: number;
  label: string;
  model: string;
  provider_id: string | null;
  provider_name: string;
  run_id: string;
  target_id: string;
  finished_at: string;
  scored: number;
  items: number;
  /** The items of the target in the entire run. */
  answers: number;
  priced: number;
  cost_usd: number | null;
  mean_time_ms: number | null;
  p95_time_ms: number | null;
  mean_tokens_per_second: number | null;
};
export type NotListed = {
  label: string;
  run_id: string;
  reason: string;
};
export type Player = {
  label: string;
  target_id: string | null;
  strength: number;
  interval: Interval | null;
  rank_low: number;
  rank_high: number;
  games: number;
};
export type HeadToHead = {
  players: Player[];
  reason: string | null;
};
export type LeaderboardList = {
  suite_id: string;
  version_number: number;
  evaluators: string[];
  judges: string[];
  differs: Difference[];
  entries: LeaderboardEntry[];
  not_listed: NotListed[];
  /** Null without pairwise scores. */
  head_to_head: HeadToHead | null;
};
export type Leaderboard = {
  name: string;
  versions: number[];
  categories: string[];
  lists: LeaderboardList[];
  more: boolean;
};
export type OldRun = {
  id: string;
  name: string;
  finished_at: string;
  items: number;
};
export type Kept =
  "not_over" | "baseline" | "promoted" | "compared" | "too_young";
export type KeptRun = {
  id: string;
  name: string;
  status: RunStatus;
  finished_at: string | null;
  items: number;
  reason: Kept;
  why: string;
  removes_at: string | null;
};
export type KeptCount = {
  reason: Kept;
  runs: number;
};
export type RetentionPreview = {
  /** Runs older than this are removed automatically: the lower of `LLMBENCH_RETENTION_DAYS` and the organisation's `data_retention_days`. Null: none is. */
  retention_days: number | null;
  /** The requested age, or else the setting. Null: nothing is removed. */
  older_than_days: number | null;
  /** The oldest first. */
  removable: OldRun[];
  removable_runs: number;
  removable_items: number;
  /** Runs that will be old enough first come first. */
  kept: KeptRun[];
  kept_runs: KeptCount[];
};
export type Pruned = {
  removed: OldRun[];
  left: number;
};
export type PruneRuns = {
  /** Days since the run was over. */
  older_than_days: number;
};
export type WhatOut = {
  kind: string;
  request: {
    [key: string]: any;
  };
};
export type DueTime = {
  at: string;
  /** With its offset: `2026-11-25T02:00:00+01:00`. */
  local: string;
};
export type FiringCause = "DUE" | "REQUESTED";
export type FiringStatus = "STARTING" | "STARTED" | "SKIPPED" | "FAILED";
export type FiredRunOut = {
  id: string;
  name: string;
  status: RunStatus;
  outcome: RunOutcome | null;
  /** Why the run is paused, or failed. */
  reason: string | null;
};
export type FiringOut = {
  id: string;
  cause: FiringCause;
  status: FiringStatus;
  due_at: string;
  fired_at: string;
  missed: number;
  /** Why no run was created, or not yet. */
  reason: string | null;
  run: FiredRunOut | null;
};
export type ScheduleOut = {
  id: string;
  name: string;
  cron: string;
  time_zone: string;
  what: WhatOut;
  skip_if_running: boolean;
  paused: boolean;
  next_times: DueTime[];
  last: FiringOut | null;
  version: number;
  created_at: string;
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
  updated_at: string;
};
export type SchedulePage = {
  items: ScheduleOut[];
  next_cursor?: string | null;
};
export type ScheduleSaved = {
  id: string;
  name: string;
  cron: string;
  time_zone: string;
  what: WhatOut;
  skip_if_running: boolean;
  paused: boolean;
  next_times: DueTime[];
  last: FiringOut | null;
  version: number;
  created_at: string;
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
  updated_at: string;
  webhook_secret?: string | null;
};
export type RunToStart = {
  kind?: "run";
  request: CreateRun;
};
export type RunToStartWrite = {
  kind?: "run";
  request: CreateRunWrite;
};
export type SuiteToStart = {
  kind: "suite";
  request: StartBenchmark;
};
export type SuiteToStartWrite = {
  kind: "suite";
  request: StartBenchmarkWrite;
};
export type CreateSchedule = {
  /** Unique. Runs without a name of their own have it, too. */
  name: string;
  /** Five fields as in crontab(5): minute, hour, day of month, month, day of week. `0 2 * * 1-5` is 02:00 from Monday to Friday. */
  cron: string;
  /** A name of the IANA time zone database, such as Europe/Berlin. */
  time_zone?: string;
  what: RunToStart | SuiteToStart;
  /** Start nothing while the last run of the schedule is not over. */
  skip_if_running?: boolean;
  /** Create it without letting it start anything yet. */
  paused?: boolean;
};
export type CreateScheduleWrite = {
  /** Unique. Runs without a name of their own have it, too. */
  name: string;
  /** Five fields as in crontab(5): minute, hour, day of month, month, day of week. `0 2 * * 1-5` is 02:00 from Monday to Friday. */
  cron: string;
  /** A name of the IANA time zone database, such as Europe/Berlin. */
  time_zone?: string;
  what: RunToStartWrite | SuiteToStartWrite;
  /** Start nothing while the last run of the schedule is not over. */
  skip_if_running?: boolean;
  /** Create it without letting it start anything yet. */
  paused?: boolean;
};
export type DueTimes = {
  time_zone: string;
  items: DueTime[];
};
export type ScheduleIn = {
  /** Unique. Runs without a name of their own have it, too. */
  name: string;
  /** Five fields as in crontab(5): minute, hour, day of month, month, day of week. `0 2 * * 1-5` is 02:00 from Monday to Friday. */
  cron: string;
  /** A name of the IANA time zone database, such as Europe/Berlin. */
  time_zone?: string;
  what: RunToStart | SuiteToStart;
  /** Start nothing while the last run of the schedule is not over. */
  skip_if_running?: boolean;
};
export type ScheduleInWrite = {
  /** Unique. Runs without a name of their own have it, too. */
  name: string;
  /** Five fields as in crontab(5): minute, hour, day of month, month, day of week. `0 2 * * 1-5` is 02:00 from Monday to Friday. */
  cron: string;
  /** A name of the IANA time zone database, such as Europe/Berlin. */
  time_zone?: string;
  what: RunToStartWrite | SuiteToStartWrite;
  /** Start nothing while the last run of the schedule is not over. */
  skip_if_running?: boolean;
};
export type FiringPage = {
  items: FiringOut[];
  next_cursor: string | null;
};
export type ExperimentType =
  "AB_TEST" | "MULTI_ARM_BANDIT" | "PROMPT_COMPARISON" | "MODEL_COMPARISON";
export type ExperimentStatus =
  "DRAFT" | "RUNNING" | "PAUSED" | "CONCLUDED" | "ARCHIVED";
export type GuardrailMetric = {
  metric: string;
  margin: number;
  direction: "higher_is_better" | "lower_is_better";
  relative: boolean;
};
export type Method = "frequentist" | "bayesian" | "sequential";
export type Design = "paired" | "split";
export type ExperimentConfig = {
  method: Method;
  significance_level: number;
  design: Design;
  minimum_effect: number;
  power: number;
  minimum_sample_size: number | null;
  maximum_sample_size: number | null;
  maximum_duration_days: number | null;
  maximum_cost_usd: number | null;
  cluster_by: string | null;
  round_size: number | null;
  seed: number;
};
export type VariantOut = {
  variant_id: string;
  name: string;
  is_control: boolean;
  traffic_allocation: number;
  config: {
    [key: string]: any;
  };
  sample_count: number;
  metric_sum: number;
  metric_sum_squares: number;
  /** Units without a value. They are never counted as 0. */
  missing_count: number;
  /** Why the variant gets no further calls. */
  out_reason: string | null;
  out_at: string | null;
  created_at: string;
};
export type ExperimentProgress = {
  planned: number | null;
  done: number;
  rounds: number;
  looks: number;
  /** The cases of the sources. */
  cases: number;
  clusters: number;
  cost_usd: number;
  calls: number;
  planned_calls: number | null;
  saved_share: number | null;
};
export type StopRule =
  "decided" | "harmful" | "futile" | "planned" | "cases" | "duration" | "cost";
export type StopOut = {
  rule: StopRule;
  sentence: string;
  at: string;
};
export type ConclusionOut = {
  /** The id of a variant, or `no_winner`. */
  winner: string;
  winner_name: string | null;
  look: number | null;
  confidence: number | null;
  effect_size: number | null;
  p_value: number | null;
  probability_of_improvement: number | null;
  notes: string | null;
  declared_at: string;
  /** The person; null without sign-in. */
  declared_by: string | null;
};
export type ExperimentOut = {
  experiment_id: string;
  name: string;
  hypothesis: string | null;
  notes: string | null;
  type: ExperimentType;
  status: ExperimentStatus;
  /** Why the experiment is paused. */
  status_reason: string | null;
  primary_metric: string;
  direction: "higher_is_better" | "lower_is_better";
  guardrail_metrics: GuardrailMetric[];
  config: ExperimentConfig;
  variants: VariantOut[];
  sources:
    | {
        [key: string]: any;
      }
    | "none"
    | null;
  evaluators:
    | {
        [key: string]: any;
      }[]
    | null;
  judge: {
    [key: string]: any;
  } | null;
  panel: {
    [key: string]: any;
  } | null;
  calls: {
    [key: string]: any;
  };
  progress: ExperimentProgress;
  stopped: StopOut | null;
  conclusion: ConclusionOut | null;
  version: number;
  created_at: string;
  created_by: string | null;
  updated_at: string;
  started_at: string | null;
  concluded_at: string | null;
};
export type ExperimentPage = {
  experiments: ExperimentOut[];
  total: number;
  has_more: boolean;
};
export type GuardrailIn = {
  /** `score`, `pass_rate`, `latency`, `cost`, or the name of an evaluator, such as `faithfulness`. */
  metric: string;
  /** By default 0.05, and 0.1 for `cost` and `latency`. */
  margin?: number | null;
  /** By default `lower_is_better` for `cost` and `latency` only. */
  direction?: ("higher_is_better" | "lower_is_better") | null;
};
export type ConfigIn = {
  /** Only `sequential` stops early. `frequentist` and `bayesian` decide once, when the planned sample is complete. */
  method?: Method;
  significance_level?: number;
  /** `paired`, the default: every variant answers the same cases. `split`: each case, or each unit outside llmbench, gets one variant, by `traffic_allocation`. Bandits and observations have it by default. */
  design?: Design | null;
  /** The smallest difference of the primary metric that matters. For `cost` and `latency`, it is a share of the control's mean. */
  minimum_effect?: number;
  /** The probability of finding the minimum effect, if it is there. */
  power?: number;
  /** The fewest clusters of each variant before any decision. A cluster is a case, or several cases that depend on each other. */
  minimum_sample_size?: number | null;
  /** The planned sample of each variant. By default the number that the minimum effect needs, at most all cases. */
  maximum_sample_size?: number | null;
  maximum_duration_days?: number | null;
  maximum_cost_usd?: number | null;
  cluster_by?: string | null;
  /** Clusters of a round. By default a twentieth of the planned sample, at least 10; all at once for a method that looks only once. */
  round_size?: number | null;
  /** Orders the cases and assigns units. By default a random one. */
  seed?: number | null;
};
export type VariantModel = {
  /** Needed to start, unless `sources` is `none`. */
  provider_id?: string | null;
  name: string;
  version?: string | null;
};
export type VariantConfig = {
  model?: VariantModel | null;
  parameters?: Params;
  system_prompt?: string | null;
  /** Only shown: the name of a prompt's version that is kept outside llmbench. */
  prompt_version?: string | null;
  /** The version of a prompt that is rendered. */
  prompt_version_id?: string | null;
};
export type VariantIn = {
  name: string;
  is_control?: boolean;
  /** By default equal shares. Either all variants have one, or none; they add up to 1. */
  traffic_allocation?: number | null;
  config?: VariantConfig;
};
export type SourcesIn = {
  collection_ids?: string[];
  dataset_version_ids?: string[];
};
export type CallsIn = {
  /** Calls in flight per model group. */
  concurrency?: number;
  /** How many models are called at the same time: at most one of each provider, and one local model. A provider is local if its address is private or unknown. With 1, models are called one after another. */
  parallel_groups?: number;
  timeout_s?: number | null;
  max_attempts?: number | null;
  allow_self_judging?: boolean;
  /** Ask each provider for its models when the experiment starts. */
  check_providers?: boolean;
  /** The place in the queue: higher priorities first, and first in, first out among equals. */
  priority?: number;
};
export type ExperimentIn = {
  name: string;
  hypothesis?: string | null;
  type?: ExperimentType;
  /** `score`, `pass_rate`, `latency`, `cost`, or the name of an evaluator, such as `faithfulness`. */
  primary_metric: string;
  guardrail_metrics?: (string | GuardrailIn)[];
  config?: ConfigIn;
  variants: VariantIn[];
  /** The cases. `none`: the experiment is run elsewhere, and observations are sent. Null only in a draft. */
  sources?: SourcesIn | "none" | null;
  /** By default the evaluators that the metrics name. If they name none: `case_checks` for cases with checks, and the rubric for the others. */
  evaluators?: EvaluatorInput[] | null;
  judge?: JudgeChoice | null;
  panel?: PanelChoice | null;
  calls?: CallsIn;
  notes?: string | null;
};
export type EffectPoint = {
  effect: number;
  /** Null if no number suffices. */
  sample_size: number | null;
  power: number;
  calls: number | null;
  cost_usd: number | null;
};
export type VariantPlan = {
  name: string;
  cost_per_call_usd: number | null;
  seconds_per_call: number | null;
};
export type ExperimentPlan = {
  /** Clusters of each variant that the minimum effect needs; null if no number suffices. */
  sample_size: number | null;
  /** Clusters of each variant that are used: at most those of the sources. */
  planned: number;
  cases: number;
  clusters: number;
  enough: boolean;
  /** The power at the planned sample. */
  power: number;
  minimum_detectable_effect: number | null;
  rounds: number;
  round_size: number;
  /** Calls of the variants' models. */
  calls: number;
  /** Verdicts of the judge, or of all judges of a panel, about these answers. */
  judge_calls: number;
  expected_calls: number | null;
  cost_usd: number | null;
  duration_s: number | null;
  standard_deviation: number;
  /** The source of the standard deviation. */
  basis: string;
  method: string;
  curve: EffectPoint[];
  variants: VariantPlan[];
  warnings: string[];
};
export type PlanExperiment = {
  name?: string;
  hypothesis?: string | null;
  type?: ExperimentType;
  /** `score`, `pass_rate`, `latency`, `cost`, or the name of an evaluator, such as `faithfulness`. */
  primary_metric: string;
  guardrail_metrics?: (string | GuardrailIn)[];
  config?: ConfigIn;
  variants: VariantIn[];
  /** The cases. `none`: the experiment is run elsewhere, and observations are sent. Null only in a draft. */
  sources?: SourcesIn | "none" | null;
  /** By default the evaluators that the metrics name. If they name none: `case_checks` for cases with checks, and the rubric for the others. */
  evaluators?: EvaluatorInput[] | null;
  judge?: JudgeChoice | null;
  panel?: PanelChoice | null;
  calls?: CallsIn;
  notes?: string | null;
  /** The standard deviation of the differences between two variants (paired), or of the values (split). */
  standard_deviation?: number | null;
};
export type ConcludeIn = {
  /** The id of a variant, or `no_winner`. */
  winner: string;
  notes?: string | null;
};
export type RoundStatus =
  "STARTING" | "STARTED" | "OVER" | "FAILED" | "DROPPED";
export type RoundOut = {
  round_id: string;
  number: number;
  attempt: number;
  status: RoundStatus;
  variant_ids: string[];
  cases: number;
  run_id: string | null;
  run_status: RunStatus | null;
  run_outcome: RunOutcome | null;
  items: number;
  items_done: number;
  reason: string | null;
  created_at: string;
  ended_at: string | null;
};
export type RoundPage = {
  rounds: RoundOut[];
  total: number;
  has_more: boolean;
};
export type PrimaryResult = {
  mean: number | null;
  /** The standard deviation of the clusters' means. */
  std: number | null;
  confidence_interval: [number | null, number | null] | null;
  confidence_level: number;
  /** The method of the interval. */
  method: string | null;
  /** The mean of a bandit's variant without the bias of its allocation. */
  inverse_propensity_mean: number | null;
};
export type GuardrailResult = {
  metric: string;
  mean: number | null;
  control_mean: number | null;
  /** Against the control; a share of its mean if `relative`. */
  difference: number | null;
  interval: [number | null, number | null] | null;
  level: number;
  margin: number;
  relative: boolean;
  direction: "higher_is_better" | "lower_is_better";
  passed: boolean | null;
  lost: boolean;
  method: string | null;
  /** Why figures are null. */
  reason: string | null;
};
export type VariantMetrics = {
  primary: PrimaryResult;
  guardrails: GuardrailResult[];
};
export type VariantResult = {
  variant_id: string;
  name: string;
  is_control: boolean;
  is_out: boolean;
  out_reason: string | null;
  /** Clusters with a value. */
  sample_size: number;
  assigned: number;
  answered: number;
  missing: number;
  /** The share of the answers that have a value. */
  coverage: number | null;
  probability_best: number | null;
  /** The share of the next round, in a bandit. */
  next_allocation: number | null;
  metrics: VariantMetrics;
  /** Why figures are null. */
  reason: string | null;
};
export type ComparisonOut = {
  variant_id: string;
  name: string;
  state: string;
  sample_size: number;
  expected: number | null;
  relative: boolean;
  interval: [number | null, number | null] | null;
  level: number;
  method: string;
  /** The bootstrap-t interval, which has to agree before a difference is significant. */
  robust_interval: [number | null, number | null] | null;
  /** The asymptotic confidence sequence, shown from 100 clusters on. It decides nothing. */
  sequence: [number | null, number | null] | null;
  /** The difference as a share of the control's mean. */
  lift: number | null;
  p_value: number | null;
  raw_p_value: number | null;
  probability_of_improvement: number | null;
  risk_of_treatment: number | null;
  risk_of_control: number | null;
  effect_size: number | null;
  effect_word: string | null;
  power: number | null;
  sample_left: number;
  is_significant: boolean | null;
  favourable: boolean | null;
  sentence: string;
  /** Why figures are null. */
  reason: string | null;
};
export type SampleRatioOut = {
  chi_square: number | null;
  p_value: number | null;
  mismatch: boolean;
};
export type AnalysisOut = {
  winner: string | null;
  /** The treatment whose figures stand here. */
  best: string;
  p_value: number | null;
  probability_of_improvement: number | null;
  effect_size: number | null;
  is_significant: boolean | null;
  recommendation: string;
  /** The result in words for everybody. */
  sentence: string;
  /** unhealthy, n_left, ship, roll_back, harmful, futile, limit or review. */
  state: string;
  /** No more calls are needed. */
  done: boolean;
  sample_left: number;
  comparisons: ComparisonOut[];
  sample_ratio: SampleRatioOut;
  method: string;
  stopping_rule: string;
  assumptions: string[];
  library: string;
  warnings: string[];
};
export type ResultsOut = {
  experiment_id: string;
  status: ExperimentStatus;
  primary_metric: string;
  direction: "higher_is_better" | "lower_is_better";
  look: number | null;
  made_at: string | null;
  planned: number | null;
  done: number;
  variants: VariantResult[];
  analysis: AnalysisOut | null;
};
export type LookOut = {
  done: number;
  planned: number;
  variants: VariantResult[];
  analysis: AnalysisOut;
  look_id: string;
  number: number;
  round: number | null;
  made_at: string;
};
export type LookPage = {
  looks: LookOut[];
  total: number;
  has_more: boolean;
};
export type ExperimentCase = {
  case: string;
  position: number;
  round: number | null;
  value: number | null;
  baseline_value: number | null;
  difference: number | null;
  run_id: string | null;
  item_id: string | null;
  baseline_item_id: string | null;
};
export type ExperimentCases = {
  cases: ExperimentCase[];
  total: number;
  has_more: boolean;
};
export type AssignmentOut = {
  unit_id: string;
  variant_id: string;
  variant: string;
};
export type AssignmentsOut = {
  assignments: AssignmentOut[];
};
export type AssignIn = {
  unit_id?: string | null;
  unit_ids?: string[] | null;
};
export type ObservationsOut = {
  accepted: number;
  duplicates: number;
};
export type ObservationIn = {
  observation_id: string;
  /** The id of a user, a session, a request. */
  unit_id: string;
  variant_id: string;
  /** The value of the primary metric; null if it is missing. Scores and rates are from 0 to 1. */
  value: number | null;
  guardrails?: {
    [key: string]: number | null;
  };
  /** The name of a group of units that depend on each other. By default each unit is a cluster. */
  cluster?: string | null;
};
export type ObservationsIn = {
  observations: ObservationIn[];
};
export type GroupBy = "day" | "person" | "model";
export type UsageRow = {
  calls: number;
  unpriced_calls: number;
  prompt_tokens: number;
  completion_tokens: number;
  cost_usd: number;
  items: number;
  day?: string | null;
  person_id?: string | null;
  model?: string | null;
};
export type UsageSums = {
  calls: number;
  unpriced_calls: number;
  prompt_tokens: number;
  completion_tokens: number;
  cost_usd: number;
  items: number;
};
export type StorageOf = {
  person_id: string | null;
  bytes: number;
};
export type StorageOut = {
  bytes: number;
  limit_bytes: number | null;
  people: StorageOf[];
};
export type UsageOut = {
  since: string;
  until: string;
  group_by: GroupBy;
  /** Days in their order; people and models with the most expensive first. */
  rows: UsageRow[];
  totals: UsageSums;
  /** The same calls by day. */
  days: UsageRow[];
  /** Every model that was used in the period. */
  models: string[];
  /** Every person whose runs used a model in the period. */
  people: string[];
  storage: StorageOut;
};
export type BudgetOut = {
  month: string;
  /** The first day of the next month. */
  ends_on: string;
  budget_usd: number | null;
  spent_usd: number;
  /** Calls of unknown cost, which counts as 0. */
  unpriced_calls: number;
  state: "none" | "fine" | "warning" | "spent";
  /** A sentence that says what people should know and do; null if the state is fine. */
  message: string | null;
  /** The organisation's evaluators of runs that name none. */
  default_evaluators: string[];
};
