/** Providers, tasks and collections as the app uses them: the generated client plus cache tags and paging. */

import type { ApiDispatch } from "./dispatch";
import { serializeParams } from "./base-api";
import { configApi as generated, type CollectionPage, type ExportTasksApiArg, type ListTasksApiArg, type TaskPage } from "./generated/config-api";

export type TaskFilter = Pick<ListTasksApiArg, "q" | "category" | "subcategory" | "collectionId" | "notInCollection">;
export type TaskSort = NonNullable<ListTasksApiArg["sort"]>;

/** The server's maximum page size. */
export const MOST_PER_PAGE = 500;
export const TASKS_PER_PAGE = 50;

// A created, changed or deleted task affects lists, categories and the counts of collections.
const TASKS_CHANGED = ["TaskList", "Category", "CollectionList", "Collection"] as const;

const tagged = generated.enhanceEndpoints({
  addTagTypes: ["ProviderList", "Provider", "TaskList", "Task", "Category", "CollectionList", "Collection"],
  endpoints: {
    listProviders: { providesTags: ["ProviderList"] },
    getProvider: { providesTags: (_result, _error, { id }) => [{ type: "Provider", id }] },
    listProviderModels: { providesTags: (_result, _error, { id }) => [{ type: "Provider", id }] },
    createProvider: { invalidatesTags: (_result, error) => (error ? [] : ["ProviderList"]) },
    updateProvider: { invalidatesTags: (_result, error, { id }) => (error ? [] : ["ProviderList", { type: "Provider", id }]) },
    // The deleted provider's own tag stays valid: refetching it would answer 404.
    deleteProvider: { invalidatesTags: ["ProviderList"] },

    listTasks: { providesTags: ["TaskList"] },
    getTask: { providesTags: (_result, _error, { id }) => [{ type: "Task", id }] },
    listCategories: { providesTags: ["Category"] },
    createTask: { invalidatesTags: (_result, error) => (error ? [] : ["TaskList", "Category"]) },
    updateTask: { invalidatesTags: (_result, error, { id }) => (error ? [] : ["TaskList", "Category", { type: "Task", id }]) },
    deleteTask: { invalidatesTags: (_result, error) => (error ? [] : TASKS_CHANGED) },
    deleteTasks: { invalidatesTags: (_result, error) => (error ? [] : TASKS_CHANGED) },
    importTasks: { invalidatesTags: (_result, error, { dryRun }) => (error || dryRun ? [] : [...TASKS_CHANGED, "Task"]) },

    listCollections: { providesTags: ["CollectionList"] },
    getCollection: { providesTags: (_result, _error, { id }) => [{ type: "Collection", id }] },
    createCollection: { invalidatesTags: (_result, error) => (error ? [] : ["CollectionList", "TaskList"]) },
    updateCollection: { invalidatesTags: (_result, error, { id }) => (error ? [] : ["CollectionList", { type: "Collection", id }]) },
    deleteCollection: { invalidatesTags: (_result, error) => (error ? [] : ["CollectionList", "TaskList"]) },
    assignTasks: { invalidatesTags: (_result, error, { id }) => (error ? [] : ["CollectionList", "TaskList", { type: "Collection", id }]) },
  },
});

/** Return a filter as query parameters. */
function taskParams(filter: TaskFilter): Record<string, unknown> {
  return {
    q: filter.q,
    category: filter.category,
    subcategory: filter.subcategory,
    collection_id: filter.collectionId,
    not_in_collection: filter.notInCollection,
  };
}

export interface FoundTasks {
  filter: TaskFilter;
  sort?: TaskSort | undefined;
  /** The size of the first page: the number of rows loaded before a reload. */
  first?: number;
}

export const configApi = tagged.injectEndpoints({
  endpoints: (build) => ({
    /** `GET /api/tasks` page by page, by cursor. */
    taskPages: build.infiniteQuery<TaskPage, FoundTasks, string | null>({
      query: ({ queryArg: { filter, sort, first }, pageParam }) => ({
        url: "/api/tasks",
        params: { ...taskParams(filter), sort, limit: pageParam === null ? (first ?? TASKS_PER_PAGE) : TASKS_PER_PAGE, cursor: pageParam },
      }),
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: (lastPage) => lastPage.next_cursor ?? undefined },
      providesTags: ["TaskList"],
    }),
    collectionPages: build.infiniteQuery<CollectionPage, { q: string | null }, string | null>({
      query: ({ queryArg: { q }, pageParam }) => ({ url: "/api/collections", params: { q, limit: 50, cursor: pageParam } }),
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: (lastPage) => lastPage.next_cursor ?? undefined },
      providesTags: ["CollectionList"],
    }),
  }),
});

export const {
  useListProvidersQuery,
  useLazyListProvidersQuery,
  useListProviderTypesQuery,
  useListProviderModelsQuery,
  useGetProviderQuery,
  useCreateProviderMutation,
  useUpdateProviderMutation,
  useDeleteProviderMutation,
  useTestProviderMutation,
  useTestUnsavedProviderMutation,
  useTaskPagesInfiniteQuery,
  useListTasksQuery,
  useListCategoriesQuery,
  useGetTaskQuery,
  useCreateTaskMutation,
  useUpdateTaskMutation,
  useDeleteTaskMutation,
  useDeleteTasksMutation,
  useImportTasksMutation,
  useCollectionPagesInfiniteQuery,
  useListCollectionsQuery,
  useGetCollectionQuery,
  useLazyGetCollectionQuery,
  useCreateCollectionMutation,
  useUpdateCollectionMutation,
  useDeleteCollectionMutation,
  useAssignTasksMutation,
  useListPresetsQuery,
} = configApi;

/** Return the `id` of every task that matches the filter, over all pages. */
export async function findTaskIds(dispatch: ApiDispatch, filter: TaskFilter): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const request = dispatch(
      configApi.endpoints.listTasks.initiate({ ...filter, limit: MOST_PER_PAGE, cursor }, { subscribe: false, forceRefetch: true }),
    );
    const page: TaskPage = await request.unwrap();
    ids.push(...page.items.map((one) => one.id));
    cursor = page.next_cursor;
    if (cursor === null) return ids;
  }
}

/** Return the `If-Match` header of the read version. */
export const matching = (resource: { version: number }) => `"${resource.version}"`;

/** The formats of `GET /api/tasks/export`. */
export const TASK_FORMATS = [
  { format: "csv", name: "CSV", detail: "for a spreadsheet" },
  { format: "json", name: "JSON", detail: "one document" },
  { format: "jsonl", name: "JSON Lines", detail: "one task per line" },
  { format: "yaml", name: "YAML", detail: "easy to read and to edit" },
] as const satisfies readonly { format: ExportTasksApiArg["format"]; name: string; detail: string }[];

/** Return the URL that exports the filtered tasks as a file that can be imported again. */
export function taskExportUrl(format: NonNullable<ExportTasksApiArg["format"]>, filter: TaskFilter): string {
  return `/api/tasks/export?${serializeParams({ format, ...taskParams(filter) })}`;
}
