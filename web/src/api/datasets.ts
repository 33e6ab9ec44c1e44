/** Datasets and their versions as the app uses them: the generated client plus cache tags, uploads with progress, links to files. */

import type { FetchBaseQueryError } from "@reduxjs/toolkit/query/react";
import type { ApiDispatch } from "./dispatch";
import { serializeParams } from "./base-api";
import type { CheckTestCaseFileApiArg, DatasetOut, DatasetPage, ExportDatasetVersionApiArg, FileCheck, UploadVersionApiArg, VersionOut, VersionPage } from "./generated/config-api";
import type { DatasetVersionRef } from "./generated/orchestrator";
import { configApi as generated } from "./generated/config-api/datasets";

export type VersionFormat = NonNullable<ExportDatasetVersionApiArg["format"]>;
export const DATASETS_PER_PAGE = 50;
export const CASES_PER_PAGE = 50;
/** The server's maximum page size. */
export const MOST_VERSIONS = 100;
const MOST_DATASETS = 100;

type VersionArg = { datasetId: string; versionNumber: number };
const versionTag = ({ datasetId, versionNumber }: VersionArg) => ({ type: "Version" as const, id: `${datasetId} ${versionNumber}` });
/** Return the tags that a created, changed or deleted version invalidates. */
const changedVersion = (_result: unknown, error: unknown, arg: VersionArg) =>
  error ? [] : (["DatasetList", { type: "Dataset", id: arg.datasetId }, versionTag(arg)] as const);

const tagged = generated.enhanceEndpoints({
  addTagTypes: ["DatasetList", "Dataset", "Version"],
  endpoints: {
    listDatasets: { providesTags: ["DatasetList"] },
    getDataset: { providesTags: (_result, _error, { datasetId }) => [{ type: "Dataset", id: datasetId }] },
    listDatasetVersions: { providesTags: (_result, _error, { datasetId }) => [{ type: "Dataset", id: datasetId }] },
    getDatasetVersion: { providesTags: (_result, _error, arg) => [versionTag(arg)] },
    createDataset: { invalidatesTags: (_result, error) => (error ? [] : ["DatasetList"]) },
    changeDataset: { invalidatesTags: (_result, error, { datasetId }) => (error ? [] : ["DatasetList", { type: "Dataset", id: datasetId }]) },
    // The deleted dataset's own tag stays valid: refetching it would answer 404.
    deleteDataset: { invalidatesTags: (_result, error) => (error ? [] : ["DatasetList"]) },
    listTestCases: { providesTags: (_result, _error, arg) => [versionTag(arg)] },
    changeTestCase: { invalidatesTags: changedVersion },
    deleteTestCase: { invalidatesTags: changedVersion },
    publishDatasetVersion: { invalidatesTags: changedVersion },
    deprecateDatasetVersion: { invalidatesTags: changedVersion },
    deleteDatasetVersion: { invalidatesTags: (_result, error, { datasetId }) => (error ? [] : ["DatasetList", { type: "Dataset", id: datasetId }]) },
  },
});

/** A version as a run names it. */
export interface VersionRef {
  dataset_id: string;
  version_number: number;
}

export interface FileCheckArg extends Pick<CheckTestCaseFileApiArg, "format" | "map"> {
  file: Blob;
  fileName: string;
}

export const datasetsApi = tagged.injectEndpoints({
  endpoints: (build) => ({
    /** Return several versions in the given order; null for a deleted one. */
    versionsOf: build.query<(VersionOut | null)[], readonly VersionRef[]>({
      async queryFn(refs, _api, _options, fetch) {
        const answers = await Promise.all(refs.map((one) => fetch({ url: versionUrl(one.dataset_id, one.version_number) })));
        const failed = answers.find((one) => one.error !== undefined && one.error.status !== 404);
        return failed?.error ? { error: failed.error } : { data: answers.map((one) => (one.data as VersionOut | undefined) ?? null) };
      },
      providesTags: (_result, _error, refs) => refs.map((one) => versionTag({ datasetId: one.dataset_id, versionNumber: one.version_number })),
    }),
    /** `POST /v1/datasets/check-file` with a form, which the generated client does not support. Nothing is stored. */
    checkFile: build.mutation<FileCheck, FileCheckArg>({
      query: ({ file, fileName, format, map }) => {
        const body = new FormData();
        body.append("file", file, fileName);
        return { url: "/v1/datasets/check-file", method: "POST", body, params: { format, map } };
      },
    }),
    /** Return the versions with these ids, with the names of their datasets. One that is not found has no dataset. */
    versionsById: build.query<DatasetVersionRef[], readonly string[]>({
      async queryFn(ids, _api, _options, fetch) {
        const found = new Map<string, DatasetVersionRef>();
        const page = await fetch({ url: "/v1/datasets", params: { limit: MOST_DATASETS } });
        if (page.error) return { error: page.error };
        for (const { dataset_id, name } of (page.data as DatasetPage).datasets) {
          if (ids.every((id) => found.has(id))) break;
          // One after another: most are found in the first few.
          // eslint-disable-next-line no-await-in-loop
          const versions = await fetch({ url: `/v1/datasets/${encodeURIComponent(dataset_id)}/versions`, params: { limit: MOST_VERSIONS } });
          if (versions.error) return { error: versions.error };
          for (const { version_id, version_number } of (versions.data as VersionPage).versions) found.set(version_id, { version_id, dataset_id, name, version_number });
        }
        return { data: ids.map((id) => found.get(id) ?? { version_id: id, dataset_id: "", name: "A deleted version", version_number: 0 }) };
      },
      providesTags: ["DatasetList"],
    }),
  }),
});

export const {
  useListDatasetsQuery,
  useLazyListDatasetsQuery,
  useGetDatasetQuery,
  useLazyGetDatasetQuery,
  useCreateDatasetMutation,
  useChangeDatasetMutation,
  useDeleteDatasetMutation,
  useListDatasetVersionsQuery,
  useGetDatasetVersionQuery,
  useLazyGetDatasetVersionQuery,
  useVersionsOfQuery,
  useVersionsByIdQuery,
  usePublishDatasetVersionMutation,
  useDeprecateDatasetVersionMutation,
  useDeleteDatasetVersionMutation,
  useListTestCasesQuery,
  useChangeTestCaseMutation,
  useDeleteTestCaseMutation,
  useSampleTestCasesMutation,
  useCheckFileMutation,
} = datasetsApi;

const versionUrl = (datasetId: string, number: number) => `/v1/datasets/${encodeURIComponent(datasetId)}/versions/${number}`;

/** The formats that a version is uploaded and exported in. */
export const VERSION_FORMATS = [
  { format: "csv", name: "CSV", detail: "for a spreadsheet" },
  { format: "json", name: "JSON", detail: "one document" },
  { format: "jsonl", name: "JSON Lines", detail: "one case per line" },
  { format: "parquet", name: "Parquet", detail: "for data tools" },
  { format: "ground-truth", name: "YAML ground truth", detail: "the questions of a regression suite" },
] as const satisfies readonly { format: VersionFormat; name: string; detail: string }[];

export const formatName = (format: string) => VERSION_FORMATS.find((one) => one.format === format)?.name ?? format;

/** Return the URL of the version's cases as a file that can be uploaded again. */
export function versionExportUrl({ dataset_id, version_number }: VersionRef, format: VersionFormat): string {
  return `${versionUrl(dataset_id, version_number)}/export?${serializeParams({ format })}`;
}

/** Return the URL of a new run with this version. */
export function runOnVersionHref({ dataset_id, version_number }: VersionRef): string {
  return `/runs/new?${new URLSearchParams({ dataset: dataset_id, version: String(version_number) })}`;
}

export interface Upload extends Pick<UploadVersionApiArg, "datasetId" | "format" | "map"> {
  file: Blob;
  fileName: string;
  description: string;
}

/**
 * Upload a file as the next version; `onSent` receives the share sent, from 0 to 1, which `fetch` does not report.
 * Errors have the form of the generated client's; an abort is `{status: "FETCH_ERROR", error: "aborted"}`.
 */
export async function uploadVersion(upload: Upload, onSent: (share: number) => void, signal: AbortSignal): Promise<Uploaded> {
  const { readSession, sendChange } = await import("./session");
  const answer = await sendChange<Uploaded>((token) => sendUpload(upload, onSent, signal, token));
  if (answer.error?.status === 401) await readSession();
  return answer;
}

type Uploaded = { data: VersionOut; error?: undefined } | { data?: undefined; error: FetchBaseQueryError };

function sendUpload(upload: Upload, onSent: (share: number) => void, signal: AbortSignal, token: string | undefined): Promise<Uploaded> {
  const form = new FormData();
  form.append("file", upload.file, upload.fileName);
  if (upload.description.trim() !== "") form.append("description", upload.description);
  const params = serializeParams({ format: upload.format, map: upload.map });
  const query = params === "" ? "" : `?${params}`;
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const lost = (error: string) => (): void => resolve({ error: { status: "FETCH_ERROR", error } });
    request.open("POST", `${globalThis.location.origin}/v1/datasets/${encodeURIComponent(upload.datasetId)}/versions${query}`);
    if (token !== undefined) request.setRequestHeader("X-CSRF-Token", token);
    request.upload.addEventListener("progress", (event) => event.lengthComputable && onSent(event.loaded / event.total));
    request.upload.addEventListener("load", () => onSent(1));
    request.addEventListener("error", lost("no connection"));
    request.addEventListener("abort", lost("aborted"));
    request.addEventListener("load", () => {
      const data: unknown = parsed(request.responseText);
      // The OpenAPI document guarantees the type of a 201 response.
      resolve(request.status === 201 ? { data: data as VersionOut } : { error: { status: request.status, data } });
    });
    signal.addEventListener("abort", () => request.abort());
    if (signal.aborted) return lost("aborted")();
    request.send(form);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Invalidate the cache after an upload, which bypasses the query cache. */
export function tellUploaded(dispatch: ApiDispatch, datasetId: DatasetOut["dataset_id"]): void {
  dispatch(datasetsApi.util.invalidateTags(["DatasetList", { type: "Dataset", id: datasetId }]));
}
