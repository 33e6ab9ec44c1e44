/** Usage and budget as the app uses them. */

export { useGetBudgetQuery, useGetUsageQuery, type BudgetOut, type UsageOut, type UsageRow } from "./generated/orchestrator";
