import { baseApi as api } from "../../base-api";
import type {
  ListSuitesApiResponse,
  ListSuitesApiArg,
  CreateSuiteApiResponse,
  CreateSuiteApiArg,
  SuiteSchemaApiResponse,
  SuiteSchemaApiArg,
  ApplySuiteApiResponse,
  ApplySuiteApiArg,
  GetSuiteApiResponse,
  GetSuiteApiArg,
  UpdateSuiteApiResponse,
  UpdateSuiteApiArg,
  DeleteSuiteApiResponse,
  DeleteSuiteApiArg,
  PublishSuiteApiResponse,
  PublishSuiteApiArg,
  ListSuiteVersionsApiResponse,
  ListSuiteVersionsApiArg,
  CreateSuiteVersionApiResponse,
  CreateSuiteVersionApiArg,
} from "../config-api";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listSuites: build.query<ListSuitesApiResponse, ListSuitesApiArg>({
      query: (queryArg) => ({
        url: `/api/suites`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          q: queryArg.q,
          status: queryArg.status,
        },
      }),
    }),
    createSuite: build.mutation<CreateSuiteApiResponse, CreateSuiteApiArg>({
      query: (queryArg) => ({
        url: `/api/suites`,
        method: "POST",
        body: queryArg.suiteIn,
      }),
    }),
    suiteSchema: build.query<SuiteSchemaApiResponse, SuiteSchemaApiArg>({
      query: () => ({ url: `/api/suites/schema` }),
    }),
    applySuite: build.mutation<ApplySuiteApiResponse, ApplySuiteApiArg>({
      query: (queryArg) => ({
        url: `/api/suites/apply`,
        method: "POST",
        body: queryArg.applySuite,
      }),
    }),
    getSuite: build.query<GetSuiteApiResponse, GetSuiteApiArg>({
      query: (queryArg) => ({
        url: `/api/suites/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateSuite: build.mutation<UpdateSuiteApiResponse, UpdateSuiteApiArg>({
      query: (queryArg) => ({
        url: `/api/suites/${encodeURIComponent(String(queryArg.id))}`,
        method: "PUT",
        body: queryArg.suiteIn,
        headers: {
          "if-match": queryArg["if-match"],
        },
      }),
    }),
    deleteSuite: build.mutation<DeleteSuiteApiResponse, DeleteSuiteApiArg>({
      query: (queryArg) => ({
        url: `/api/suites/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    publishSuite: build.mutation<PublishSuiteApiResponse, PublishSuiteApiArg>({
      query: (queryArg) => ({
        url: `/api/suites/${encodeURIComponent(String(queryArg.id))}/publish`,
        method: "POST",
      }),
    }),
    listSuiteVersions: build.query<
      ListSuiteVersionsApiResponse,
      ListSuiteVersionsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/suites/${encodeURIComponent(String(queryArg.id))}/versions`,
      }),
    }),
    createSuiteVersion: build.mutation<
      CreateSuiteVersionApiResponse,
      CreateSuiteVersionApiArg
    >({
      query: (queryArg) => ({
        url: `/api/suites/${encodeURIComponent(String(queryArg.id))}/versions`,
        method: "POST",
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as configApi };
export const {
  useListSuitesQuery,
  useCreateSuiteMutation,
  useSuiteSchemaQuery,
  useApplySuiteMutation,
  useGetSuiteQuery,
  useUpdateSuiteMutation,
  useDeleteSuiteMutation,
  usePublishSuiteMutation,
  useListSuiteVersionsQuery,
  useCreateSuiteVersionMutation,
} = injectedRtkApi;
