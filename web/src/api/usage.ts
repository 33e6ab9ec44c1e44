/** Usage and budget as the app uses them. */

export type { BudgetOut, UsageOut, UsageRow } from "./generated/orchestrator";
export { useGetBudgetQuery, useGetUsageQuery } from "./generated/orchestrator/usage";
