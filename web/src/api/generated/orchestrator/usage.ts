import { baseApi as api } from "../../base-api";
import type {
  GetUsageApiResponse,
  GetUsageApiArg,
  GetBudgetApiResponse,
  GetBudgetApiArg,
  ExportUsageApiResponse,
  ExportUsageApiArg,
} from "../orchestrator";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getUsage: build.query<GetUsageApiResponse, GetUsageApiArg>({
      query: (queryArg) => ({
        url: `/api/usage`,
        params: {
          group_by: queryArg.groupBy,
          since: queryArg.since,
          until: queryArg.until,
          person_id: queryArg.personId,
          model: queryArg.model,
        },
      }),
    }),
    getBudget: build.query<GetBudgetApiResponse, GetBudgetApiArg>({
      query: () => ({ url: `/api/usage/budget` }),
    }),
    exportUsage: build.query<ExportUsageApiResponse, ExportUsageApiArg>({
      query: (queryArg) => ({
        url: `/api/usage/export`,
        params: {
          since: queryArg.since,
          until: queryArg.until,
          person_id: queryArg.personId,
          model: queryArg.model,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as orchestratorApi };
export const { useGetUsageQuery, useGetBudgetQuery, useExportUsageQuery } =
  injectedRtkApi;
