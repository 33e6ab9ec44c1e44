/** Scores that people give instead of a judge's: the generated client plus cache tags. */

import { orchestratorApi } from "./generated/orchestrator/runs";

/** The tags of everything that shows scores of the run: its figures, its items and their overrulings. */
const shown = (_result: unknown, error: unknown, { runId }: { runId: string }) => (error ? [] : (["RunList", "Item", { type: "Run", id: runId }] as const));

const tagged = orchestratorApi.enhanceEndpoints({
  addTagTypes: ["RunList", "Run", "Item"],
  endpoints: {
    listOverrulings: { providesTags: (_result, _error, { itemId }) => [{ type: "Item", id: itemId }] },
    overruleScore: { invalidatesTags: shown },
    withdrawOverruling: { invalidatesTags: shown },
  },
});

export const { useListOverrulingsQuery, useOverruleScoreMutation, useWithdrawOverrulingMutation } = tagged;
