import { skipToken } from "@reduxjs/toolkit/query/react";
import { useEffect, useEffectEvent, useState } from "react";
import { MOST_VERSIONS, useListDatasetsQuery, useListDatasetVersionsQuery } from "@/api/datasets";
import { Combobox } from "@/components/Combobox";
import { SelectField } from "@/components/Field";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

const MOST_DATASETS = 100;

/** Choose a published version of a dataset; the newest by default. */
export function SourceFields({ versionId, error, onChange }: { versionId: string; error: string | undefined; onChange: (versionId: string) => void }) {
  const [datasetId, setDatasetId] = useState("");
  const datasets = useListDatasetsQuery({ status: "PUBLISHED", limit: MOST_DATASETS });
  const list = useListDatasetVersionsQuery(datasetId === "" ? skipToken : { datasetId, limit: MOST_VERSIONS });
  const versions = (list.currentData?.versions ?? []).filter((one) => one.status === "PUBLISHED");
  // The newest version is chosen once the list of versions has come.
  const newest = versions[0]?.version_id;
  const choose = useEffectEvent((id: string) => versionId === "" && onChange(id));
  useEffect(() => {
    if (newest !== undefined) choose(newest);
  }, [newest]);
  return (
    <>
      <Combobox
        label="Dataset" required placeholder="Choose or search…" value={datasetId} error={error}
        choices={(datasets.data?.datasets ?? []).map((one) => ({ value: one.dataset_id, label: harmless(one.name), detail: `version ${one.published_version}` }))}
        onChange={(next) => {
          setDatasetId(next);
          onChange("");
        }}
      />
      <SelectField
        label="Version" disabled={versions.length === 0} value={versionId}
        options={versions.length === 0 ? [{ value: "", label: "No published version" }] : versions.map((one) => ({ value: one.version_id, label: `Version ${one.version_number}, ${plural(one.row_count ?? 0, "case")}` }))}
        onChange={onChange}
      />
    </>
  );
}
