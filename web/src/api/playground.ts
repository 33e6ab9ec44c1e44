/** The playground as the app uses it: the generated client plus cache tags. */

import { orchestratorApi } from "./generated/orchestrator/playground";

const tagged = orchestratorApi.enhanceEndpoints({
  addTagTypes: ["RunList", "Run"],
  endpoints: {
    askPlayground: { invalidatesTags: ["RunList"] },
    keepPlayground: { invalidatesTags: (_result, _error, { runId }) => ["RunList", { type: "Run", id: runId }] },
  },
});

export const { useAskPlaygroundMutation, useKeepPlaygroundMutation } = tagged;
