import { baseApi as api } from "../../base-api";
import type {
  ListCommentsApiResponse,
  ListCommentsApiArg,
  AddCommentApiResponse,
  AddCommentApiArg,
  DeleteCommentApiResponse,
  DeleteCommentApiArg,
} from "../orchestrator";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listComments: build.query<ListCommentsApiResponse, ListCommentsApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/items/${encodeURIComponent(String(queryArg.itemId))}/comments`,
      }),
    }),
    addComment: build.mutation<AddCommentApiResponse, AddCommentApiArg>({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/items/${encodeURIComponent(String(queryArg.itemId))}/comments`,
        method: "POST",
        body: queryArg.newComment,
      }),
    }),
    deleteComment: build.mutation<
      DeleteCommentApiResponse,
      DeleteCommentApiArg
    >({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/items/${encodeURIComponent(String(queryArg.itemId))}/comments/${encodeURIComponent(String(queryArg.commentId))}`,
        method: "DELETE",
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as orchestratorApi };
export const {
  useListCommentsQuery,
  useAddCommentMutation,
  useDeleteCommentMutation,
} = injectedRtkApi;
