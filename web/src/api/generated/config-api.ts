// Types only: the endpoints are in config-api/, a file per tag.

export type ImportLlmEvalConfigApiResponse =
  /** status 201 Successful Response */ ImportedConfig;
export type ImportLlmEvalConfigApiArg = {
  /** The name of the evaluation preset for its settings. */
  presetName?: string;
  evalConfig: EvalConfigWrite;
};
export type ImportTasksApiResponse =
  /** status 200 Successful Response */ ImportResult;
export type ImportTasksApiArg = {
  format?:
    ("csv" | "json" | "jsonl" | "openai-evals" | "promptfoo" | "yaml") | null;
  /** Stored with each task; tasks without a name are named after it. */
  fileName?: string | null;
  /** Import the valid rows even if others are bad. */
  skipBadRows?: boolean;
  /** Say what would happen, and change nothing. */
  dryRun?: boolean;
  /** A task_id that already exists: a bad row, skipped, or replaced by the file's task. */
  onConflict?: "reject" | "skip" | "update";
  /** Put the tasks into this collection. */
  collectionId?: string | null;
  /** The collection by name; created if missing. */
  collectionName?: string | null;
  /** Recognise columns by their names, as uploads of datasets do: `prompt`, `answer`, … Columns with other names become metadata. By default a field that a task does not have is an error. */
  recognise?: boolean;
  /** `column=field`, repeatable: maps a column, for instance `right=expected_output`; `notes=ignore` leaves one out. The other columns are recognised by name. */
  map?: string[];
  /** With `recognise` or `map`, the category of rows that have none; by default the file's name. */
  category?: string | null;
  /** The file itself, in UTF-8, of any content type but that of a form. */
  body: Blob;
};
export type ExportTasksApiResponse = /** status 200 The file. */ any;
export type ExportTasksApiArg = {
  format?: "csv" | "json" | "jsonl" | "yaml";
  /** Searched in task_id, question and category, ignoring case. */
  q?: string | null;
  /** Exactly this task_id: without items it is free. */
  taskId?: string | null;
  category?: string | null;
  subcategory?: string | null;
  /** The tasks of a collection, in its order. */
  collectionId?: string | null;
  /** Tasks that are not in this collection. */
  notInCollection?: string | null;
};
export type PublishCollectionAsDatasetApiResponse =
  /** status 201 Successful Response */ VersionOut;
export type PublishCollectionAsDatasetApiArg = {
  id: string;
  publishCollection: PublishCollection;
};
export type PublishDocumentAsDatasetApiResponse =
  /** status 201 Successful Response */ DocumentPublished;
export type PublishDocumentAsDatasetApiArg = {
  documentId: string;
  publishDocument: PublishDocument;
};
export type ListAnnotatorsApiResponse =
  /** status 200 Successful Response */ AnnotatorPage;
export type ListAnnotatorsApiArg = {
  /** Searched in the name, ignoring case. */
  q?: string | null;
  status?: AnnotatorStatus | null;
  limit?: number;
  offset?: number;
};
export type CreateAnnotatorApiResponse =
  /** status 201 Successful Response */ AnnotatorOut;
export type CreateAnnotatorApiArg = {
  annotatorIn: AnnotatorIn;
};
export type GetAnnotatorApiResponse =
  /** status 200 Successful Response */ AnnotatorOut;
export type GetAnnotatorApiArg = {
  annotatorId: string;
};
export type ChangeAnnotatorApiResponse =
  /** status 200 Successful Response */ AnnotatorOut;
export type ChangeAnnotatorApiArg = {
  annotatorId: string;
  /** The ETag of the version that this change is based on; another version gives a 412. */
  "if-match"?: string | null;
  annotatorPatch: AnnotatorPatch;
};
export type ListAnnotationTasksApiResponse =
  /** status 200 Successful Response */ AnnotationTaskPage;
export type ListAnnotationTasksApiArg = {
  /** Searched in the name, ignoring case. */
  q?: string | null;
  status?: AnnotationStatus | null;
  limit?: number;
  offset?: number;
};
export type CreateAnnotationTaskApiResponse =
  /** status 201 Successful Response */ AnnotationTaskOut;
export type CreateAnnotationTaskApiArg = {
  annotationTaskIn: AnnotationTaskIn;
};
export type GetAnnotationTaskApiResponse =
  /** status 200 Successful Response */ AnnotationTaskOut;
export type GetAnnotationTaskApiArg = {
  taskId: string;
};
export type ChangeAnnotationTaskApiResponse =
  /** status 200 Successful Response */ AnnotationTaskOut;
export type ChangeAnnotationTaskApiArg = {
  taskId: string;
  /** The ETag of the version that this change is based on; another version gives a 412. */
  "if-match"?: string | null;
  annotationTaskPatch: AnnotationTaskPatch;
};
export type DeleteAnnotationTaskApiResponse = unknown;
export type DeleteAnnotationTaskApiArg = {
  taskId: string;
  /** Delete the labels that people gave, too. */
  withLabels?: boolean;
};
export type ActivateAnnotationTaskApiResponse =
  /** status 200 Successful Response */ AnnotationTaskOut;
export type ActivateAnnotationTaskApiArg = {
  taskId: string;
};
export type PauseAnnotationTaskApiResponse =
  /** status 200 Successful Response */ AnnotationTaskOut;
export type PauseAnnotationTaskApiArg = {
  taskId: string;
};
export type CompleteAnnotationTaskApiResponse =
  /** status 200 Successful Response */ AnnotationTaskOut;
export type CompleteAnnotationTaskApiArg = {
  taskId: string;
};
export type AnnotationProgressApiResponse =
  /** status 200 Successful Response */ Progress;
export type AnnotationProgressApiArg = {
  taskId: string;
  /** The least confidence at which an item counts as agreed on. */
  consensusThreshold?: number;
  method?: "majority" | "dawid_skene";
};
export type ListAnnotationItemsApiResponse =
  /** status 200 Successful Response */ ItemPage;
export type ListAnnotationItemsApiArg = {
  taskId: string;
  /** The items to list. `disagreement`: those below the threshold. */
  only?: "all" | "disagreement" | "flagged" | "decided";
  /** The least confidence at which an item counts as agreed on. */
  consensusThreshold?: number;
  method?: "majority" | "dawid_skene";
  limit?: number;
  offset?: number;
};
export type DecideAnnotationItemApiResponse =
  /** status 200 Successful Response */ ItemOut;
export type DecideAnnotationItemApiArg = {
  taskId: string;
  itemId: string;
  decision: Decision;
};
export type WithdrawDecisionApiResponse = unknown;
export type WithdrawDecisionApiArg = {
  taskId: string;
  itemId: string;
};
export type ExportAnnotationsApiResponse =
  /** status 200 Successful Response */ Exported;
export type ExportAnnotationsApiArg = {
  taskId: string;
  exportIn: ExportIn;
};
export type DownloadAnnotationsApiResponse = unknown;
export type DownloadAnnotationsApiArg = {
  taskId: string;
  format?: "JSON" | "CSV";
  /** The least confidence at which an item counts as agreed on. */
  consensusThreshold?: number;
  method?: "majority" | "dawid_skene";
};
export type MakeVersionFromConsensusApiResponse =
  /** status 201 Successful Response */ VersionOut;
export type MakeVersionFromConsensusApiArg = {
  taskId: string;
  versionFromConsensus: VersionFromConsensus;
};
export type ListAnnotationInvitationsApiResponse =
  /** status 200 Successful Response */ AnnotationInvitations;
export type ListAnnotationInvitationsApiArg = {
  taskId: string;
};
export type InviteAnnotatorApiResponse =
  /** status 201 Successful Response */ AnnotationInvitationCreated;
export type InviteAnnotatorApiArg = {
  taskId: string;
  annotationInvitationIn: AnnotationInvitationIn;
};
export type RevokeAnnotationInvitationApiResponse = unknown;
export type RevokeAnnotationInvitationApiArg = {
  taskId: string;
  invitationId: string;
};
export type ListWorkApiResponse =
  /** status 200 Successful Response */ WorkList;
export type ListWorkApiArg = {
  /** The annotator who labels. Leave it out if you have signed in: you are the annotator then. */
  annotatorId?: string | null;
};
export type ReadAnnotationInvitationApiResponse =
  /** status 200 Successful Response */ InvitedTo;
export type ReadAnnotationInvitationApiArg = {
  /** The token of the invitation link. */
  "Llmbench-Invitation": string;
};
export type NextInvitedItemApiResponse =
  /** status 200 Successful Response */ NextItem | null;
export type NextInvitedItemApiArg = {
  /** The token of the invitation link. */
  "Llmbench-Invitation": string;
};
export type SubmitInvitedAnnotationApiResponse =
  /** status 200 Successful Response */ Submitted;
export type SubmitInvitedAnnotationApiArg = {
  itemId: string;
  /** The token of the invitation link. */
  "Llmbench-Invitation": string;
  annotationIn: AnnotationIn;
};
export type SaveInvitedDraftApiResponse =
  /** status 200 Successful Response */ Saved;
export type SaveInvitedDraftApiArg = {
  itemId: string;
  /** The token of the invitation link. */
  "Llmbench-Invitation": string;
  draft: Draft;
};
export type UndoInvitedAnnotationApiResponse =
  /** status 200 Successful Response */ Undone;
export type UndoInvitedAnnotationApiArg = {
  /** The token of the invitation link. */
  "Llmbench-Invitation": string;
};
export type NextAnnotationItemApiResponse =
  /** status 200 Successful Response */ NextItem | null;
export type NextAnnotationItemApiArg = {
  taskId: string;
  /** The annotator who labels. Leave it out if you have signed in: you are the annotator then. */
  annotatorId?: string | null;
};
export type SubmitAnnotationApiResponse =
  /** status 200 Successful Response */ Submitted;
export type SubmitAnnotationApiArg = {
  taskId: string;
  itemId: string;
  /** The annotator who labels. Leave it out if you have signed in: you are the annotator then. */
  annotatorId?: string | null;
  annotationIn: AnnotationIn;
};
export type SaveAnnotationDraftApiResponse =
  /** status 200 Successful Response */ Saved;
export type SaveAnnotationDraftApiArg = {
  taskId: string;
  itemId: string;
  /** The annotator who labels. Leave it out if you have signed in: you are the annotator then. */
  annotatorId?: string | null;
  draft: Draft;
};
export type UndoAnnotationApiResponse =
  /** status 200 Successful Response */ Undone;
export type UndoAnnotationApiArg = {
  taskId: string;
  /** The annotator who labels. Leave it out if you have signed in: you are the annotator then. */
  annotatorId?: string | null;
};
export type ListCollectionsApiResponse =
  /** status 200 Successful Response */ CollectionPage;
export type ListCollectionsApiArg = {
  /** At most this many per page. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
  /** Searched in the name, ignoring case. */
  q?: string | null;
  /** The collections that hold the task with this `id`. */
  taskId?: string | null;
};
export type CreateCollectionApiResponse =
  /** status 201 Successful Response */ CollectionOut;
export type CreateCollectionApiArg = {
  collectionIn: CollectionIn;
};
export type GetCollectionApiResponse =
  /** status 200 Successful Response */ CollectionOut;
export type GetCollectionApiArg = {
  id: string;
};
export type UpdateCollectionApiResponse =
  /** status 200 Successful Response */ CollectionOut;
export type UpdateCollectionApiArg = {
  id: string;
  /** The ETag of the version that this change is based on; another version gives a 412. */
  "if-match"?: string | null;
  collectionIn: CollectionIn;
};
export type DeleteCollectionApiResponse = unknown;
export type DeleteCollectionApiArg = {
  id: string;
};
export type AssignTasksApiResponse =
  /** status 200 Successful Response */ CollectionOut;
export type AssignTasksApiArg = {
  id: string;
  /** The ETag of the version that this change is based on; another version gives a 412. */
  "if-match"?: string | null;
  assignTasks: AssignTasks;
};
export type CheckTestCaseFileApiResponse =
  /** status 200 Successful Response */ FileCheck;
export type CheckTestCaseFileApiArg = {
  /** By default recognised by the file's name. */
  format?: ("csv" | "ground-truth" | "json" | "jsonl" | "parquet") | null;
  /** `column=field`, repeatable: maps a column of the file, for instance `answer=expected_output`; `notes=ignore` leaves one out. By default columns are recognised by name; `mapping` in the response shows how. */
  map?: string[];
  body: {
    file: Blob;
  };
};
export type ListDatasetsApiResponse =
  /** status 200 Successful Response */ DatasetPage;
export type ListDatasetsApiArg = {
  limit?: number;
  offset?: number;
  /** Searched in the name, ignoring case. */
  q?: string | null;
  /** Exactly this one. */
  name?: string | null;
  type?: DatasetType | null;
  /** Has all of these tags. */
  tag?: string[] | null;
  /** Has a version in this state. */
  status?: VersionStatus | null;
  /** JSON that the metadata has to contain; a list, at least some entries: {"difficulty": "hard"} */
  filter?: string | null;
};
export type CreateDatasetApiResponse =
  /** status 201 Successful Response */ DatasetOut;
export type CreateDatasetApiArg = {
  datasetIn: DatasetIn;
};
export type GetDatasetApiResponse =
  /** status 200 Successful Response */ DatasetOut;
export type GetDatasetApiArg = {
  datasetId: string;
};
export type ChangeDatasetApiResponse =
  /** status 200 Successful Response */ DatasetOut;
export type ChangeDatasetApiArg = {
  datasetId: string;
  /** The ETag of the version that this change is based on; another version gives a 412. */
  "if-match"?: string | null;
  datasetPatch: DatasetPatch;
};
export type DeleteDatasetApiResponse = unknown;
export type DeleteDatasetApiArg = {
  datasetId: string;
};
export type UploadVersionApiResponse =
  /** status 201 Successful Response */ VersionOut;
export type UploadVersionApiArg = {
  datasetId: string;
  /** By default recognised by the file's name. */
  format?: ("csv" | "ground-truth" | "json" | "jsonl" | "parquet") | null;
  /** Keep a file with bad rows as an INVALID version, without cases. */
  keepInvalid?: boolean;
  /** `column=field`, repeatable: maps a column of the file, for instance `answer=expected_output`; `notes=ignore` leaves one out. By default columns are recognised by name; `mapping` in the response shows how. */
  map?: string[];
  body: {
    file: Blob;
    description?: string;
  };
};
export type ListDatasetVersionsApiResponse =
  /** status 200 Successful Response */ VersionPage;
export type ListDatasetVersionsApiArg = {
  datasetId: string;
  limit?: number;
  offset?: number;
};
export type GetDatasetVersionApiResponse =
  /** status 200 Successful Response */ VersionOut;
export type GetDatasetVersionApiArg = {
  datasetId: string;
  versionNumber: number;
};
export type DeleteDatasetVersionApiResponse = unknown;
export type DeleteDatasetVersionApiArg = {
  datasetId: string;
  versionNumber: number;
};
export type PublishDatasetVersionApiResponse =
  /** status 200 Successful Response */ VersionOut;
export type PublishDatasetVersionApiArg = {
  datasetId: string;
  versionNumber: number;
};
export type DeprecateDatasetVersionApiResponse =
  /** status 200 Successful Response */ VersionOut;
export type DeprecateDatasetVersionApiArg = {
  datasetId: string;
  versionNumber: number;
};
export type ListTestCasesApiResponse =
  /** status 200 Successful Response */ CasePage;
export type ListTestCasesApiArg = {
  datasetId: string;
  versionNumber: number;
  limit?: number;
  offset?: number;
  /** JSON that the metadata has to contain; a list, at least some entries: {"difficulty": "hard"} */
  filter?: string | null;
};
export type SampleTestCasesApiResponse =
  /** status 200 Successful Response */ Sample;
export type SampleTestCasesApiArg = {
  datasetId: string;
  versionNumber: number;
  sampleIn: SampleIn;
};
export type ExportDatasetVersionApiResponse = /** status 200 The file. */ any;
export type ExportDatasetVersionApiArg = {
  datasetId: string;
  versionNumber: number;
  format?: "csv" | "ground-truth" | "json" | "jsonl" | "parquet";
};
export type DeleteTestCasesApiResponse =
  /** status 200 Successful Response */ DeletedCases;
export type DeleteTestCasesApiArg = {
  datasetId: string;
  versionNumber: number;
  deleteCases: DeleteCases;
};
export type ChangeTestCaseApiResponse =
  /** status 200 Successful Response */ TestCaseOut;
export type ChangeTestCaseApiArg = {
  datasetId: string;
  versionNumber: number;
  testCaseId: string;
  testCasePatch: TestCasePatch;
};
export type DeleteTestCaseApiResponse = unknown;
export type DeleteTestCaseApiArg = {
  datasetId: string;
  versionNumber: number;
  testCaseId: string;
};
export type ListDocumentsApiResponse =
  /** status 200 Successful Response */ DocumentPage;
export type ListDocumentsApiArg = {
  limit?: number;
  offset?: number;
  /** Searched in the name, ignoring case. */
  q?: string | null;
  /** Exactly this one. */
  name?: string | null;
};
export type AddDocumentApiResponse =
  /** status 201 Successful Response */ DocumentOut;
export type AddDocumentApiArg = {
  body: {
    file: Blob;
    name?: string;
    description?: string;
  };
};
export type GetDocumentApiResponse =
  /** status 200 Successful Response */ DocumentOut;
export type GetDocumentApiArg = {
  documentId: string;
};
export type DeleteDocumentApiResponse = unknown;
export type DeleteDocumentApiArg = {
  documentId: string;
};
export type ListDocumentPagesApiResponse =
  /** status 200 Successful Response */ PageList;
export type ListDocumentPagesApiArg = {
  documentId: string;
  limit?: number;
  offset?: number;
};
export type ListEvaluatorsApiResponse =
  /** status 200 Successful Response */ EvaluatorPage;
export type ListEvaluatorsApiArg = void;
export type CountOrphanedUploadsApiResponse =
  /** status 200 Successful Response */ Orphans;
export type CountOrphanedUploadsApiArg = void;
export type SweepUploadsApiResponse =
  /** status 200 Successful Response */ Swept;
export type SweepUploadsApiArg = void;
export type ListPresetsApiResponse =
  /** status 200 Successful Response */ PresetPage;
export type ListPresetsApiArg = {
  /** At most this many per page. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
  /** Searched in the name, ignoring case. */
  q?: string | null;
  /** Exactly this name. */
  name?: string | null;
};
export type CreatePresetApiResponse =
  /** status 201 Successful Response */ PresetOut;
export type CreatePresetApiArg = {
  presetIn: PresetIn;
};
export type GetPresetApiResponse =
  /** status 200 Successful Response */ PresetOut;
export type GetPresetApiArg = {
  id: string;
};
export type UpdatePresetApiResponse =
  /** status 200 Successful Response */ PresetOut;
export type UpdatePresetApiArg = {
  id: string;
  /** The ETag of the version that this change is based on; another version gives a 412. */
  "if-match"?: string | null;
  presetIn: PresetIn;
};
export type DeletePresetApiResponse = unknown;
export type DeletePresetApiArg = {
  id: string;
};
export type ListPromptsApiResponse =
  /** status 200 Successful Response */ PromptPage;
export type ListPromptsApiArg = {
  /** At most this many per page. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
  /** Searched in the name, ignoring case. */
  q?: string | null;
  /** Exactly this name. */
  name?: string | null;
};
export type CreatePromptApiResponse =
  /** status 201 Successful Response */ PromptOut;
export type CreatePromptApiArg = {
  promptIn: PromptIn;
};
export type PreviewPromptApiResponse =
  /** status 200 Successful Response */ PreviewOut;
export type PreviewPromptApiArg = {
  previewIn: PreviewIn;
};
export type GetPromptApiResponse =
  /** status 200 Successful Response */ PromptOut;
export type GetPromptApiArg = {
  id: string;
};
export type UpdatePromptApiResponse =
  /** status 200 Successful Response */ PromptOut;
export type UpdatePromptApiArg = {
  id: string;
  /** The ETag of the version that this change is based on; another version gives a 412. */
  "if-match"?: string | null;
  promptChange: PromptChange;
};
export type DeletePromptApiResponse = unknown;
export type DeletePromptApiArg = {
  id: string;
};
export type ListPromptVersionsApiResponse =
  /** status 200 Successful Response */ PromptVersionPage;
export type ListPromptVersionsApiArg = {
  id: string;
  /** At most this many per page. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
};
export type AddPromptVersionApiResponse =
  /** status 201 Successful Response */ PromptVersionOut;
export type AddPromptVersionApiArg = {
  id: string;
  promptVersionIn: PromptVersionIn;
};
export type GetPromptVersionApiResponse =
  /** status 200 Successful Response */ PromptVersionOut;
export type GetPromptVersionApiArg = {
  id: string;
  /** The number of the version. */
  number: number;
};
export type ListProvidersApiResponse =
  /** status 200 Successful Response */ ProviderPage;
export type ListProvidersApiArg = {
  /** At most this many per page. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
  /** Searched in the name, ignoring case. */
  q?: string | null;
  /** Exactly this name: without items it is free. */
  name?: string | null;
};
export type CreateProviderApiResponse =
  /** status 201 Successful Response */ ProviderOut;
export type CreateProviderApiArg = {
  providerIn: ProviderIn;
};
export type ListProviderTypesApiResponse =
  /** status 200 Successful Response */ ProviderTypes;
export type ListProviderTypesApiArg = void;
export type TestUnsavedProviderApiResponse =
  /** status 200 Successful Response */ ProviderTest;
export type TestUnsavedProviderApiArg = {
  providerTestIn: ProviderTestIn;
};
export type GetProviderApiResponse =
  /** status 200 Successful Response */ ProviderOut;
export type GetProviderApiArg = {
  id: string;
};
export type UpdateProviderApiResponse =
  /** status 200 Successful Response */ ProviderOut;
export type UpdateProviderApiArg = {
  id: string;
  /** The ETag of the version that this change is based on; another version gives a 412. */
  "if-match"?: string | null;
  providerIn: ProviderIn;
};
export type DeleteProviderApiResponse = unknown;
export type DeleteProviderApiArg = {
  id: string;
};
export type ListProviderModelsApiResponse =
  /** status 200 Successful Response */ ProviderModels;
export type ListProviderModelsApiArg = {
  id: string;
};
export type TestProviderApiResponse =
  /** status 200 Successful Response */ ProviderTest;
export type TestProviderApiArg = {
  id: string;
};
export type ListSuitesApiResponse =
  /** status 200 Successful Response */ SuitePage;
export type ListSuitesApiArg = {
  /** At most this many per page. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
  /** Searched in the name, ignoring case. */
  q?: string | null;
  /** The newest version in this state. */
  status?: SuiteStatus | null;
};
export type CreateSuiteApiResponse =
  /** status 201 Successful Response */ SuiteOut;
export type CreateSuiteApiArg = {
  suiteIn: SuiteIn;
};
export type SuiteSchemaApiResponse = /** status 200 Successful Response */ {
  [key: string]: any;
};
export type SuiteSchemaApiArg = void;
export type ApplySuiteApiResponse =
  /** status 200 Successful Response */ Applied;
export type ApplySuiteApiArg = {
  applySuite: ApplySuite;
};
export type GetSuiteApiResponse =
  /** status 200 Successful Response */ SuiteOut;
export type GetSuiteApiArg = {
  id: string;
};
export type UpdateSuiteApiResponse =
  /** status 200 Successful Response */ SuiteOut;
export type UpdateSuiteApiArg = {
  id: string;
  /** The ETag of the version that this change is based on; another version gives a 412. */
  "if-match"?: string | null;
  suiteIn: SuiteIn;
};
export type DeleteSuiteApiResponse = unknown;
export type DeleteSuiteApiArg = {
  id: string;
};
export type PublishSuiteApiResponse =
  /** status 200 Successful Response */ SuiteOut;
export type PublishSuiteApiArg = {
  id: string;
};
export type ListSuiteVersionsApiResponse =
  /** status 200 Successful Response */ SuitePage;
export type ListSuiteVersionsApiArg = {
  id: string;
};
export type CreateSuiteVersionApiResponse =
  /** status 201 Successful Response */ SuiteOut;
export type CreateSuiteVersionApiArg = {
  id: string;
};
export type ListTasksApiResponse =
  /** status 200 Successful Response */ TaskPage;
export type ListTasksApiArg = {
  /** At most this many per page. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
  /** Downwards with a leading `-`. */
  sort?:
    | (
        | "task_id"
        | "-task_id"
        | "category"
        | "-category"
        | "created_at"
        | "-created_at"
        | "updated_at"
        | "-updated_at"
      )
    | null;
  /** Searched in task_id, question and category, ignoring case. */
  q?: string | null;
  /** Exactly this task_id: without items it is free. */
  taskId?: string | null;
  category?: string | null;
  subcategory?: string | null;
  /** The tasks of a collection, in its order. */
  collectionId?: string | null;
  /** Tasks that are not in this collection. */
  notInCollection?: string | null;
};
export type CreateTaskApiResponse =
  /** status 201 Successful Response */ TaskOut;
export type CreateTaskApiArg = {
  taskIn: TaskIn;
};
export type ListCategoriesApiResponse =
  /** status 200 Successful Response */ Categories;
export type ListCategoriesApiArg = void;
export type DeleteTasksApiResponse =
  /** status 200 Successful Response */ DeletedTasks;
export type DeleteTasksApiArg = {
  deleteTasks: DeleteTasks;
};
export type GetTaskApiResponse = /** status 200 Successful Response */ TaskOut;
export type GetTaskApiArg = {
  id: string;
};
export type UpdateTaskApiResponse =
  /** status 200 Successful Response */ TaskOut;
export type UpdateTaskApiArg = {
  id: string;
  /** The ETag of the version that this change is based on; another version gives a 412. */
  "if-match"?: string | null;
  taskIn: TaskIn;
};
export type DeleteTaskApiResponse = unknown;
export type DeleteTaskApiArg = {
  id: string;
};
export type ImportedModel = {
  name: string;
  role: "generator" | "evaluation";
  provider_id: string;
  model: string;
};
export type RunSettings = {
  concurrency: number;
  timeout_s: number;
  max_attempts: number;
  max_conversation_history: number;
  parallel_groups: number;
};
export type ImportedConfig = {
  models: ImportedModel[];
  run: RunSettings;
  max_conversation_history: number;
  preset_id: string;
  preset_name: string;
  /** Settings that had to be adapted. */
  notes: string[];
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
export type EvalModel = {
  name: string;
  endpoint: string;
  model_type?: "azure_openai" | "openai" | "custom";
  deployment_name?: string | null;
  api_version?: string;
};
export type EvalModelWrite = {
  name: string;
  endpoint: string;
  api_key: string;
  model_type?: "azure_openai" | "openai" | "custom";
  deployment_name?: string | null;
  api_version?: string;
};
export type EvaluationSettings = {
  /** Calls at a time to each model. */
  max_concurrent_calls?: number;
  /** Per call. */
  timeout_seconds?: number;
  /** After the first attempt. */
  max_retries?: number;
  /** How many earlier turns of a conversation a call contains. */
  max_conversation_history?: number;
  /** How many models of different providers are called at the same time. */
  parallel_groups?: number;
};
export type EvalConfig = {
  generator_model?: EvalModel | null;
  evaluation_models?: EvalModel[];
  settings?: EvaluationSettings;
};
export type EvalConfigWrite = {
  generator_model?: EvalModelWrite | null;
  evaluation_models?: EvalModelWrite[];
  settings?: EvaluationSettings;
};
export type BadRow = {
  line: number;
  field: string | null;
  message: string;
};
export type ImportNote = {
  line: number;
  message: string;
  count?: number;
};
export type MappedColumn = {
  column: string;
  field: string;
  by: "name" | "known" | "chosen" | "other";
};
export type RightAnswers = {
  /** Rows with an answer that evaluators compare with. */
  answers?: number;
  /** Rows with choices and a right answer. */
  choices?: number;
  /** Rows that describe an answer of a grade, for a judge. */
  grades?: number;
  /** Rows with sources that an answer has to cite. */
  citations?: number;
  /** Rows with checks of their own. */
  checks?: number;
  /** Rows without any of these. */
  none?: number;
};
export type ImportedInto = {
  /** Null for a collection that a dry run did not create. */
  id: string | null;
  name: string;
  created: boolean;
  /** Tasks that were not in it before. */
  added: number;
};
export type Turn = {
  role: "user" | "assistant";
  content: string;
};
export type CheckIn = {
  kind: string;
  params?: {
    [key: string]: any;
  };
  weight?: number;
  negate?: boolean;
};
export type TaskIn = {
  task_id: string;
  category: string;
  subcategory?: string | null;
  question: string;
  excellent?: string | null;
  good?: string | null;
  pass?: string | null;
  incorrect_answer_direction?: string | null;
  system_prompt?: string | null;
  /** The fixed turns before the question. */
  conversation?: Turn[];
  /** All right answers: evaluators compare with each. */
  accepted_answers?: string[];
  metadata?: {
    [key: string]: any;
  };
  /** What an answer to this case has to satisfy, by program evaluators. */
  checks?: CheckIn[];
};
export type PreviewedTask = {
  line: number;
  change: "created" | "updated" | "unchanged" | "skipped";
  task: TaskIn;
};
export type ImportResult = {
  format: string;
  dry_run: boolean;
  row_count: number;
  created?: number;
  updated?: number;
  unchanged?: number;
  skipped?: number;
  bad_row_count?: number;
  /** The first 100 faults. */
  bad_rows?: BadRow[];
  note_count?: number;
  /** The first 100 notes. */
  notes?: ImportNote[];
  /** The evaluators that a run over these tasks needs to score them as the file does, as `POST /api/runs` takes them. Empty if the usual ones suffice. */
  evaluators?: {
    [key: string]: any;
  }[];
  /** How the columns were read, in the fields of test cases; only with `recognise` or `map`. */
  mapping?: MappedColumn[];
  right_answers?: RightAnswers;
  collection?: ImportedInto | null;
  /** For a dry run, the first 20 valid rows. */
  preview?: PreviewedTask[];
};
export type ImportProblem = {
  type?: string;
  title: string;
  status: number;
  detail: string;
  errors?: ProblemField[];
  row_count?: number;
  bad_row_count?: number;
  bad_rows?: BadRow[];
  [key: string]: any;
};
export type VersionStatus = "DRAFT" | "PUBLISHED" | "DEPRECATED";
export type SchemaColumn = {
  name: string;
  type: string;
};
export type VersionSchema = {
  columns: SchemaColumn[];
};
export type ValidationStatus = "PENDING" | "VALID" | "INVALID";
export type VersionOut = {
  version_id: string;
  dataset_id: string;
  version_number: number;
  status: VersionStatus;
  description: string | null;
  row_count: number;
  file_uri: string;
  file_format: string;
  file_name: string | null;
  file_bytes: number;
  schema: VersionSchema;
  schema_hash: string;
  content_hash: string;
  validation_status: ValidationStatus;
  /** How the file's columns were read. */
  mapping: MappedColumn[];
  /** Warnings to read before publishing. */
  warnings: string[];
  /** The first 100. */
  validation_errors: string[];
  validation_error_count: number;
  created_at: string;
  published_at: string | null;
  deprecated_at: string | null;
};
export type PublishCollection = {
  dataset_name?: string | null;
  description?: string | null;
};
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
export type EvaluatorOfRun = {
  kind: string;
  params: {
    [key: string]: any;
  };
};
export type QuestionRun = {
  name: string;
  dataset_version_ids: string[];
  params: SamplingParams;
  evaluators: EvaluatorOfRun[];
};
export type DocumentPublished = {
  version: VersionOut;
  run: QuestionRun;
};
export type PublishDocument = {
  dataset_name?: string | null;
  description?: string | null;
  /** About, per case. */
  chunk_characters?: number;
  /** The maximum per chunk. */
  conversations?: number;
  /** The maximum of questions per conversation. */
  turns?: number;
  first_page?: number;
  /** By default the document's last page. */
  last_page?: number | null;
};
export type AnnotatorStatus = "ACTIVE" | "INACTIVE" | "BLOCKED";
export type AnnotatorOut = {
  annotator_id: string;
  /** The person who signs in; null for somebody else. */
  user_id: string | null;
  name: string;
  email: string | null;
  expertise_tags: string[];
  languages: string[];
  status: AnnotatorStatus;
  quality_score: number;
  total_annotations: number;
  /** The share of other people's labels that were the same. Null until a task is completed or exported. */
  agreement_rate: number | null;
  version: number;
  created_at: string;
  updated_at: string;
};
export type AnnotatorPage = {
  annotators: AnnotatorOut[];
  total: number;
  has_more: boolean;
};
export type AnnotatorIn = {
  name: string;
  email?: string | null;
  expertise_tags?: string[];
  languages?: string[];
};
export type AnnotatorPatch = {
  name?: string;
  email?: string | null;
  expertise_tags?: string[];
  languages?: string[];
  status?: AnnotatorStatus;
};
export type LabelledRun = {
  run_id: string;
  run_name: string;
  targets: string[];
  pairs: boolean;
  named: boolean;
};
export type FieldType =
  "classification" | "rating" | "ranking" | "text" | "pairwise" | "spans";
export type Option = {
  value: string;
  label?: string | null;
  description?: string | null;
};
export type Scale = {
  min: number;
  max: number;
  labels?: {
    [key: string]: string;
  };
};
export type Condition = {
  field: string;
  values: (string | number)[];
};
export type Field = {
  type: FieldType;
  options?: Option[];
  scale?: Scale | null;
  /** Several options may be chosen (classification only). */
  multiple?: boolean;
  name: string;
  title?: string | null;
  help?: string | null;
  required?: boolean;
  only_if?: Condition | null;
};
export type AnnotationSchema = {
  type?: FieldType | null;
  options?: Option[];
  scale?: Scale | null;
  multiple?: boolean;
  fields?: Field[];
};
export type AnswerPriority = "confidence" | "disagreement" | "pass_mark";
export type Sampling = {
  /** `stratified` is for cases of a dataset, `priority` for answers of a run. */
  strategy?: "random" | "stratified" | "priority";
  /** Which answers come first, besides the audit slice: `confidence` (the judge is least certain), `disagreement` (judges, or targets, differ most), `pass_mark` (the score is nearest to it). */
  priority?: AnswerPriority | null;
  /** Null: all cases. */
  sample_size?: number | null;
  /** A field of the metadata. */
  stratify_by?: string | null;
  /** Only cases whose metadata contains this. */
  filter?: {
    [key: string]: any;
  };
  /** Null: a random one. */
  seed?: number | null;
  /** The share of the items that is drawn at random as the audit slice. */
  audit_share?: number;
};
export type AnnotationStatus = "DRAFT" | "ACTIVE" | "PAUSED" | "COMPLETED";
export type AnnotationTaskOut = {
  task_id: string;
  /** Null: the items are answers of a run, or the dataset was deleted. The items stay. */
  dataset_version_id: string | null;
  /** Null: the items are cases of a dataset. */
  source?: LabelledRun | null;
  name: string;
  description: string | null;
  instructions: string;
  annotation_schema: AnnotationSchema;
  required_annotations_per_item: number;
  allow_skip: boolean;
  show_reference: boolean;
  time_limit_seconds: number | null;
  lease_s: number;
  sampling_config: Sampling;
  status: AnnotationStatus;
  /** Without gold items. */
  total_items: number;
  completed_items: number;
  version: number;
  created_at: string;
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
  updated_at: string;
  completed_at: string | null;
};
export type AnnotationTaskPage = {
  tasks: AnnotationTaskOut[];
  total: number;
  has_more: boolean;
};
export type RunSource = {
  run_id: string;
  /** If empty: all targets. */
  target_ids?: string[];
  /** Show the answers of two targets to the same case side by side, in random order. */
  pairs?: boolean;
  /** Show the names of the targets. It influences what people say. */
  named?: boolean;
};
export type Gold = {
  /** The name of a case of the version, or of the run. */
  case: string;
  /** The target that answered, where several did. */
  target?: string | null;
  /** The epoch, where there are several. */
  epoch?: number | null;
  labels: object;
};
export type AnnotationTaskIn = {
  name: string;
  description?: string | null;
  dataset_version_id?: string | null;
  run?: RunSource | null;
  /** Markdown. */
  instructions: string;
  annotation_schema: AnnotationSchema;
  required_annotations_per_item?: number;
  allow_skip?: boolean;
  /** Show the expected output to annotators. It influences what they say. */
  show_reference?: boolean;
  time_limit_seconds?: number | null;
  /** How long an item is held for one person. */
  lease_s?: number;
  sampling_config?: Sampling;
  gold?: Gold[];
};
export type AnnotationTaskPatch = {
  name?: string;
  description?: string | null;
  instructions?: string;
  lease_s?: number;
  time_limit_seconds?: number | null;
};
export type CoefficientOut = {
  value: number | null;
  low: number | null;
  high: number | null;
  items: number;
  undefined_because: string | null;
};
export type PairOut = {
  first: string;
  second: string;
  items: number;
  /** The share of equal labels. */
  exact: number;
  kappa: number | null;
  undefined_because: string | null;
};
export type FieldAgreement = {
  field: string;
  level: ("nominal" | "ordinal") | null;
  krippendorff_alpha: CoefficientOut | null;
  interpretation: string | null;
  fleiss_kappa: CoefficientOut | null;
  /** The 100 pairs with the most items in common. */
  cohens_kappas: PairOut[];
  not_measured_because: string | null;
};
export type AgreementMetrics = {
  krippendorff_alpha: number | null;
  fleiss_kappa: number | null;
  interpretation: string | null;
  undefined_because: string | null;
  fields: FieldAgreement[];
};
export type AnnotatorWork = {
  annotator_id: string;
  name: string;
  status: AnnotatorStatus;
  annotations_count: number;
  skipped: number;
  flagged: number;
  agreement_rate: number | null;
  average_time_seconds: number | null;
  gold_total: number;
  gold_right: number;
  /** Expected share of right labels (Dawid and Skene), over all fields. */
  skill: number | null;
};
export type Progress = {
  status: AnnotationStatus;
  total_items: number;
  completed_items: number;
  /** Items whose labels agree at least as much as the threshold asks. */
  items_with_consensus: number;
  consensus_threshold: number;
  method: "majority" | "dawid_skene";
  total_annotations: number;
  skipped: number;
  flagged: number;
  surplus: number;
  open_leases: number;
  decided_items: number;
  agreement_metrics: AgreementMetrics;
  annotator_stats: AnnotatorWork[];
};
export type ShownAnswer = {
  text: string;
  /** The target that gave it, where the task shows names. */
  target?: string | null;
};
export type CaseToLabel = {
  input: {
    [key: string]: any;
  };
  /** A model's answer; null for pairs, and if people label the case itself. */
  output: string | null;
  /** The expected output, where the task shows it. */
  reference: string | null;
  /** The target that answered, where the task shows names. */
  target?: string | null;
  /** The two answers of a pair, `a` before `b`; else empty. */
  answers?: ShownAnswer[];
};
export type LabelOut = {
  annotation_id: string;
  annotator_id: string;
  annotator: string;
  labels: {
    [key: string]: any;
  };
  time_spent_seconds: number;
  skipped: boolean;
  skip_reason: string | null;
  flagged: boolean;
  flag_reason: string | null;
  note: string | null;
  surplus: boolean;
  /** False for skips, surplus labels, and labels of blocked annotators. */
  counts: boolean;
  agreement_score: number | null;
  created_at: string;
};
export type FieldConsensus = {
  field: string;
  value: any;
  confidence: number | null;
  votes: number;
  not_measured_because: string | null;
};
export type DecisionOut = {
  labels: {
    [key: string]: any;
  };
  reason: string | null;
  decided_by: string | null;
  decided_at: string;
};
export type ItemOut = {
  item_id: string;
  name: string;
  position: number;
  test_case: CaseToLabel;
  is_audit: boolean;
  gold: {
    [key: string]: any;
  } | null;
  done: boolean;
  labels: LabelOut[];
  consensus: FieldConsensus[];
  /** The lowest of the fields; null without a label. */
  confidence: number | null;
  decision: DecisionOut | null;
};
export type ItemPage = {
  items: ItemOut[];
  total: number;
  has_more: boolean;
};
export type Decision = {
  labels: object;
  reason?: string | null;
};
export type Exported = {
  download_url: string;
  /** Null: the address does not expire, and asks for the usual rights. */
  expires_at: string | null;
  /** Items with consensus or a decision. */
  item_count: number;
};
export type ExportIn = {
  consensus_threshold?: number;
  format?: "JSON" | "CSV";
  method?: "majority" | "dawid_skene";
};
export type VersionFromConsensus = {
  consensus_threshold?: number;
  method?: "majority" | "dawid_skene";
  /** The field that is the right answer. By default the first that has a consensus. */
  field?: string | null;
  /** Answers of a run: the labels of `field` with which an answer becomes the ground truth of its case. A pair needs none: the better answer does. */
  accept?: (string | number)[];
  /** The version to start from, where answers belong to cases of several versions. */
  dataset_version_id?: string | null;
  publish?: boolean;
};
export type AnnotationInvitationOut = {
  invitation_id: string;
  annotator_id: string;
  annotator: string;
  status: "OPEN" | "EXPIRED" | "REVOKED";
  expires_at: string;
  /** When the link was opened last. */
  used_at: string | null;
  created_at: string;
};
export type AnnotationInvitations = {
  invitations: AnnotationInvitationOut[];
};
export type AnnotationInvitationCreated = {
  invitation: AnnotationInvitationOut;
  token: string;
  path: string;
};
export type AnnotationInvitationIn = {
  annotator_id?: string | null;
  name?: string | null;
  email?: string | null;
  expires_in_hours?: number;
};
export type Work = {
  task_id: string;
  name: string;
  description: string | null;
  total_items: number;
  completed_items: number;
  /** Items that this person labelled or skipped; 0 if nobody is named. */
  own_annotations: number;
};
export type WorkList = {
  tasks: Work[];
};
export type InvitedTo = {
  name: string;
  description: string | null;
  annotator: string;
  expires_at: string;
  total_items: number;
  completed_items: number;
};
export type NextItem = {
  item_id: string;
  test_case: CaseToLabel;
  annotation_schema: AnnotationSchema;
  instructions: string;
  /** The number of this item among those of this person, from 1 on. */
  position: number;
  /** Items that lack labels and that this person did not label, this one included. */
  total_remaining: number;
  leased_until: string;
  /** Labels that were saved and not submitted yet. */
  draft: {
    [key: string]: any;
  } | null;
  allow_skip: boolean;
  time_limit_seconds: number | null;
};
export type Submitted = {
  annotation_id: string;
  /** The item had all its labels already. These are kept, and do not count. */
  surplus: boolean;
  next_item_id: string | null;
  next: NextItem | null;
};
export type AnnotationIn = {
  labels?: object;
  time_spent_seconds?: number;
  skipped?: boolean;
  skip_reason?: string | null;
  flagged?: boolean;
  flag_reason?: string | null;
  note?: string | null;
};
export type Saved = {
  leased_until: string;
};
export type Draft = {
  labels: object;
};
export type Undone = {
  item: NextItem;
};
export type CollectionOut = {
  id: string;
  version: number;
  created_at: string;
  updated_at: string;
  name: string;
  description: string | null;
  task_count: number;
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
};
export type CollectionPage = {
  items: CollectionOut[];
  next_cursor: string | null;
};
export type CollectionIn = {
  name: string;
  description?: string | null;
  task_ids?: string[] | null;
};
export type AssignTasks = {
  assign?: string[];
  unassign?: string[];
};
export type BadRowOut = {
  line: number | null;
  field: string | null;
  message: string;
};
export type CheckedCase = {
  line: number;
  name: string;
  input: {
    [key: string]: any;
  };
  expected_output: string | null;
  ground_truth: {
    [key: string]: any;
  } | null;
  metadata: {
    [key: string]: any;
  };
  checks: {
    [key: string]: any;
  }[];
};
export type FileCheck = {
  format: string;
  row_count: number;
  bad_row_count: number;
  /** The first 100 errors. */
  bad_rows: BadRowOut[];
  /** The columns of the valid rows, with the type of their values. */
  columns: SchemaColumn[];
  /** How the file's columns were read. */
  mapping: MappedColumn[];
  /** Warnings to read before publishing. */
  warnings: string[];
  right_answers: RightAnswers;
  /** The first 20 valid rows. */
  preview: CheckedCase[];
};
export type DatasetType =
  "EVALUATION" | "BENCHMARK" | "GOLDEN_SET" | "ANNOTATION_QUEUE";
export type DatasetOut = {
  dataset_id: string;
  name: string;
  description: string | null;
  type: DatasetType;
  tags: string[];
  metadata: {
    [key: string]: any;
  };
  version: number;
  version_count: number;
  /** Number of the newest version. */
  latest_version: number | null;
  /** Number of the newest PUBLISHED version. */
  published_version: number | null;
  /** Test cases in the newest version. */
  row_count: number | null;
  created_at: string;
  updated_at: string;
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
};
export type DatasetPage = {
  datasets: DatasetOut[];
  total: number;
  has_more: boolean;
};
export type DatasetIn = {
  name: string;
  description?: string | null;
  type?: DatasetType;
  tags?: string[];
  metadata?: {
    [key: string]: any;
  };
};
export type DatasetPatch = {
  name?: string;
  description?: string | null;
  type?: DatasetType;
  tags?: string[];
  metadata?: {
    [key: string]: any;
  };
};
export type UploadProblem = {
  type?: string;
  title: string;
  status: number;
  detail: string;
  errors?: ProblemField[];
  row_count?: number;
  bad_row_count?: number;
  bad_rows?: BadRowOut[];
  [key: string]: any;
};
export type VersionPage = {
  versions: VersionOut[];
  total: number;
  has_more: boolean;
};
export type TruthSource =
  "HUMAN_CONSENSUS" | "EXPERT" | "AUTOMATED" | "IMPORTED";
export type GroundTruthOut = {
  ground_truth_id: string;
  /** answer, acceptable_answers, rubric, citations: those that exist. */
  value: {
    [key: string]: any;
  };
  source: TruthSource;
  confidence: number | null;
  /** The annotation task whose consensus it is. */
  annotation_task_id?: string | null;
};
export type TestCaseOut = {
  test_case_id: string;
  row_index: number;
  name: string;
  /** prompt, context, system_prompt, conversation, conversation_id, turn: those that exist. */
  input: {
    [key: string]: any;
  };
  expected_output: string | null;
  metadata: {
    [key: string]: any;
  };
  checks: {
    [key: string]: any;
  }[];
  ground_truth: GroundTruthOut | null;
  created_at: string;
};
export type CasePage = {
  cases: TestCaseOut[];
  total: number;
  has_more: boolean;
};
export type Stratum = {
  value: string | null;
  total: number;
  sampled: number;
};
export type Sample = {
  cases: TestCaseOut[];
  sample_size: number;
  seed: number;
  strata: Stratum[];
};
export type SampleIn = {
  /** The number of cases; a few more if the last one is a turn of a conversation. */
  size: number;
  strategy?: "random" | "stratified";
  /** A field of the metadata. */
  stratify_by?: string | null;
  seed?: number | null;
};
export type DeletedCases = {
  /** The number of ids that were cases of the version. */
  deleted: number;
  /** Test cases that are left. */
  row_count: number;
};
export type DeleteCases = {
  test_case_ids: string[];
};
export type CaseInput = {
  prompt: string;
  context?: string | null;
  system_prompt?: string | null;
  conversation?: Turn[] | null;
  conversation_id?: string | null;
  turn?: number | null;
};
export type Truth = {
  answer?: string | null;
  acceptable_answers?: string[] | null;
  rubric?: {
    [key: string]: any;
  } | null;
  citations?: string[] | null;
  source?: TruthSource;
  confidence?: number | null;
};
export type TestCasePatch = {
  name?: string;
  /** Required in every case, so null leaves it as it is. */
  input?: CaseInput | null;
  expected_output?: string | null;
  ground_truth?: Truth | null;
  metadata?: {
    [key: string]: any;
  };
  /** What an answer to this case has to satisfy, by program evaluators. */
  checks?: CheckIn[];
};
export type DocumentOut = {
  document_id: string;
  name: string;
  description: string | null;
  format: string;
  file_name: string;
  file_bytes: number;
  file_uri: string;
  /** SHA-256 of the file. */
  content_hash: string;
  /** A file without pages counts as one. */
  page_count: number;
  /** Pages without text: scanned ones, or pictures. */
  empty_page_count: number;
  character_count: number;
  created_at: string;
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
};
export type DocumentPage = {
  documents: DocumentOut[];
  total: number;
  has_more: boolean;
};
export type PageOut = {
  /** Counted from 1. */
  number: number;
  text: string;
};
export type PageList = {
  pages: PageOut[];
  total: number;
  has_more: boolean;
};
export type EvaluatorInfo = {
  kind: string;
  title: string;
  description: string;
  needs_judge: boolean;
  params_schema: {
    [key: string]: any;
  };
  may_need_judge?: boolean;
};
export type EvaluatorPage = {
  items: EvaluatorInfo[];
};
export type Orphans = {
  files: number;
  /** Younger files may belong to an upload in progress. */
  older_than_s: number;
};
export type Swept = {
  deleted: number;
};
export type PresetOut = {
  id: string;
  version: number;
  created_at: string;
  updated_at: string;
  name: string;
  description: string | null;
  settings: EvaluationSettings;
  run: RunSettings;
  notes: string[];
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
};
export type PresetPage = {
  items: PresetOut[];
  next_cursor: string | null;
};
export type PresetIn = {
  name: string;
  description?: string | null;
  /** At least one; others have their defaults. */
  settings: EvaluationSettings;
};
export type VariableType = "string" | "number" | "boolean" | "list";
export type PromptVariable = {
  name: string;
  type?: VariableType;
  default?: any;
  required?: boolean;
  description?: string | null;
};
export type PromptVersionOut = {
  id: string;
  prompt_id: string;
  number: number;
  system_template: string | null;
  user_template: string;
  variables: PromptVariable[];
  /** SHA-256 of the templates and variables, in hexadecimal. */
  content_hash: string;
  notes: string | null;
  created_at: string;
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
};
export type PromptOut = {
  id: string;
  version: number;
  created_at: string;
  updated_at: string;
  name: string;
  description: string | null;
  newest: PromptVersionOut;
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
};
export type PromptPage = {
  items: PromptOut[];
  next_cursor: string | null;
};
export type PromptIn = {
  /** Makes the system message. It is appended to the system prompt of the target. */
  system_template?: string | null;
  /** Makes the user message, in place of context and question. `{{question}}`, `{{context}}`, `{{category}}`, `{{subcategory}}` and `{{task_id}}` are fields of the case; other names are keys of its metadata. */
  user_template: string;
  /** Types and defaults. A variable that is used but not listed is a string without a default. */
  variables?: PromptVariable[];
  /** A note on the changes of this version, and their reason. */
  notes?: string | null;
  name: string;
  description?: string | null;
};
export type PreviewedCase = {
  task_id: string;
  system: string | null;
  user: string | null;
  error: string | null;
  /** The variable that `error` is about, if it is about one. */
  variable: string | null;
};
export type PreviewOut = {
  /** All variables of the templates, as a version would have them. */
  variables: PromptVariable[];
  cases: PreviewedCase[];
};
export type PreviewIn = {
  /** Makes the system message. It is appended to the system prompt of the target. */
  system_template?: string | null;
  /** Makes the user message, in place of context and question. `{{question}}`, `{{context}}`, `{{category}}`, `{{subcategory}}` and `{{task_id}}` are fields of the case; other names are keys of its metadata. */
  user_template: string;
  /** Types and defaults. A variable that is used but not listed is a string without a default. */
  variables?: PromptVariable[];
  collection_id?: string | null;
  dataset_version_id?: string | null;
  limit?: number;
};
export type PromptChange = {
  name: string;
  description?: string | null;
};
export type PromptVersionPage = {
  items: PromptVersionOut[];
  next_cursor: string | null;
};
export type PromptVersionIn = {
  /** Makes the system message. It is appended to the system prompt of the target. */
  system_template?: string | null;
  /** Makes the user message, in place of context and question. `{{question}}`, `{{context}}`, `{{category}}`, `{{subcategory}}` and `{{task_id}}` are fields of the case; other names are keys of its metadata. */
  user_template: string;
  /** Types and defaults. A variable that is used but not listed is a string without a default. */
  variables?: PromptVariable[];
  /** A note on the changes of this version, and their reason. */
  notes?: string | null;
};
export type HeaderOut = {
  header_key: string;
  header_value: string | null;
  is_secret: boolean;
  hint: string | null;
};
export type ModelPrice = {
  model: string;
  input_usd_per_million: number;
  output_usd_per_million: number;
};
export type ProviderOut = {
  id: string;
  version: number;
  created_at: string;
  updated_at: string;
  name: string;
  type: string;
  base_url: string;
  models_endpoint: string;
  inference_endpoint: string;
  options: {
    [key: string]: any;
  };
  headers: HeaderOut[];
  prices: ModelPrice[];
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
};
export type ProviderPage = {
  items: ProviderOut[];
  next_cursor: string | null;
};
export type HeaderIn = {
  header_key: string;
  is_secret?: boolean;
  header_value?: string | null;
};
export type PriceIn = {
  model: string;
  input_usd_per_million: number;
  output_usd_per_million: number;
};
export type ProviderIn = {
  /** One of the types that `GET /api/providers/types` lists. */
  type: string;
  base_url?: string | null;
  models_endpoint?: string | null;
  inference_endpoint?: string | null;
  /** Sent with every request; `GET /api/providers/types` documents the known ones. */
  options?: {
    [key: string]: any;
  };
  headers?: HeaderIn[];
  name: string;
  /** Your own prices, for models without a list price or with a contract; one per model. */
  prices?: PriceIn[];
};
export type OptionOut = {
  name: string;
  kind: string;
  description: string;
  example: any;
};
export type ProviderTypeOut = {
  type: string;
  title: string;
  description: string;
  base_url: string | null;
  base_url_example: string;
  models_endpoint: string;
  inference_endpoint: string;
  lists_models: boolean;
  secret_header: string | null;
  secret_prefix: string;
  options: OptionOut[];
  quirks: string[];
};
export type ProviderTypes = {
  items: ProviderTypeOut[];
};
export type ModelOut = {
  id: string;
};
export type ProviderTest = {
  ok: boolean;
  latency_ms: number | null;
  models: ModelOut[];
  problem: string | null;
  cause: string | null;
  url: string;
};
export type ProviderTestIn = {
  /** One of the types that `GET /api/providers/types` lists. */
  type: string;
  base_url?: string | null;
  models_endpoint?: string | null;
  inference_endpoint?: string | null;
  /** Sent with every request; `GET /api/providers/types` documents the known ones. */
  options?: {
    [key: string]: any;
  };
  headers?: HeaderIn[];
  id?: string | null;
  name?: string | null;
};
export type RunRef = {
  id: string;
  name: string;
};
export type ProviderConflict = {
  type?: string;
  title: string;
  status: number;
  detail: string;
  errors?: ProblemField[];
  runs?: RunRef[];
  [key: string]: any;
};
export type ProviderModels = {
  models: ModelOut[];
  latency_ms: number | null;
  supported: boolean;
};
export type ProviderFailed = {
  type?: string;
  title: string;
  status: number;
  detail: string;
  errors?: ProblemField[];
  cause?: string | null;
  url?: string;
  [key: string]: any;
};
export type SuiteStatus = "DRAFT" | "PUBLISHED";
export type Aggregation = "mean" | "weighted" | "macro";
export type SourceIn = {
  /** The name of a dataset. */
  dataset?: string | null;
  /** The number of its version; by default the newest published one. */
  version?: number | null;
  /** The name of a collection. */
  collection?: string | null;
  dataset_version_id?: string | null;
  collection_id?: string | null;
};
export type TaskSampleIn = {
  /** How many cases. */
  size: number;
  /** `stratified` takes the same share of each category of the cases. */
  strategy?: "random" | "stratified";
  /** By default derived from the names of the suite and the task. */
  seed?: number | null;
};
export type TaskEvaluatorIn = {
  kind: string;
  /** Its name within the task; by default its kind. */
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
};
export type TaskParamsIn = {
  temperature?: number | null;
  top_p?: number | null;
  max_tokens?: number | null;
  seed?: number | null;
  stop?: string[] | null;
  system_prompt?: string | null;
  /** Answers are asked for as JSON by this schema, in the provider's own way. */
  response_schema?: ResponseSchema | null;
};
export type GateIn = {
  /** The task whose score decides. Its evaluators ask no model. */
  task: string;
  /** The lowest score that passes. */
  min_score: number;
};
export type SuiteTaskIn = {
  name: string;
  category?: string;
  source: SourceIn;
  /** By default the task has every case. */
  sample?: TaskSampleIn | null;
  /** By default `case_checks` for cases with checks, and the rubric for the others. */
  evaluators?: TaskEvaluatorIn[];
  params?: TaskParamsIn;
  /** How often each case is asked. */
  epochs?: number;
  /** Used by the aggregation `weighted`. */
  weight?: number;
  /** The tasks whose cases are asked before. */
  after?: string[];
  /** The task is asked only if each of these scores is high enough. Otherwise this task, and every task that waits for it, is skipped for that target. One gate may stand without a list. */
  gate?: GateIn[];
  /** The time for one target, until earlier runs of its model show it. */
  estimated_seconds?: number | null;
};
export type SuiteIn = {
  name: string;
  description?: string | null;
  /** `mean`: each task counts the same. `weighted`: by the tasks' weights. `macro`: each category counts the same. */
  aggregation?: Aggregation;
  tasks: SuiteTaskIn[];
};
export type TaskGate = {
  task: string;
  min_score: number;
};
export type TaskFacts = {
  name: string;
  category: string;
  level: number;
  dataset_version_id: string | null;
  collection_id: string | null;
  source_name: string;
  source_version: number | null;
  cases: number | null;
  items: number | null;
  needs_judge: boolean;
  gate?: TaskGate[];
};
export type SuiteOut = {
  id: string;
  version: number;
  created_at: string;
  updated_at: string;
  /** The same for all versions of the suite. Its baselines and gates belong to it. */
  family_id: string;
  name: string;
  version_number: number;
  status: SuiteStatus;
  description: string | null;
  aggregation: Aggregation;
  task_count: number;
  total_items: number;
  categories: string[];
  needs_judge: boolean;
  published_at: string | null;
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
  definition: SuiteIn;
  tasks: TaskFacts[];
};
export type SuitePage = {
  items: SuiteOut[];
  next_cursor: string | null;
};
export type Applied = {
  change: "created" | "updated" | "unchanged" | "new_version";
  suite: SuiteOut;
};
export type ApplySuite = {
  suite: SuiteIn;
  /** Publish the result, so that it can run. */
  publish?: boolean;
};
export type TaskOut = {
  id: string;
  version: number;
  created_at: string;
  updated_at: string;
  task_id: string;
  category: string;
  subcategory: string | null;
  question: string;
  excellent: string | null;
  good: string | null;
  pass: string | null;
  incorrect_answer_direction: string | null;
  system_prompt: string | null;
  conversation: {
    [key: string]: any;
  }[];
  accepted_answers: string[];
  metadata: {
    [key: string]: any;
  };
  /** kind, params, weight, negate; defaults are omitted. */
  checks: {
    [key: string]: any;
  }[];
  /** The file it was imported from. */
  source_file: string | null;
  /** The line of that file on which it starts. */
  source_line: number | null;
  collection_count: number;
  /** The person who created it. Absent if there was no sign-in. */
  created_by?: string | null;
};
export type TaskPage = {
  items: TaskOut[];
  next_cursor: string | null;
};
export type Subcategory = {
  subcategory: string | null;
  task_count: number;
};
export type Category = {
  category: string;
  task_count: number;
  subcategories: Subcategory[];
};
export type Categories = {
  items: Category[];
};
export type DeletedTasks = {
  /** The number of ids that were tasks. */
  deleted: number;
};
export type DeleteTasks = {
  ids: string[];
};
