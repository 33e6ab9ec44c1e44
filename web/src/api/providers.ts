/** Providers as the app uses them: the generated client plus cache tags. */

import { configApi } from "./generated/config-api/providers";

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
} = configApi.enhanceEndpoints({
  addTagTypes: ["ProviderList", "Provider"],
  endpoints: {
    listProviders: { providesTags: ["ProviderList"] },
    getProvider: { providesTags: (_result, _error, { id }) => [{ type: "Provider", id }] },
    listProviderModels: { providesTags: (_result, _error, { id }) => [{ type: "Provider", id }] },
    createProvider: { invalidatesTags: (_result, error) => (error ? [] : ["ProviderList"]) },
    updateProvider: { invalidatesTags: (_result, error, { id }) => (error ? [] : ["ProviderList", { type: "Provider", id }]) },
    // The deleted provider's own tag stays valid: refetching it would answer 404.
    deleteProvider: { invalidatesTags: ["ProviderList"] },
  },
});
