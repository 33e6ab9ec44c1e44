/** Comments that people write on items: the generated client plus cache tags. */

import { orchestratorApi } from "./generated/orchestrator/comments";

const ofItem = (_result: unknown, error: unknown, { itemId }: { itemId: string }) => (error ? [] : [{ type: "Comments" as const, id: itemId }]);

const tagged = orchestratorApi.enhanceEndpoints({
  addTagTypes: ["Comments"],
  endpoints: {
    listComments: { providesTags: (_result, _error, { itemId }) => [{ type: "Comments", id: itemId }] },
    addComment: { invalidatesTags: ofItem },
    deleteComment: { invalidatesTags: ofItem },
  },
});

export const { useListCommentsQuery, useAddCommentMutation, useDeleteCommentMutation } = tagged;
