import { skipToken } from "@reduxjs/toolkit/query/react";
import { useListCollectionsQuery } from "@/api/collections";
import { MOST_VERSIONS, useListDatasetsQuery, useListDatasetVersionsQuery } from "@/api/datasets";
import type { SourceIn } from "@/api/generated/config-api";
import { Combobox } from "@/components/Combobox";
import { SelectField } from "@/components/Field";
import { errorsUnder } from "@/lib/form-errors";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

interface Props {
  source: SourceIn;
  errors: Readonly<Record<string, string>>;
  /** The source's path in the request, such as `tasks.0.source`. */
  path: string;
  onChange: (source: SourceIn) => void;
}

const KINDS = [
  { value: "dataset", label: "A dataset" },
  { value: "collection", label: "A collection" },
] as const;

/** The most that the server lists at once. The name of a further one can be typed. */
const MOST_DATASETS = 100;
const MOST_COLLECTIONS = 500;

/** Choose the cases of a task: a version of a dataset, or a collection. */
export function SourceFields({ source, errors, path, onChange }: Props) {
  const kind = source.collection != null ? "collection" : "dataset";
  const name = source.collection ?? source.dataset ?? "";
  const error = errorsUnder(errors, path)[0];
  const datasets = useListDatasetsQuery({ status: "PUBLISHED", limit: MOST_DATASETS });
  const collections = useListCollectionsQuery({ limit: MOST_COLLECTIONS });
  const known = datasets.data?.datasets.find((one) => one.name === source.dataset);
  const versions = useListDatasetVersionsQuery(known ? { datasetId: known.dataset_id, limit: MOST_VERSIONS } : skipToken).currentData?.versions ?? [];
  const choices =
    kind === "dataset"
      ? (datasets.data?.datasets ?? []).map((one) => ({ value: one.name, label: harmless(one.name), detail: `version ${one.published_version}` }))
      : (collections.data?.items ?? []).filter((one) => one.task_count > 0).map((one) => ({ value: one.name, label: harmless(one.name), detail: plural(one.task_count, "task") }));
  const numbers = versions.filter((one) => one.status === "PUBLISHED").map((one) => one.version_number);
  if (source.version != null && !numbers.includes(source.version)) numbers.push(source.version);
  const offered = [{ value: "", label: "The newest published one" }, ...numbers.toSorted((a, b) => b - a).map((one) => ({ value: String(one), label: `Version ${one}` }))];
  return (
    <div className="grid items-start gap-3 sm:grid-cols-3">
      <SelectField label="Cases of" options={KINDS} value={kind} onChange={(next) => next !== kind && onChange(next === "dataset" ? { dataset: "" } : { collection: "" })} />
      <Combobox label={kind === "dataset" ? "Dataset" : "Collection"} required free placeholder="Choose or search…" choices={choices} value={name} error={error} onChange={(next) => onChange(kind === "dataset" ? { dataset: next } : { collection: next })} />
      {kind === "dataset" && (
        <SelectField
          label="Version"
          hint="Saving fixes the number."
          options={offered}
          value={source.version == null ? "" : String(source.version)}
          onChange={(next) => onChange({ dataset: source.dataset, ...(next !== "" && { version: Number(next) }) })}
        />
      )}
    </div>
  );
}
