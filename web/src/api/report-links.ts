/** Links to the reports of runs: the generated client plus cache tags. */

import { orchestratorApi } from "./generated/orchestrator/sharing";

const ofRun = (_result: unknown, error: unknown, { runId }: { runId: string }) => (error ? [] : [{ type: "ReportLinks" as const, id: runId }]);

const tagged = orchestratorApi.enhanceEndpoints({
  addTagTypes: ["ReportLinks"],
  endpoints: {
    listReportLinks: { providesTags: (_result, _error, { runId }) => [{ type: "ReportLinks", id: runId }] },
    createReportLink: { invalidatesTags: ofRun },
    // A link that has expired meanwhile is not found. The list is loaded again, and has it no more.
    revokeReportLink: { invalidatesTags: (_result, _error, { runId }) => [{ type: "ReportLinks", id: runId }] },
  },
});

export const { useListReportLinksQuery, useCreateReportLinkMutation, useRevokeReportLinkMutation, useReadSharedReportQuery } = tagged;

/** The address to which a form with the field `token` is sent. It answers with the report as a page. */
export const SHARED_REPORT = "/api/runs/shared/report";
