/** The trend endpoints as the app uses them. */

import { orchestratorApi } from "./generated/orchestrator/results";

export const { useGetTrendQuery, useListTrendNamesQuery } = orchestratorApi;
