import { baseApi as api } from "../../base-api";
import type {
  ListReportLinksApiResponse,
  ListReportLinksApiArg,
  CreateReportLinkApiResponse,
  CreateReportLinkApiArg,
  RevokeReportLinkApiResponse,
  RevokeReportLinkApiArg,
  ReadSharedReportApiResponse,
  ReadSharedReportApiArg,
  OpenSharedReportApiResponse,
  OpenSharedReportApiArg,
} from "../orchestrator";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listReportLinks: build.query<
      ListReportLinksApiResponse,
      ListReportLinksApiArg
    >({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/report-links`,
      }),
    }),
    createReportLink: build.mutation<
      CreateReportLinkApiResponse,
      CreateReportLinkApiArg
    >({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/report-links`,
        method: "POST",
        body: queryArg.newReportLink,
      }),
    }),
    revokeReportLink: build.mutation<
      RevokeReportLinkApiResponse,
      RevokeReportLinkApiArg
    >({
      query: (queryArg) => ({
        url: `/api/runs/${encodeURIComponent(String(queryArg.runId))}/report-links/${encodeURIComponent(String(queryArg.linkId))}`,
        method: "DELETE",
      }),
    }),
    readSharedReport: build.query<
      ReadSharedReportApiResponse,
      ReadSharedReportApiArg
    >({
      query: (queryArg) => ({
        url: `/api/runs/shared/report`,
        headers: {
          "Llmbench-Report-Link": queryArg["Llmbench-Report-Link"],
        },
      }),
    }),
    openSharedReport: build.mutation<
      OpenSharedReportApiResponse,
      OpenSharedReportApiArg
    >({
      query: (queryArg) => ({
        url: `/api/runs/shared/report`,
        method: "POST",
        body: queryArg.bodyOpenSharedReport,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as orchestratorApi };
export const {
  useListReportLinksQuery,
  useCreateReportLinkMutation,
  useRevokeReportLinkMutation,
  useReadSharedReportQuery,
  useOpenSharedReportMutation,
} = injectedRtkApi;
