/** Collections of tasks as the app uses them: the generated client plus cache tags and paging. */

import type { CollectionPage } from "./generated/config-api";
import { configApi } from "./generated/config-api/collections";

const collectionsApi = configApi
  .enhanceEndpoints({
    addTagTypes: ["TaskList", "CollectionList", "Collection", "DatasetList", "Dataset"],
    endpoints: {
      listCollections: { providesTags: ["CollectionList"] },
      getCollection: { providesTags: (_result, _error, { id }) => [{ type: "Collection", id }] },
      createCollection: { invalidatesTags: (_result, error) => (error ? [] : ["CollectionList", "TaskList"]) },
      updateCollection: { invalidatesTags: (_result, error, { id }) => (error ? [] : ["CollectionList", { type: "Collection", id }]) },
      deleteCollection: { invalidatesTags: (_result, error) => (error ? [] : ["CollectionList", "TaskList"]) },
      assignTasks: { invalidatesTags: (_result, error, { id }) => (error ? [] : ["CollectionList", "TaskList", { type: "Collection", id }]) },
      publishCollectionAsDataset: { invalidatesTags: (result) => (result ? ["DatasetList", { type: "Dataset", id: result.dataset_id }] : []) },
    },
  })
  .injectEndpoints({
    endpoints: (build) => ({
      /** `GET /api/collections` page by page, by cursor. */
      collectionPages: build.infiniteQuery<CollectionPage, { q: string | null }, string | null>({
        query: ({ queryArg: { q }, pageParam }) => ({ url: "/api/collections", params: { q, limit: 50, cursor: pageParam } }),
        infiniteQueryOptions: { initialPageParam: null, getNextPageParam: (lastPage) => lastPage.next_cursor ?? undefined },
        providesTags: ["CollectionList"],
      }),
    }),
  });

export const {
  useCollectionPagesInfiniteQuery,
  useListCollectionsQuery,
  useGetCollectionQuery,
  useLazyGetCollectionQuery,
  useCreateCollectionMutation,
  useUpdateCollectionMutation,
  useDeleteCollectionMutation,
  useAssignTasksMutation,
  usePublishCollectionAsDatasetMutation,
} = collectionsApi;
