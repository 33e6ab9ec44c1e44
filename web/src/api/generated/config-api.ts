import { baseApi as api } from "../base-api";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listProviders: build.query<ListProvidersApiResponse, ListProvidersApiArg>({
      query: (queryArg) => ({
        url: `/api/providers`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          q: queryArg.q,
          name: queryArg.name,
        },
      }),
    }),
    createProvider: build.mutation<
      CreateProviderApiResponse,
      CreateProviderApiArg
    >({
      query: (queryArg) => ({
        url: `/api/providers`,
        method: "POST",
        body: queryArg.providerIn,
      }),
    }),
    listProviderTypes: build.query<
      ListProviderTypesApiResponse,
      ListProviderTypesApiArg
    >({
      query: () => ({ url: `/api/providers/types` }),
    }),
    testUnsavedProvider: build.mutation<
      TestUnsavedProviderApiResponse,
      TestUnsavedProviderApiArg
    >({
      query: (queryArg) => ({
        url: `/api/providers/test`,
        method: "POST",
        body: queryArg.providerTestIn,
      }),
    }),
    getProvider: build.query<GetProviderApiResponse, GetProviderApiArg>({
      query: (queryArg) => ({
        url: `/api/providers/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateProvider: build.mutation<
      UpdateProviderApiResponse,
      UpdateProviderApiArg
    >({
      query: (queryArg) => ({
        url: `/api/providers/${encodeURIComponent(String(queryArg.id))}`,
        method: "PUT",
        body: queryArg.providerIn,
        headers: {
          "if-match": queryArg["if-match"],
        },
      }),
    }),
    deleteProvider: build.mutation<
      DeleteProviderApiResponse,
      DeleteProviderApiArg
    >({
      query: (queryArg) => ({
        url: `/api/providers/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    listProviderModels: build.query<
      ListProviderModelsApiResponse,
      ListProviderModelsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/providers/${encodeURIComponent(String(queryArg.id))}/models`,
      }),
    }),
    testProvider: build.mutation<TestProviderApiResponse, TestProviderApiArg>({
      query: (queryArg) => ({
        url: `/api/providers/${encodeURIComponent(String(queryArg.id))}/test`,
        method: "POST",
      }),
    }),
    importTasks: build.mutation<ImportTasksApiResponse, ImportTasksApiArg>({
      query: (queryArg) => ({
        url: `/api/tasks/import`,
        method: "POST",
        body: queryArg.body,
        params: {
          format: queryArg.format,
          file_name: queryArg.fileName,
          skip_bad_rows: queryArg.skipBadRows,
          dry_run: queryArg.dryRun,
          on_conflict: queryArg.onConflict,
          collection_id: queryArg.collectionId,
          collection_name: queryArg.collectionName,
        },
      }),
    }),
    exportTasks: build.query<ExportTasksApiResponse, ExportTasksApiArg>({
      query: (queryArg) => ({
        url: `/api/tasks/export`,
        params: {
          format: queryArg.format,
          q: queryArg.q,
          task_id: queryArg.taskId,
          category: queryArg.category,
          subcategory: queryArg.subcategory,
          collection_id: queryArg.collectionId,
          not_in_collection: queryArg.notInCollection,
        },
      }),
    }),
    listTasks: build.query<ListTasksApiResponse, ListTasksApiArg>({
      query: (queryArg) => ({
        url: `/api/tasks`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          sort: queryArg.sort,
          q: queryArg.q,
          task_id: queryArg.taskId,
          category: queryArg.category,
          subcategory: queryArg.subcategory,
          collection_id: queryArg.collectionId,
          not_in_collection: queryArg.notInCollection,
        },
      }),
    }),
    createTask: build.mutation<CreateTaskApiResponse, CreateTaskApiArg>({
      query: (queryArg) => ({
        url: `/api/tasks`,
        method: "POST",
        body: queryArg.taskIn,
      }),
    }),
    listCategories: build.query<
      ListCategoriesApiResponse,
      ListCategoriesApiArg
    >({
      query: () => ({ url: `/api/tasks/categories` }),
    }),
    deleteTasks: build.mutation<DeleteTasksApiResponse, DeleteTasksApiArg>({
      query: (queryArg) => ({
        url: `/api/tasks/delete`,
        method: "POST",
        body: queryArg.deleteTasks,
      }),
    }),
    getTask: build.query<GetTaskApiResponse, GetTaskApiArg>({
      query: (queryArg) => ({
        url: `/api/tasks/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateTask: build.mutation<UpdateTaskApiResponse, UpdateTaskApiArg>({
      query: (queryArg) => ({
        url: `/api/tasks/${encodeURIComponent(String(queryArg.id))}`,
        method: "PUT",
        body: queryArg.taskIn,
        headers: {
          "if-match": queryArg["if-match"],
        },
      }),
    }),
    deleteTask: build.mutation<DeleteTaskApiResponse, DeleteTaskApiArg>({
      query: (queryArg) => ({
        url: `/api/tasks/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    listCollections: build.query<
      ListCollectionsApiResponse,
      ListCollectionsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/collections`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          q: queryArg.q,
          task_id: queryArg.taskId,
        },
      }),
    }),
    createCollection: build.mutation<
      CreateCollectionApiResponse,
      CreateCollectionApiArg
    >({
      query: (queryArg) => ({
        url: `/api/collections`,
        method: "POST",
        body: queryArg.collectionIn,
      }),
    }),
    getCollection: build.query<GetCollectionApiResponse, GetCollectionApiArg>({
      query: (queryArg) => ({
        url: `/api/collections/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateCollection: build.mutation<
      UpdateCollectionApiResponse,
      UpdateCollectionApiArg
    >({
      query: (queryArg) => ({
        url: `/api/collections/${encodeURIComponent(String(queryArg.id))}`,
        method: "PUT",
        body: queryArg.collectionIn,
        headers: {
          "if-match": queryArg["if-match"],
        },
      }),
    }),
    deleteCollection: build.mutation<
      DeleteCollectionApiResponse,
      DeleteCollectionApiArg
    >({
      query: (queryArg) => ({
        url: `/api/collections/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    assignTasks: build.mutation<AssignTasksApiResponse, AssignTasksApiArg>({
      query: (queryArg) => ({
        url: `/api/collections/${encodeURIComponent(String(queryArg.id))}/tasks`,
        method: "PATCH",
        body: queryArg.assignTasks,
        headers: {
          "if-match": queryArg["if-match"],
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as configApi };
export type ListProvidersApiResponse =
  /** status 200 Successful Response */ ProviderPage;
export type ListProvidersApiArg = {
  /** At most this many per page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string | null;
  /** Found in the name, in any case. */
  q?: string | null;
  /** Exactly this name: is it taken? */
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
  /** The ETag of the version this change is based on; another version is a 412. */
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
export type ImportTasksApiResponse =
  /** status 200 Successful Response */ ImportResult;
export type ImportTasksApiArg = {
  format?:
    ("csv" | "json" | "jsonl" | "openai-evals" | "promptfoo" | "yaml") | null;
  /** Kept with each task, and names those without a name. */
  fileName?: string | null;
  /** Import the good rows although others are bad. */
  skipBadRows?: boolean;
  /** Say what would happen, and change nothing. */
  dryRun?: boolean;
  /** A task_id that exists already: a bad row, passed over, or replaced by what the file says. */
  onConflict?: "reject" | "skip" | "update";
  /** Put the tasks into this collection. */
  collectionId?: string | null;
  /** The same by name; made when there is none. */
  collectionName?: string | null;
  /** The file itself, in UTF-8, of any content type but that of a form. */
  body: Blob;
};
export type ExportTasksApiResponse = /** status 200 The file. */ any;
export type ExportTasksApiArg = {
  format?: "csv" | "json" | "jsonl" | "yaml";
  /** Found in task_id, question or category, in any case. */
  q?: string | null;
  /** Exactly this one: no items, and it is free. */
  taskId?: string | null;
  category?: string | null;
  subcategory?: string | null;
  /** The tasks of a collection, in its order. */
  collectionId?: string | null;
  /** Tasks that are not in this collection. */
  notInCollection?: string | null;
};
export type ListTasksApiResponse =
  /** status 200 Successful Response */ TaskPage;
export type ListTasksApiArg = {
  /** At most this many per page. */
  limit?: number;
  /** `next_cursor` of the page before. */
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
  /** Found in task_id, question or category, in any case. */
  q?: string | null;
  /** Exactly this one: no items, and it is free. */
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
  /** The ETag of the version this change is based on; another version is a 412. */
  "if-match"?: string | null;
  taskIn: TaskIn;
};
export type DeleteTaskApiResponse = unknown;
export type DeleteTaskApiArg = {
  id: string;
};
export type ListCollectionsApiResponse =
  /** status 200 Successful Response */ CollectionPage;
export type ListCollectionsApiArg = {
  /** At most this many per page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string | null;
  /** Found in the name, in any case. */
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
  /** The ETag of the version this change is based on; another version is a 412. */
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
  /** The ETag of the version this change is based on; another version is a 412. */
  "if-match"?: string | null;
  assignTasks: AssignTasks;
};
export type ProviderType =
  | "OPENAI"
  | "OLLAMA"
  | "LM_STUDIO"
  | "OPENROUTER"
  | "AZURE_OPENAI"
  | "CUSTOM_OPEN_AI_COMPATIBLE";
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
  type: ProviderType;
  base_url: string;
  models_endpoint: string;
  inference_endpoint: string;
  options: {
    [key: string]: any;
  };
  headers: HeaderOut[];
  prices: ModelPrice[];
};
export type ProviderPage = {
  items: ProviderOut[];
  next_cursor: string | null;
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
  type: ProviderType;
  base_url?: string | null;
  models_endpoint?: string | null;
  inference_endpoint?: string | null;
  /** Sent with every request; `GET /api/providers/types` documents those known. */
  options?: {
    [key: string]: any;
  };
  headers?: HeaderIn[];
  name: string;
  /** Your own prices, for models without a list price or with a contract; a model once at most. */
  prices?: PriceIn[];
};
export type OptionOut = {
  name: string;
  kind: string;
  description: string;
  example: any;
};
export type ProviderTypeOut = {
  type: ProviderType;
  title: string;
  base_url: string | null;
  base_url_example: string;
  models_endpoint: string;
  inference_endpoint: string;
  secret_header: string | null;
  secret_prefix: string;
  options: OptionOut[];
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
  type: ProviderType;
  base_url?: string | null;
  models_endpoint?: string | null;
  inference_endpoint?: string | null;
  /** Sent with every request; `GET /api/providers/types` documents those known. */
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
export type BadRow = {
  line: number;
  field: string | null;
  message: string;
};
export type ImportNote = {
  line: number;
  message: string;
};
export type ImportedInto = {
  /** Null for a collection that a dry run did not make. */
  id: string | null;
  name: string;
  created: boolean;
  /** Tasks that were not in it before. */
  added: number;
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
  collection?: ImportedInto | null;
  /** Of a dry run: the first 20 good rows. */
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
  /** The file it was imported from. */
  source_file: string | null;
  /** The line of that file on which it starts. */
  source_line: number | null;
  collection_count: number;
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
  /** Those of the ids that were tasks. */
  deleted: number;
};
export type DeleteTasks = {
  ids: string[];
};
export type CollectionOut = {
  id: string;
  version: number;
  created_at: string;
  updated_at: string;
  name: string;
  description: string | null;
  task_count: number;
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
export const {
  useListProvidersQuery,
  useCreateProviderMutation,
  useListProviderTypesQuery,
  useTestUnsavedProviderMutation,
  useGetProviderQuery,
  useUpdateProviderMutation,
  useDeleteProviderMutation,
  useListProviderModelsQuery,
  useTestProviderMutation,
  useImportTasksMutation,
  useExportTasksQuery,
  useListTasksQuery,
  useCreateTaskMutation,
  useListCategoriesQuery,
  useDeleteTasksMutation,
  useGetTaskQuery,
  useUpdateTaskMutation,
  useDeleteTaskMutation,
  useListCollectionsQuery,
  useCreateCollectionMutation,
  useGetCollectionQuery,
  useUpdateCollectionMutation,
  useDeleteCollectionMutation,
  useAssignTasksMutation,
} = injectedRtkApi;
