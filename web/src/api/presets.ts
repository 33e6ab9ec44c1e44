/** The preset endpoints as the app uses them: the generated client plus cache tags. */

import { configApi } from "./generated/config-api/evaluation-presets";

export const { useListPresetsQuery, useGetPresetQuery, useLazyGetPresetQuery, useCreatePresetMutation, useUpdatePresetMutation, useDeletePresetMutation } =
  configApi.enhanceEndpoints({
    addTagTypes: ["PresetList", "Preset"],
    endpoints: {
      listPresets: { providesTags: ["PresetList"] },
      getPreset: { providesTags: (_result, _error, { id }) => [{ type: "Preset", id }] },
      createPreset: { invalidatesTags: (_result, error) => (error ? [] : ["PresetList"]) },
      updatePreset: { invalidatesTags: (_result, error, { id }) => (error ? [] : ["PresetList", { type: "Preset", id }]) },
      // The deleted preset's own tag stays valid: refetching it would answer 404.
      deletePreset: { invalidatesTags: (_result, error) => (error ? [] : ["PresetList"]) },
    },
  });
