import { baseApi as api } from "../../base-api";
import type {
  ListPromptsApiResponse,
  ListPromptsApiArg,
  CreatePromptApiResponse,
  CreatePromptApiArg,
  PreviewPromptApiResponse,
  PreviewPromptApiArg,
  GetPromptApiResponse,
  GetPromptApiArg,
  UpdatePromptApiResponse,
  UpdatePromptApiArg,
  DeletePromptApiResponse,
  DeletePromptApiArg,
  ListPromptVersionsApiResponse,
  ListPromptVersionsApiArg,
  AddPromptVersionApiResponse,
  AddPromptVersionApiArg,
  GetPromptVersionApiResponse,
  GetPromptVersionApiArg,
} from "../config-api";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listPrompts: build.query<ListPromptsApiResponse, ListPromptsApiArg>({
      query: (queryArg) => ({
        url: `/api/prompts`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          q: queryArg.q,
          name: queryArg.name,
        },
      }),
    }),
    createPrompt: build.mutation<CreatePromptApiResponse, CreatePromptApiArg>({
      query: (queryArg) => ({
        url: `/api/prompts`,
        method: "POST",
        body: queryArg.promptIn,
      }),
    }),
    previewPrompt: build.mutation<
      PreviewPromptApiResponse,
      PreviewPromptApiArg
    >({
      query: (queryArg) => ({
        url: `/api/prompts/preview`,
        method: "POST",
        body: queryArg.previewIn,
      }),
    }),
    getPrompt: build.query<GetPromptApiResponse, GetPromptApiArg>({
      query: (queryArg) => ({
        url: `/api/prompts/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updatePrompt: build.mutation<UpdatePromptApiResponse, UpdatePromptApiArg>({
      query: (queryArg) => ({
        url: `/api/prompts/${encodeURIComponent(String(queryArg.id))}`,
        method: "PUT",
        body: queryArg.promptChange,
        headers: {
          "if-match": queryArg["if-match"],
        },
      }),
    }),
    deletePrompt: build.mutation<DeletePromptApiResponse, DeletePromptApiArg>({
      query: (queryArg) => ({
        url: `/api/prompts/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    listPromptVersions: build.query<
      ListPromptVersionsApiResponse,
      ListPromptVersionsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/prompts/${encodeURIComponent(String(queryArg.id))}/versions`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
    addPromptVersion: build.mutation<
      AddPromptVersionApiResponse,
      AddPromptVersionApiArg
    >({
      query: (queryArg) => ({
        url: `/api/prompts/${encodeURIComponent(String(queryArg.id))}/versions`,
        method: "POST",
        body: queryArg.promptVersionIn,
      }),
    }),
    getPromptVersion: build.query<
      GetPromptVersionApiResponse,
      GetPromptVersionApiArg
    >({
      query: (queryArg) => ({
        url: `/api/prompts/${encodeURIComponent(String(queryArg.id))}/versions/${encodeURIComponent(String(queryArg["number"]))}`,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as configApi };
export const {
  useListPromptsQuery,
  useCreatePromptMutation,
  usePreviewPromptMutation,
  useGetPromptQuery,
  useUpdatePromptMutation,
  useDeletePromptMutation,
  useListPromptVersionsQuery,
  useAddPromptVersionMutation,
  useGetPromptVersionQuery,
} = injectedRtkApi;
