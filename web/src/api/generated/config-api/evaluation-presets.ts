import { baseApi as api } from "../../base-api";
import type {
  ListPresetsApiResponse,
  ListPresetsApiArg,
  CreatePresetApiResponse,
  CreatePresetApiArg,
  GetPresetApiResponse,
  GetPresetApiArg,
  UpdatePresetApiResponse,
  UpdatePresetApiArg,
  DeletePresetApiResponse,
  DeletePresetApiArg,
} from "../config-api";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listPresets: build.query<ListPresetsApiResponse, ListPresetsApiArg>({
      query: (queryArg) => ({
        url: `/api/evaluation-presets`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          q: queryArg.q,
          name: queryArg.name,
        },
      }),
    }),
    createPreset: build.mutation<CreatePresetApiResponse, CreatePresetApiArg>({
      query: (queryArg) => ({
        url: `/api/evaluation-presets`,
        method: "POST",
        body: queryArg.presetIn,
      }),
    }),
    getPreset: build.query<GetPresetApiResponse, GetPresetApiArg>({
      query: (queryArg) => ({
        url: `/api/evaluation-presets/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updatePreset: build.mutation<UpdatePresetApiResponse, UpdatePresetApiArg>({
      query: (queryArg) => ({
        url: `/api/evaluation-presets/${encodeURIComponent(String(queryArg.id))}`,
        method: "PUT",
        body: queryArg.presetIn,
        headers: {
          "if-match": queryArg["if-match"],
        },
      }),
    }),
    deletePreset: build.mutation<DeletePresetApiResponse, DeletePresetApiArg>({
      query: (queryArg) => ({
        url: `/api/evaluation-presets/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as configApi };
export const {
  useListPresetsQuery,
  useCreatePresetMutation,
  useGetPresetQuery,
  useUpdatePresetMutation,
  useDeletePresetMutation,
} = injectedRtkApi;
