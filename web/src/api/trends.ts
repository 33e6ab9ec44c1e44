/** The trend endpoints as the app uses them. */

import { orchestratorApi } from "./generated/orchestrator";

export const { useGetTrendQuery, useListTrendNamesQuery } = orchestratorApi;
