import { baseApi as api } from "../../base-api";
import type {
  PreviewRetentionApiResponse,
  PreviewRetentionApiArg,
  PruneRunsApiResponse,
  PruneRunsApiArg,
} from "../orchestrator";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    previewRetention: build.query<
      PreviewRetentionApiResponse,
      PreviewRetentionApiArg
    >({
      query: (queryArg) => ({
        url: `/api/retention`,
        params: {
          older_than_days: queryArg.olderThanDays,
        },
      }),
    }),
    pruneRuns: build.mutation<PruneRunsApiResponse, PruneRunsApiArg>({
      query: (queryArg) => ({
        url: `/api/retention/prune`,
        method: "POST",
        body: queryArg.pruneRuns,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as orchestratorApi };
export const { usePreviewRetentionQuery, usePruneRunsMutation } =
  injectedRtkApi;
