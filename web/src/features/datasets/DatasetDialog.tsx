import { useState } from "react";
import { matching } from "@/api/matching";
import { useChangeDatasetMutation, useCreateDatasetMutation, useLazyGetDatasetQuery } from "@/api/datasets";
import type { DatasetIn, DatasetOut } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { MultiSelect } from "@/components/Combobox";
import { FormDialog } from "@/components/Dialog";
import { SelectField, TextAreaField, TextField } from "@/components/Field";
import { KeyValueEditor, type Pair } from "@/components/KeyValueEditor";
import { SaveProblem } from "@/components/SaveProblem";
import { toast } from "@/components/Toast";
import { errorAt, errorsUnder, stillTrue } from "@/lib/form-errors";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { DATASET_TYPES, TYPE_LABELS } from "./dataset-words";
import { metadataValue } from "./metadata-filter";

interface Props {
  /** Null for a new one. */
  dataset: DatasetOut | null;
  onClose: () => void;
  onSaved?: (dataset: DatasetOut) => void;
}

interface Draft {
  name: string;
  description: string;
  type: DatasetOut["type"];
  tags: string[];
  metadata: Pair[];
}

function draftOf(dataset: DatasetOut | null): Draft {
  return {
    name: dataset?.name ?? "",
    description: dataset?.description ?? "",
    type: dataset?.type ?? "EVALUATION",
    tags: dataset?.tags ?? [],
    metadata: Object.entries(dataset?.metadata ?? {}).map(([key, value]) => ({ key, value: asText(value) })),
  };
}

/** A text that JSON would read as something else keeps its quotes. */
function asText(value: unknown): string {
  return typeof value === "string" && metadataValue(value) === value ? value : JSON.stringify(value);
}

function toBody(draft: Draft) {
  const metadata = draft.metadata.filter((one) => one.key.trim() !== "").map((one) => [one.key.trim(), metadataValue(one.value)] as const);
  return {
    name: draft.name.trim(),
    description: draft.description.trim() === "" ? null : draft.description,
    type: draft.type,
    tags: draft.tags,
    metadata: Object.fromEntries(metadata),
  } satisfies DatasetIn;
}

export function DatasetDialog({ dataset, onClose, onSaved }: Props) {
  // The version that the change is based on.
  const [begun, setBegun] = useState(dataset);
  const [draft, setDraft] = useState(() => draftOf(dataset));
  const [isTried, setTried] = useState(false);
  const [sent, setSent] = useState<DatasetIn>();
  const [create, creating] = useCreateDatasetMutation();
  const [change, changing] = useChangeDatasetMutation();
  const [read, reading] = useLazyGetDatasetQuery();

  const set = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const saving = begun ? changing : creating;
  const body = toBody(draft);
  const errors = saving.error ? stillTrue(toProblem(saving.error).fields, sent, body) : {};
  const nameError = isTried && body.name === "" ? "Enter a name; a run chooses the dataset by it." : errorAt(errors, "name");

  const save = async () => {
    setTried(true);
    if (body.name === "" || saving.isLoading) return;
    setSent(body);
    const answer = begun ? await change({ datasetId: begun.dataset_id, "if-match": matching(begun), datasetPatch: body }) : await create({ datasetIn: body });
    if (!answer.data) return;
    toast(`${harmless(answer.data.name)} is saved.`);
    onClose();
    onSaved?.(answer.data);
  };
  const reload = async (datasetId: string) => {
    const answer = await read({ datasetId });
    if (!answer.data) return;
    setBegun(answer.data);
    setDraft(draftOf(answer.data));
    changing.reset();
  };

  return (
    <FormDialog open onClose={onClose} title={begun ? "Edit the dataset" : "New dataset"}>
      <form
        className="mt-4 flex flex-col gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField label="Name" required maxLength={255} data-autofocus value={draft.name} error={nameError} onChange={(name) => set({ name })} />
        <TextAreaField label="Description" hint="What its cases are about, and where they come from." value={draft.description} error={errorAt(errors, "description")} onChange={(description) => set({ description })} />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField label="Type" value={draft.type} options={DATASET_TYPES.map((value) => ({ value, label: TYPE_LABELS[value] }))} error={errorAt(errors, "type")} onChange={(type) => set({ type })} />
          <MultiSelect label="Tags" free placeholder="Type one, then Enter" choices={[]} selected={draft.tags} error={errorsUnder(errors, "tags")[0]} onChange={(tags) => set({ tags })} />
        </div>
        <KeyValueEditor
          legend="Metadata"
          hint="Lists can be filtered by it. A value is text or JSON: 3, true, [1, 2]."
          keyLabel="Field"
          addLabel="Add a field"
          pairs={draft.metadata}
          errorOf={(index) => (index === draft.metadata.length - 1 ? errorsUnder(errors, "metadata")[0] : null)}
          onChange={(metadata) => set({ metadata })}
        />
        <SaveProblem error={saving.error ?? reading.error} what="dataset" onReload={begun ? () => void reload(begun.dataset_id) : undefined} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={saving.isLoading}>
            {saving.isLoading ? "Saving…" : begun ? "Save" : "Create"}
          </Button>
        </div>
      </form>
    </FormDialog>
  );
}
