import type { ReactNode } from "react";
import { useGetDatasetQuery, useGetDatasetVersionQuery } from "@/api/datasets";
import type { DatasetVersionRef } from "@/api/generated/orchestrator";
import { refOf } from "@/components/DatasetsSection";
import { Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";

interface Props {
  datasetId: string;
  versionNumber: number;
  children: (version: DatasetVersionRef) => ReactNode;
}

/** Load a version of a dataset, and give it to the form of a run. */
export function OnVersion({ datasetId, versionNumber, children }: Props) {
  const dataset = useGetDatasetQuery({ datasetId });
  const version = useGetDatasetVersionQuery({ datasetId, versionNumber });
  const failed = [dataset, version].find((one) => one.isError);
  if (failed) return <ErrorMessage error={failed.error} onRetry={() => void failed.refetch()} />;
  const [named, found] = [dataset.currentData, version.currentData];
  return named && found ? children(refOf(named.name, found)) : <Skeleton className="h-96" />;
}
