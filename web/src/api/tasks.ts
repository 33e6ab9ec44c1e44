/** Tasks as the app uses them: the generated client plus cache tags and paging. */

import { ask, type ApiDispatch } from "./dispatch";
import { serializeParams } from "./base-api";
import type { ExportTasksApiArg, ListTasksApiArg, TaskPage } from "./generated/config-api";
import { configApi as generated } from "./generated/config-api/tasks";

export type TaskFilter = Pick<ListTasksApiArg, "q" | "category" | "subcategory" | "collectionId" | "notInCollection">;
export type TaskSort = NonNullable<ListTasksApiArg["sort"]>;

/** The server's maximum page size. */
export const MOST_PER_PAGE = 500;
export const TASKS_PER_PAGE = 50;

// A created, changed or deleted task affects lists, categories and the counts of collections.
const TASKS_CHANGED = ["TaskList", "Category", "CollectionList", "Collection"] as const;

const tagged = generated.enhanceEndpoints({
  addTagTypes: ["TaskList", "Task", "Category", "CollectionList", "Collection"],
  endpoints: {
    listTasks: { providesTags: ["TaskList"] },
    getTask: { providesTags: (_result, _error, { id }) => [{ type: "Task", id }] },
    listCategories: { providesTags: ["Category"] },
    createTask: { invalidatesTags: (_result, error) => (error ? [] : ["TaskList", "Category"]) },
    updateTask: { invalidatesTags: (_result, error, { id }) => (error ? [] : ["TaskList", "Category", { type: "Task", id }]) },
    deleteTask: { invalidatesTags: (_result, error) => (error ? [] : TASKS_CHANGED) },
    deleteTasks: { invalidatesTags: (_result, error) => (error ? [] : TASKS_CHANGED) },
    importTasks: { invalidatesTags: (_result, error, { dryRun }) => (error || dryRun ? [] : [...TASKS_CHANGED, "Task"]) },
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

export const tasksApi = tagged.injectEndpoints({
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
  }),
});

export const {
  useTaskPagesInfiniteQuery,
  useListTasksQuery,
  useListCategoriesQuery,
  useGetTaskQuery,
  useCreateTaskMutation,
  useUpdateTaskMutation,
  useDeleteTaskMutation,
  useDeleteTasksMutation,
  useImportTasksMutation,
} = tasksApi;

/** Return the `id` of every task that matches the filter, over all pages. */
export async function findTaskIds(dispatch: ApiDispatch, filter: TaskFilter): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: TaskPage = await ask(dispatch(tasksApi.endpoints.listTasks.initiate({ ...filter, limit: MOST_PER_PAGE, cursor }, { forceRefetch: true })));
    ids.push(...page.items.map((one) => one.id));
    cursor = page.next_cursor;
    if (cursor === null) return ids;
  }
}

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
