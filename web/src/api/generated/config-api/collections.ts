import { baseApi as api } from "../../base-api";
import type {
  PublishCollectionAsDatasetApiResponse,
  PublishCollectionAsDatasetApiArg,
  ListCollectionsApiResponse,
  ListCollectionsApiArg,
  CreateCollectionApiResponse,
  CreateCollectionApiArg,
  GetCollectionApiResponse,
  GetCollectionApiArg,
  UpdateCollectionApiResponse,
  UpdateCollectionApiArg,
  DeleteCollectionApiResponse,
  DeleteCollectionApiArg,
  AssignTasksApiResponse,
  AssignTasksApiArg,
} from "../config-api";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    publishCollectionAsDataset: build.mutation<
      PublishCollectionAsDatasetApiResponse,
      PublishCollectionAsDatasetApiArg
    >({
      query: (queryArg) => ({
        url: `/api/collections/${encodeURIComponent(String(queryArg.id))}/publish`,
        method: "POST",
        body: queryArg.publishCollection,
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
export const {
  usePublishCollectionAsDatasetMutation,
  useListCollectionsQuery,
  useCreateCollectionMutation,
  useGetCollectionQuery,
  useUpdateCollectionMutation,
  useDeleteCollectionMutation,
  useAssignTasksMutation,
} = injectedRtkApi;
