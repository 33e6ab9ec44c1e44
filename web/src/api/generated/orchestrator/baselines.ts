import { baseApi as api } from "../../base-api";
import type {
  ListBaselinesApiResponse,
  ListBaselinesApiArg,
  CreateBaselineApiResponse,
  CreateBaselineApiArg,
  GetBaselineApiResponse,
  GetBaselineApiArg,
  DeleteBaselineApiResponse,
  DeleteBaselineApiArg,
  PromoteToBaselineApiResponse,
  PromoteToBaselineApiArg,
  GetBaselineHistoryApiResponse,
  GetBaselineHistoryApiArg,
  CreateGateApiResponse,
  CreateGateApiArg,
  GetGateApiResponse,
  GetGateApiArg,
  ChangeGateApiResponse,
  ChangeGateApiArg,
  DeleteGateApiResponse,
  DeleteGateApiArg,
  CheckSavedGateApiResponse,
  CheckSavedGateApiArg,
} from "../orchestrator";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listBaselines: build.query<ListBaselinesApiResponse, ListBaselinesApiArg>({
      query: (queryArg) => ({
        url: `/api/baselines`,
        params: {
          subject_kind: queryArg.subjectKind,
          subject_id: queryArg.subjectId,
          label: queryArg.label,
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
    createBaseline: build.mutation<
      CreateBaselineApiResponse,
      CreateBaselineApiArg
    >({
      query: (queryArg) => ({
        url: `/api/baselines`,
        method: "POST",
        body: queryArg.createBaseline,
      }),
    }),
    getBaseline: build.query<GetBaselineApiResponse, GetBaselineApiArg>({
      query: (queryArg) => ({
        url: `/api/baselines/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    deleteBaseline: build.mutation<
      DeleteBaselineApiResponse,
      DeleteBaselineApiArg
    >({
      query: (queryArg) => ({
        url: `/api/baselines/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    promoteToBaseline: build.mutation<
      PromoteToBaselineApiResponse,
      PromoteToBaselineApiArg
    >({
      query: (queryArg) => ({
        url: `/api/baselines/${encodeURIComponent(String(queryArg.id))}/promote`,
        method: "POST",
        body: queryArg.promoteRun,
      }),
    }),
    getBaselineHistory: build.query<
      GetBaselineHistoryApiResponse,
      GetBaselineHistoryApiArg
    >({
      query: (queryArg) => ({
        url: `/api/baselines/${encodeURIComponent(String(queryArg.id))}/history`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
    createGate: build.mutation<CreateGateApiResponse, CreateGateApiArg>({
      query: (queryArg) => ({
        url: `/api/baselines/${encodeURIComponent(String(queryArg.id))}/gates`,
        method: "POST",
        body: queryArg.createGate,
      }),
    }),
    getGate: build.query<GetGateApiResponse, GetGateApiArg>({
      query: (queryArg) => ({
        url: `/api/gates/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    changeGate: build.mutation<ChangeGateApiResponse, ChangeGateApiArg>({
      query: (queryArg) => ({
        url: `/api/gates/${encodeURIComponent(String(queryArg.id))}`,
        method: "PATCH",
        body: queryArg.changeGate,
      }),
    }),
    deleteGate: build.mutation<DeleteGateApiResponse, DeleteGateApiArg>({
      query: (queryArg) => ({
        url: `/api/gates/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    checkSavedGate: build.mutation<
      CheckSavedGateApiResponse,
      CheckSavedGateApiArg
    >({
      query: (queryArg) => ({
        url: `/api/gates/${encodeURIComponent(String(queryArg.id))}/check`,
        method: "POST",
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as orchestratorApi };
export const {
  useListBaselinesQuery,
  useCreateBaselineMutation,
  useGetBaselineQuery,
  useDeleteBaselineMutation,
  usePromoteToBaselineMutation,
  useGetBaselineHistoryQuery,
  useCreateGateMutation,
  useGetGateQuery,
  useChangeGateMutation,
  useDeleteGateMutation,
  useCheckSavedGateMutation,
} = injectedRtkApi;
