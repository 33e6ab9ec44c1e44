/** The prompt endpoints as the app uses them: the generated client plus cache tags and paging. */

import type { PreviewIn, PreviewOut, PromptPage } from "./generated/config-api";
import { configApi } from "./generated/config-api/prompts";

const tagged = configApi.enhanceEndpoints({
  addTagTypes: ["PromptList", "Prompt"],
  endpoints: {
    listPrompts: { providesTags: ["PromptList"] },
    getPrompt: { providesTags: (_result, _error, { id }) => [{ type: "Prompt", id }] },
    listPromptVersions: { providesTags: (_result, _error, { id }) => [{ type: "Prompt", id }] },
    createPrompt: { invalidatesTags: (_result, error) => (error ? [] : ["PromptList"]) },
    updatePrompt: { invalidatesTags: (_result, error, { id }) => (error ? [] : ["PromptList", { type: "Prompt", id }]) },
    addPromptVersion: { invalidatesTags: (_result, error, { id }) => (error ? [] : ["PromptList", { type: "Prompt", id }]) },
    // The deleted prompt's own tag stays valid: refetching it would answer 404.
    deletePrompt: { invalidatesTags: (_result, error) => (error ? [] : ["PromptList"]) },
  },
});

const promptsApi = tagged.injectEndpoints({
  endpoints: (build) => ({
    promptPages: build.infiniteQuery<PromptPage, { q: string | null }, string | null>({
      query: ({ queryArg: { q }, pageParam }) => ({ url: "/api/prompts", params: { q, limit: 50, cursor: pageParam } }),
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: (lastPage) => lastPage.next_cursor ?? undefined },
      providesTags: ["PromptList"],
    }),
    /** Render templates with the first cases of a source. A query, because it stores nothing. */
    renderedCases: build.query<PreviewOut, PreviewIn>({
      query: (body) => ({ url: "/api/prompts/preview", method: "POST", body }),
    }),
  }),
});

export const {
  usePromptPagesInfiniteQuery,
  useRenderedCasesQuery,
  useListPromptsQuery,
  useGetPromptQuery,
  useListPromptVersionsQuery,
  useCreatePromptMutation,
  useUpdatePromptMutation,
  useAddPromptVersionMutation,
  useDeletePromptMutation,
} = promptsApi;
