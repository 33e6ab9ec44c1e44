import { baseApi as api } from "../../base-api";
import type {
  CreateJudgeCheckApiResponse,
  CreateJudgeCheckApiArg,
  ListJudgeChecksApiResponse,
  ListJudgeChecksApiArg,
  GetJudgeCheckApiResponse,
  GetJudgeCheckApiArg,
  ListJudgeCheckCasesApiResponse,
  ListJudgeCheckCasesApiArg,
} from "../orchestrator";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    createJudgeCheck: build.mutation<
      CreateJudgeCheckApiResponse,
      CreateJudgeCheckApiArg
    >({
      query: (queryArg) => ({
        url: `/api/judge-checks`,
        method: "POST",
        body: queryArg.createJudgeCheck,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    listJudgeChecks: build.query<
      ListJudgeChecksApiResponse,
      ListJudgeChecksApiArg
    >({
      query: (queryArg) => ({
        url: `/api/judge-checks`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
    getJudgeCheck: build.query<GetJudgeCheckApiResponse, GetJudgeCheckApiArg>({
      query: (queryArg) => ({
        url: `/api/judge-checks/${encodeURIComponent(String(queryArg.checkId))}`,
      }),
    }),
    listJudgeCheckCases: build.query<
      ListJudgeCheckCasesApiResponse,
      ListJudgeCheckCasesApiArg
    >({
      query: (queryArg) => ({
        url: `/api/judge-checks/${encodeURIComponent(String(queryArg.checkId))}/cases`,
        params: {
          found: queryArg.found,
          category: queryArg.category,
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as orchestratorApi };
export const {
  useCreateJudgeCheckMutation,
  useListJudgeChecksQuery,
  useGetJudgeCheckQuery,
  useListJudgeCheckCasesQuery,
} = injectedRtkApi;
