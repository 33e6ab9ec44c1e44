import { baseApi as api } from "../../base-api";
import type {
  ImportLlmEvalConfigApiResponse,
  ImportLlmEvalConfigApiArg,
  ListProvidersApiResponse,
  ListProvidersApiArg,
  CreateProviderApiResponse,
  CreateProviderApiArg,
  ListProviderTypesApiResponse,
  ListProviderTypesApiArg,
  TestUnsavedProviderApiResponse,
  TestUnsavedProviderApiArg,
  GetProviderApiResponse,
  GetProviderApiArg,
  UpdateProviderApiResponse,
  UpdateProviderApiArg,
  DeleteProviderApiResponse,
  DeleteProviderApiArg,
  ListProviderModelsApiResponse,
  ListProviderModelsApiArg,
  TestProviderApiResponse,
  TestProviderApiArg,
} from "../config-api";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    importLlmEvalConfig: build.mutation<
      ImportLlmEvalConfigApiResponse,
      ImportLlmEvalConfigApiArg
    >({
      query: (queryArg) => ({
        url: `/api/providers/import-llm-eval-config`,
        method: "POST",
        body: queryArg.evalConfig,
        params: {
          preset_name: queryArg.presetName,
        },
      }),
    }),
    listProviders: build.query<ListProvidersApiResponse, ListProvidersApiArg>({
      query: (queryArg) => ({
        url: `/api/providers`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          q: queryArg.q,
          name: queryArg.name,
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
    listProviderTypes: build.query<
      ListProviderTypesApiResponse,
      ListProviderTypesApiArg
    >({
      query: () => ({ url: `/api/providers/types` }),
    }),
    testUnsavedProvider: build.mutation<
      TestUnsavedProviderApiResponse,
      TestUnsavedProviderApiArg
    >({
      query: (queryArg) => ({
        url: `/api/providers/test`,
        method: "POST",
        body: queryArg.providerTestIn,
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
  }),
  overrideExisting: false,
});
export { injectedRtkApi as configApi };
export const {
  useImportLlmEvalConfigMutation,
  useListProvidersQuery,
  useCreateProviderMutation,
  useListProviderTypesQuery,
  useTestUnsavedProviderMutation,
  useGetProviderQuery,
  useUpdateProviderMutation,
  useDeleteProviderMutation,
  useListProviderModelsQuery,
  useTestProviderMutation,
} = injectedRtkApi;
