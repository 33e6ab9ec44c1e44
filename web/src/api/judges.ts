/** The judge checks as the app uses them: the generated client plus cache tags. */

import { orchestratorApi } from "./generated/orchestrator/judge-checks";

const tagged = orchestratorApi.enhanceEndpoints({
  addTagTypes: ["JudgeChecks"],
  endpoints: {
    listJudgeChecks: { providesTags: ["JudgeChecks"] },
    createJudgeCheck: { invalidatesTags: ["JudgeChecks"] },
  },
});

export const { useListJudgeChecksQuery, useGetJudgeCheckQuery, useListJudgeCheckCasesQuery, useCreateJudgeCheckMutation } = tagged;
