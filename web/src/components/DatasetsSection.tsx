import { useState } from "react";
import { MOST_VERSIONS, useLazyGetDatasetVersionQuery, useListDatasetsQuery, useListDatasetVersionsQuery } from "@/api/datasets";
import type { DatasetOut, VersionOut } from "@/api/generated/config-api";
import type { DatasetVersionRef } from "@/api/generated/orchestrator";
import { ButtonLink, IconButton } from "@/components/Button";
import { CheckField, FieldError, INPUT, SelectField } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { errorsUnder } from "@/lib/form-errors";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useSettled } from "@/lib/use-settled";

interface Props {
  chosen: readonly DatasetVersionRef[];
  errors: Readonly<Record<string, string>>;
  onChange: (chosen: DatasetVersionRef[]) => void;
}

const SEARCHED_FROM = 9;
/** The server's maximum page size. */
const SHOWN = 100;

/** Choose datasets and their versions. A run takes published versions only. */
export function DatasetsSection({ chosen, errors, onChange }: Props) {
  const [query, setQuery] = useState("");
  const { data, error } = useListDatasetsQuery({ q: useSettled(query.trim()) || null, status: "PUBLISHED", limit: SHOWN }, { refetchOnMountOrArgChange: true });
  const [read, reading] = useLazyGetDatasetVersionQuery();
  const offered = data?.datasets ?? [];
  const ids = new Set(chosen.map((one) => one.dataset_id));
  const isSearched = query !== "" || (data?.total ?? 0) >= SEARCHED_FROM;

  const add = async (dataset: DatasetOut) => {
    if (dataset.published_version === null) return;
    const answer = await read({ datasetId: dataset.dataset_id, versionNumber: dataset.published_version });
    if (answer.data) onChange([...chosen, refOf(dataset.name, answer.data)]);
  };
  return (
    <Section title="Datasets" aside={<p className="text-xs text-ink-2">{chosen.length > 0 ? `${plural(chosen.length, "version")} chosen` : "Cases in addition to the tasks, or instead of them"}</p>}>
      <div className="flex flex-col gap-2 px-4 py-3">
        {error && <ProblemNote error={error} />}
        {data?.total === 0 && query === "" && (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="min-w-0 flex-1 basis-60 text-ink-2">No dataset has a published version yet. A dataset is a versioned file of cases with ground truth.</p>
            <ButtonLink to="/datasets" icon="plus">To the datasets</ButtonLink>
          </div>
        )}
        {isSearched && (
          <input type="search" aria-label="Search datasets" placeholder="Search datasets" value={query} onChange={(event) => setQuery(event.target.value)} className={`${INPUT} h-8`} />
        )}
        <div className="grid max-h-72 gap-x-4 gap-y-2 overflow-y-auto py-0.5 sm:grid-cols-2">
          {offered.map((one) => (
            <CheckField
              key={one.dataset_id}
              label={harmless(one.name)}
              hint={one.published_version === one.latest_version ? `Version ${one.published_version}, ${plural(one.row_count ?? 0, "case")}` : `Version ${one.published_version}`}
              checked={ids.has(one.dataset_id)}
              disabled={reading.isFetching}
              onChange={(on) => (on ? void add(one) : onChange(chosen.filter((other) => other.dataset_id !== one.dataset_id)))}
            />
          ))}
        </div>
        {data?.total === 0 && query !== "" && <p className="text-ink-2">No published dataset has this name.</p>}
        {data?.has_more && <p className="text-xs text-ink-3">The {SHOWN} newest are shown: search for the others by name.</p>}
        {reading.error !== undefined && <ProblemNote error={reading.error} />}
        {errors.dataset_version_ids && <FieldError>{errors.dataset_version_ids}</FieldError>}
      </div>
      {chosen.length > 0 && (
        <ol aria-label="Chosen dataset versions" className="divide-y divide-line rounded-b-[0.625rem] border-t border-line bg-sunken">
          {chosen.map((one, index) => (
            <ChosenVersion
              key={one.version_id}
              version={one}
              errors={errorsUnder(errors, `dataset_version_ids.${index}`)}
              onChange={(next) => onChange(chosen.with(index, next))}
              onRemove={() => onChange(chosen.toSpliced(index, 1))}
            />
          ))}
        </ol>
      )}
    </Section>
  );
}

export const refOf = (name: string, { version_id, dataset_id, version_number }: VersionOut): DatasetVersionRef => ({ version_id, dataset_id, name, version_number });

interface ChosenProps {
  version: DatasetVersionRef;
  errors: readonly string[];
  onChange: (version: DatasetVersionRef) => void;
  onRemove: () => void;
}

/** A chosen version; the select offers the dataset's other versions. */
function ChosenVersion({ version, errors, onChange, onRemove }: ChosenProps) {
  const name = harmless(version.name);
  const { data, isError } = useListDatasetVersionsQuery({ datasetId: version.dataset_id, limit: MOST_VERSIONS });
  const known = data?.versions ?? [];
  const now = known.find((one) => one.version_id === version.version_id);
  const published = known.filter((one) => one.status === "PUBLISHED");
  const options = published.map((one) => ({ value: one.version_id, label: `Version ${one.version_number}, ${plural(one.row_count, "case")}` }));
  // A version chosen earlier may be deprecated by now; it is shown with its status.
  if (!published.some((one) => one.version_id === version.version_id)) {
    options.unshift({ value: version.version_id, label: `Version ${version.version_number}${now ? `, ${now.status.toLowerCase()}` : isError ? ", gone" : ""}` });
  }
  const withdrawn = (now && now.status !== "PUBLISHED") || isError;
  return (
    <li aria-label={name} className="flex flex-wrap items-start gap-x-3 gap-y-1 py-2 pr-3 pl-4">
      <span className="min-w-0 flex-1 basis-48 py-1.5 font-medium wrap-anywhere">{name}</span>
      <SelectField
        label={<span className="sr-only">Version of {name}</span>}
        className="flex-1 basis-52 sm:max-w-72"
        value={version.version_id}
        options={options}
        error={errors[0] ?? (withdrawn ? "Runs take published versions only: choose another, or remove it." : undefined)}
        onChange={(id) => {
          const next = published.find((one) => one.version_id === id);
          if (next) onChange(refOf(version.name, next));
        }}
      />
      <IconButton icon="cross" label={`Remove ${name}`} onClick={onRemove} />
    </li>
  );
}
