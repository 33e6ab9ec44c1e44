import { skipToken } from "@reduxjs/toolkit/query/react";
import { useGetDatasetQuery, useListDatasetsQuery } from "@/api/datasets";
import type { DatasetOut } from "@/api/generated/config-api";
import { isUuid } from "@/lib/uuid";

/** The server's maximum page size. */
const MOST_DATASETS = 100;

/** Return the datasets to choose from: the first page, and the chosen one, which the address may name by its id. */
export function useDatasets(chosen: string): { items: readonly DatasetOut[]; error: unknown } {
  const list = useListDatasetsQuery({ limit: MOST_DATASETS });
  const listed = list.data?.datasets ?? [];
  const isListed = !list.data || listed.some((one) => one.dataset_id === chosen);
  const { currentData, error } = useGetDatasetQuery(isUuid(chosen) && !isListed ? { datasetId: chosen } : skipToken);
  return { items: currentData ? [...listed, currentData] : listed, error: list.error ?? error };
}
