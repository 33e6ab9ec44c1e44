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
    listTasks: build.query<ListTasksApiResponse, ListTasksApiArg>({
      query: (queryArg) => ({
        url: `/api/tasks`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          q: queryArg.q,
          category: queryArg.category,
          collection_id: queryArg.collectionId,
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
};
export type CreateProviderApiResponse =
  /** status 201 Successful Response */ ProviderOut;
export type CreateProviderApiArg = {
  providerIn: ProviderIn;
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
export type ListTasksApiResponse =
  /** status 200 Successful Response */ TaskPage;
export type ListTasksApiArg = {
  /** At most this many per page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string | null;
  /** Found in task_id or question, in any case. */
  q?: string | null;
  category?: string | null;
  /** The tasks of a collection, in its order. */
  collectionId?: string | null;
};
export type CreateTaskApiResponse =
  /** status 201 Successful Response */ TaskOut;
export type CreateTaskApiArg = {
  taskIn: TaskIn;
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
export type ProviderIn = {
  name: string;
  type: ProviderType;
  base_url?: string | null;
  models_endpoint?: string | null;
  inference_endpoint?: string | null;
  /** Sent with every request to this provider. */
  options?: {
    [key: string]: any;
  };
  headers?: HeaderIn[];
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
export type ModelOut = {
  id: string;
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
export type ProviderTest = {
  ok: boolean;
  latency_ms: number | null;
  models: ModelOut[];
  problem: string | null;
  cause: string | null;
  url: string;
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
};
export type TaskPage = {
  items: TaskOut[];
  next_cursor: string | null;
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
  useGetProviderQuery,
  useUpdateProviderMutation,
  useDeleteProviderMutation,
  useListProviderModelsQuery,
  useTestProviderMutation,
  useListTasksQuery,
  useCreateTaskMutation,
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
