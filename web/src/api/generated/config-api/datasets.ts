import { baseApi as api } from "../../base-api";
import type {
  CheckTestCaseFileApiResponse,
  CheckTestCaseFileApiArg,
  ListDatasetsApiResponse,
  ListDatasetsApiArg,
  CreateDatasetApiResponse,
  CreateDatasetApiArg,
  GetDatasetApiResponse,
  GetDatasetApiArg,
  ChangeDatasetApiResponse,
  ChangeDatasetApiArg,
  DeleteDatasetApiResponse,
  DeleteDatasetApiArg,
  UploadVersionApiResponse,
  UploadVersionApiArg,
  ListDatasetVersionsApiResponse,
  ListDatasetVersionsApiArg,
  GetDatasetVersionApiResponse,
  GetDatasetVersionApiArg,
  DeleteDatasetVersionApiResponse,
  DeleteDatasetVersionApiArg,
  PublishDatasetVersionApiResponse,
  PublishDatasetVersionApiArg,
  DeprecateDatasetVersionApiResponse,
  DeprecateDatasetVersionApiArg,
  ListTestCasesApiResponse,
  ListTestCasesApiArg,
  SampleTestCasesApiResponse,
  SampleTestCasesApiArg,
  ExportDatasetVersionApiResponse,
  ExportDatasetVersionApiArg,
  DeleteTestCasesApiResponse,
  DeleteTestCasesApiArg,
  ChangeTestCaseApiResponse,
  ChangeTestCaseApiArg,
  DeleteTestCaseApiResponse,
  DeleteTestCaseApiArg,
} from "../config-api";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    checkTestCaseFile: build.mutation<
      CheckTestCaseFileApiResponse,
      CheckTestCaseFileApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/datasets/check-file`,
        method: "POST",
        body: queryArg.body,
        params: {
          format: queryArg.format,
          map: queryArg.map,
        },
      }),
    }),
    listDatasets: build.query<ListDatasetsApiResponse, ListDatasetsApiArg>({
      query: (queryArg) => ({
        url: `/v1/datasets`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
          q: queryArg.q,
          name: queryArg.name,
          type: queryArg["type"],
          tag: queryArg.tag,
          status: queryArg.status,
          filter: queryArg.filter,
        },
      }),
    }),
    createDataset: build.mutation<
      CreateDatasetApiResponse,
      CreateDatasetApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/datasets`,
        method: "POST",
        body: queryArg.datasetIn,
      }),
    }),
    getDataset: build.query<GetDatasetApiResponse, GetDatasetApiArg>({
      query: (queryArg) => ({
        url: `/v1/datasets/${encodeURIComponent(String(queryArg.datasetId))}`,
      }),
    }),
    changeDataset: build.mutation<
      ChangeDatasetApiResponse,
      ChangeDatasetApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/datasets/${encodeURIComponent(String(queryArg.datasetId))}`,
        method: "PATCH",
        body: queryArg.datasetPatch,
        headers: {
          "if-match": queryArg["if-match"],
        },
      }),
    }),
    deleteDataset: build.mutation<
      DeleteDatasetApiResponse,
      DeleteDatasetApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/datasets/${encodeURIComponent(String(queryArg.datasetId))}`,
        method: "DELETE",
      }),
    }),
    uploadVersion: build.mutation<
      UploadVersionApiResponse,
      UploadVersionApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/datasets/${encodeURIComponent(String(queryArg.datasetId))}/versions`,
        method: "POST",
        body: queryArg.body,
        params: {
          format: queryArg.format,
          keep_invalid: queryArg.keepInvalid,
          map: queryArg.map,
        },
      }),
    }),
    listDatasetVersions: build.query<
      ListDatasetVersionsApiResponse,
      ListDatasetVersionsApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/datasets/${encodeURIComponent(String(queryArg.datasetId))}/versions`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    getDatasetVersion: build.query<
      GetDatasetVersionApiResponse,
      GetDatasetVersionApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/datasets/${encodeURIComponent(String(queryArg.datasetId))}/versions/${encodeURIComponent(String(queryArg.versionNumber))}`,
      }),
    }),
    deleteDatasetVersion: build.mutation<
      DeleteDatasetVersionApiResponse,
      DeleteDatasetVersionApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/datasets/${encodeURIComponent(String(queryArg.datasetId))}/versions/${encodeURIComponent(String(queryArg.versionNumber))}`,
        method: "DELETE",
      }),
    }),
    publishDatasetVersion: build.mutation<
      PublishDatasetVersionApiResponse,
      PublishDatasetVersionApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/datasets/${encodeURIComponent(String(queryArg.datasetId))}/versions/${encodeURIComponent(String(queryArg.versionNumber))}/publish`,
        method: "POST",
      }),
    }),
    deprecateDatasetVersion: build.mutation<
      DeprecateDatasetVersionApiResponse,
      DeprecateDatasetVersionApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/datasets/${encodeURIComponent(String(queryArg.datasetId))}/versions/${encodeURIComponent(String(queryArg.versionNumber))}/deprecate`,
        method: "POST",
      }),
    }),
    listTestCases: build.query<ListTestCasesApiResponse, ListTestCasesApiArg>({
      query: (queryArg) => ({
        url: `/v1/datasets/${encodeURIComponent(String(queryArg.datasetId))}/versions/${encodeURIComponent(String(queryArg.versionNumber))}/cases`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
          filter: queryArg.filter,
        },
      }),
    }),
    sampleTestCases: build.mutation<
      SampleTestCasesApiResponse,
      SampleTestCasesApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/datasets/${encodeURIComponent(String(queryArg.datasetId))}/versions/${encodeURIComponent(String(queryArg.versionNumber))}/sample`,
        method: "POST",
        body: queryArg.sampleIn,
      }),
    }),
    exportDatasetVersion: build.query<
      ExportDatasetVersionApiResponse,
      ExportDatasetVersionApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/datasets/${encodeURIComponent(String(queryArg.datasetId))}/versions/${encodeURIComponent(String(queryArg.versionNumber))}/export`,
        params: {
          format: queryArg.format,
        },
      }),
    }),
    deleteTestCases: build.mutation<
      DeleteTestCasesApiResponse,
      DeleteTestCasesApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/datasets/${encodeURIComponent(String(queryArg.datasetId))}/versions/${encodeURIComponent(String(queryArg.versionNumber))}/cases/delete`,
        method: "POST",
        body: queryArg.deleteCases,
      }),
    }),
    changeTestCase: build.mutation<
      ChangeTestCaseApiResponse,
      ChangeTestCaseApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/datasets/${encodeURIComponent(String(queryArg.datasetId))}/versions/${encodeURIComponent(String(queryArg.versionNumber))}/cases/${encodeURIComponent(String(queryArg.testCaseId))}`,
        method: "PATCH",
        body: queryArg.testCasePatch,
      }),
    }),
    deleteTestCase: build.mutation<
      DeleteTestCaseApiResponse,
      DeleteTestCaseApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/datasets/${encodeURIComponent(String(queryArg.datasetId))}/versions/${encodeURIComponent(String(queryArg.versionNumber))}/cases/${encodeURIComponent(String(queryArg.testCaseId))}`,
        method: "DELETE",
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as configApi };
export const {
  useCheckTestCaseFileMutation,
  useListDatasetsQuery,
  useCreateDatasetMutation,
  useGetDatasetQuery,
  useChangeDatasetMutation,
  useDeleteDatasetMutation,
  useUploadVersionMutation,
  useListDatasetVersionsQuery,
  useGetDatasetVersionQuery,
  useDeleteDatasetVersionMutation,
  usePublishDatasetVersionMutation,
  useDeprecateDatasetVersionMutation,
  useListTestCasesQuery,
  useSampleTestCasesMutation,
  useExportDatasetVersionQuery,
  useDeleteTestCasesMutation,
  useChangeTestCaseMutation,
  useDeleteTestCaseMutation,
} = injectedRtkApi;
