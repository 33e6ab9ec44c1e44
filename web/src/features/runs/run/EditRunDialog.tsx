import { useState } from "react";
import type { RunDetail } from "@/api/generated/orchestrator";
import { useChangeRunMutation, useListRunsQuery } from "@/api/runs";
import { Button } from "@/components/Button";
import { Combobox, MultiSelect } from "@/components/Combobox";
import { FormDialog } from "@/components/Dialog";
import { TextAreaField, TextField } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { toast } from "@/components/Toast";
import { formatDate } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { CLUSTER_HINT } from "../cluster-words";

interface Props {
  run: RunDetail;
  open: boolean;
  onClose: () => void;
}

/** Edit what may change at any time: a run's name, description, tags, clustering and baseline. */
export function EditRunDialog({ run, open, onClose }: Props) {
  return (
    <FormDialog open={open} onClose={onClose} title="Edit this run">
      <EditForm run={run} onClose={onClose} />
    </FormDialog>
  );
}

function EditForm({ run, onClose }: Omit<Props, "open">) {
  const [change, changing] = useChangeRunMutation();
  const { data } = useListRunsQuery({ limit: 100 });
  const [name, setName] = useState(run.name);
  const [description, setDescription] = useState(run.description ?? "");
  const [tags, setTags] = useState(run.tags);
  const [clusterBy, setClusterBy] = useState(run.cluster_by ?? "");
  const [baseline, setBaseline] = useState(run.baseline_run_id ?? "");
  const { fields } = toProblem(changing.error);
  const others = (data?.items ?? []).filter((one) => one.id !== run.id);
  const known = [...new Set(others.flatMap((one) => one.tags))].toSorted();
  const save = async () => {
    const answer = await change({
      runId: run.id,
      changeRun: { name: name.trim(), description: description.trim() || null, tags, baseline_run_id: baseline || null, ...(clusterBy.trim() !== (run.cluster_by ?? "") && { cluster_by: clusterBy.trim() || null }) },
    });
    if (answer.error) return;
    toast("Saved.");
    onClose();
  };
  return (
    <form
      className="mt-3 flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField label="Name" maxLength={255} value={name} error={name.trim() === "" ? "A run needs a name." : fields.name} onChange={setName} />
      <MultiSelect label="Tags" free placeholder="Type one, then Enter" choices={known.map((one) => ({ value: one, label: harmless(one) }))} selected={tags} error={fields.tags} onChange={setTags} />
      <TextAreaField label="Description" maxLength={10_000} rows={4} value={description} error={fields.description} onChange={setDescription} />
      <Combobox
        label="Baseline"
        hint="The run that this one is compared with."
        placeholder="None"
        choices={others.map((one) => ({ value: one.id, label: harmless(one.name), detail: formatDate(one.created_at) }))}
        value={baseline}
        error={fields.baseline_run_id}
        onChange={setBaseline}
      />
      <TextField label="Cluster by" hint={`${CLUSTER_HINT} The run’s figures are counted again.`} maxLength={255} placeholder="Document, conversation or case" value={clusterBy} error={fields.cluster_by} onChange={setClusterBy} />
      {changing.error !== undefined && <ProblemNote error={changing.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" disabled={changing.isLoading || name.trim() === ""}>
          Save
        </Button>
      </div>
    </form>
  );
}
