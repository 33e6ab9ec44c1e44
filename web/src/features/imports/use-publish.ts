import { useState } from "react";
import { useCreateDatasetMutation, useDeleteDatasetMutation, usePublishDatasetVersionMutation } from "@/api/datasets";
import type { CollectionOut, DatasetOut, ImportResult, VersionOut } from "@/api/generated/config-api";
import { useImportTasksMutation } from "@/api/tasks";
import { isUuid } from "@/lib/uuid";
import { toCases, toTasks, type ImportPlan } from "./import-plan";
import type { Source } from "./use-check";
import { useUpload } from "./use-upload";

export type Published = { tasks: ImportResult } | { version: VersionOut };

/** Import all rows of the file: as tasks, or as a version of a dataset that may be new. */
export function usePublish(source: Source, plan: ImportPlan, collections: readonly CollectionOut[], datasets: readonly DatasetOut[]) {
  const [send, sending] = useImportTasksMutation();
  const [create] = useCreateDatasetMutation();
  const [remove] = useDeleteDatasetMutation();
  const [publish] = usePublishDatasetVersionMutation();
  const upload = useUpload();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);

  const intoDataset = async (): Promise<Published | null> => {
    const wanted = plan.dataset.trim();
    const known = datasets.find((one) => one.dataset_id === wanted || one.name === wanted)?.dataset_id ?? (isUuid(wanted) ? wanted : undefined);
    const made = known ? undefined : await create({ datasetIn: { name: wanted } });
    if (made?.error) {
      setError(made.error);
      return null;
    }
    const datasetId = known ?? made?.data?.dataset_id ?? "";
    const { map, format } = toCases(source.whole, source.name, plan);
    const version = await upload.start({ datasetId, file: source.whole, fileName: source.name, description: plan.description, map, ...(format && { format }) });
    if (!version) {
      // A dataset that was made for a refused file would be empty.
      if (made) await remove({ datasetId });
      return null;
    }
    if (!plan.publish) return { version };
    const answer = await publish({ datasetId, versionNumber: version.version_number });
    // The version is stored as a draft either way; its page has the button once more.
    return { version: answer.data ?? version };
  };

  const start = async (): Promise<Published | null> => {
    setBusy(true);
    setError(undefined);
    upload.forget();
    try {
      if (plan.to === "dataset") return await intoDataset();
      const answer = await send(toTasks(source.whole, source.name, plan, collections, false));
      if (answer.error) setError(answer.error);
      return answer.data ? { tasks: answer.data } : null;
    } finally {
      setBusy(false);
    }
  };
  const forget = () => {
    setError(undefined);
    sending.reset();
    if (upload.error !== undefined) upload.forget();
  };
  return { start, stop: upload.stop, forget, isBusy, sent: upload.sent, error: error ?? upload.error };
}
