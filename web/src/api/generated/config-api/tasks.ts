import { baseApi as api } from "../../base-api";
import type {
  ImportTasksApiResponse,
  ImportTasksApiArg,
  ExportTasksApiResponse,
  ExportTasksApiArg,
  ListTasksApiResponse,
  ListTasksApiArg,
  CreateTaskApiResponse,
  CreateTaskApiArg,
  ListCategoriesApiResponse,
  ListCategoriesApiArg,
  DeleteTasksApiResponse,
  DeleteTasksApiArg,
  GetTaskApiResponse,
  GetTaskApiArg,
  UpdateTaskApiResponse,
  UpdateTaskApiArg,
  DeleteTaskApiResponse,
  DeleteTaskApiArg,
} from "../config-api";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
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
          recognise: queryArg.recognise,
          map: queryArg.map,
          category: queryArg.category,
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
  }),
  overrideExisting: false,
});
export { injectedRtkApi as configApi };
export const {
  useImportTasksMutation,
  useExportTasksQuery,
  useListTasksQuery,
  useCreateTaskMutation,
  useListCategoriesQuery,
  useDeleteTasksMutation,
  useGetTaskQuery,
  useUpdateTaskMutation,
  useDeleteTaskMutation,
} = injectedRtkApi;
