import { useState } from "react";
import { useNavigate } from "react-router";
import { tellUploaded, uploadVersion, useCreateDatasetMutation, useDeleteDatasetMutation, useLazyListDatasetsQuery, versionExportUrl } from "@/api/datasets";
import { useApiDispatch } from "@/api/dispatch";
import type { ItemDetail } from "@/api/generated/orchestrator";
import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { TextAreaField, TextField } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { toast } from "@/components/Toast";
import { plural } from "@/lib/format";
import { referencesOf } from "@/lib/references";
import { caseLine, withCase } from "./added-case";

const TOO_LARGE = { error: { data: { title: "This dataset is too large for one case at a time", detail: "Download its latest version, add the case there and upload the file as the next version." } } };
const MOST_CASES = 5000;

/** Add the case of an item to a dataset: its next version is a draft with all cases of the latest one and this. */
export function AddToDataset({ item, onClose }: { item: ItemDetail; onClose: () => void }) {
  const navigate = useNavigate();
  const dispatch = useApiDispatch();
  const [name, setName] = useState("");
  const [expected, setExpected] = useState(referencesOf(item.case)[0]?.[1] ?? "");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [find] = useLazyListDatasetsQuery();
  const [create] = useCreateDatasetMutation();
  const [remove] = useDeleteDatasetMutation();

  const add = async () => {
    const [there] = (await find({ name: name.trim(), limit: 1 }).unwrap()).datasets;
    const latest = there?.latest_version ?? null;
    if ((there?.row_count ?? 0) > MOST_CASES) return TOO_LARGE;
    const before = there && latest ? await readText(versionExportUrl({ dataset_id: there.dataset_id, version_number: latest }, "jsonl")) : { data: "" };
    if ("error" in before) return before;
    const { dataset_id: datasetId } = there ?? (await create({ datasetIn: { name: name.trim() } }).unwrap());
    const file = new Blob([withCase(before.data, caseLine(item.case, expected))]);
    const answer = await uploadVersion({ datasetId, file, fileName: "cases.jsonl", description: `With the case ${item.task_id.slice(0, 200)}` }, () => undefined, new AbortController().signal);
    // Delete the dataset that was created for the failed upload.
    if ("error" in answer && !there) await remove({ datasetId });
    return answer;
  };
  const submit = async () => {
    setBusy(true);
    setError(undefined);
    const made = await add().catch((failed: unknown) => ({ error: failed }));
    setBusy(false);
    if (!("data" in made) || made.data === undefined) {
      setError(made.error);
      return;
    }
    const { dataset_id: id, row_count: cases, version_number: number } = made.data;
    tellUploaded(dispatch, id);
    toast(`A draft with ${plural(cases, "case")}: publish it when it is complete.`);
    void navigate(`/datasets/${id}/versions/${number}`);
  };
  return (
    <FormDialog open onClose={onClose} title="Add the case to a dataset">
      <form
        className="mt-4 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && name.trim() !== "") void submit();
        }}
      >
        <TextField label="Dataset" required hint="An existing dataset gets a draft version with this case; another name creates a dataset." maxLength={255} value={name} onChange={setName} />
        <TextAreaField label="Expected answer" rows={4} value={expected} onChange={setExpected} />
        {error !== undefined && <ProblemNote error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={busy || name.trim() === ""}>{busy ? "Adding…" : "Add"}</Button>
        </div>
      </form>
    </FormDialog>
  );
}

async function readText(url: string): Promise<{ data: string } | { error: unknown }> {
  const answer = await fetch(new URL(url, globalThis.location.origin));
  if (answer.ok) return { data: await answer.text() };
  return { error: { status: answer.status, data: await answer.json().catch(() => undefined) } };
}
