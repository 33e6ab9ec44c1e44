import { useState } from "react";
import { useNavigate } from "react-router";
import { tellUploaded, uploadVersion, useCreateDatasetMutation, useDeleteDatasetMutation, useLazyListDatasetsQuery } from "@/api/datasets";
import { useApiDispatch } from "@/api/dispatch";
import type { RunDetail } from "@/api/generated/orchestrator";
import { exportUrl } from "@/api/results";
import { Button } from "@/components/Button";
import { CheckField, TextField } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { toast } from "@/components/Toast";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { withoutContext } from "./questions-file";

const NOTHING_HOLDS = { error: { data: { title: "No conversation is supported by the document", detail: "None of the quoted passages occurs in the document, or the answers do not match the schema. Open an item to see why. A larger model quotes better." } } };

/** Publish questions that a run wrote from a document as the draft of a dataset, to be reviewed and edited. */
export function QuestionsSection({ run }: { run: RunDetail }) {
  const navigate = useNavigate();
  const dispatch = useApiDispatch();
  const [name, setName] = useState(run.name);
  const [isClosedBook, setClosedBook] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [find] = useLazyListDatasetsQuery();
  const [create] = useCreateDatasetMutation();
  const [remove] = useDeleteDatasetMutation();

  const draft = async () => {
    const read = await readText(exportUrl(run.id, "test-cases"));
    if ("error" in read) return read;
    const file = isClosedBook ? withoutContext(read.data) : read.data;
    if (file.trim() === "") return NOTHING_HOLDS;
    const wanted = name.trim() || run.name;
    const [there] = (await find({ name: wanted, limit: 1 }).unwrap()).datasets;
    const { dataset_id: id } = there ?? (await create({ datasetIn: { name: wanted } }).unwrap());
    const description = `Written by ${run.targets.map((one) => one.label).join(", ").slice(0, 200)}, run ${run.id}`;
    const answer = await uploadVersion({ datasetId: id, file: new Blob([file]), fileName: "questions.jsonl", description }, () => undefined, new AbortController().signal);
    // Delete the dataset that was created for the failed upload.
    if ("error" in answer && !there) await remove({ datasetId: id });
    return answer;
  };
  const make = async () => {
    setBusy(true);
    setError(undefined);
    const made = await draft().catch((failed: unknown) => ({ error: failed }));
    setBusy(false);
    if ("error" in made) {
      setError(made.error);
      return;
    }
    const { dataset_id: id, row_count: cases, version_number: number } = made.data;
    tellUploaded(dispatch, id);
    toast(`A draft with ${plural(cases, "case")}: review it before you publish it.`);
    void navigate(`/datasets/${id}/versions/${number}`);
  };
  return (
    <Section title="Questions written">
      <form
        className="flex flex-col gap-3 px-4 py-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void make();
        }}
      >
        <p className="max-w-3xl text-ink-2">Conversations whose passages occur in the document become a draft dataset version. Review, edit or delete its cases before you publish it. The scores of each item say why a conversation was left out.</p>
        <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
          <TextField label="Dataset" className="flex-1 basis-64 sm:max-w-md" hint="An existing dataset gets another version." maxLength={255} placeholder={harmless(run.name)} value={name} onChange={setName} />
          <Button kind="primary" type="submit" icon="copy" className="max-sm:w-full sm:mt-5" disabled={busy}>{busy ? "Creating…" : "Create a draft"}</Button>
        </div>
        <CheckField label="Leave out the source text" hint="For services that retrieve it themselves: the cases then have no context." checked={isClosedBook} onChange={setClosedBook} />
        {error !== undefined && <ProblemNote error={error} />}
      </form>
    </Section>
  );
}

async function readText(url: string): Promise<{ data: string } | { error: unknown }> {
  const answer = await fetch(new URL(url, globalThis.location.origin));
  if (answer.ok) return { data: await answer.text() };
  return { error: { status: answer.status, data: await answer.json().catch(() => undefined) } };
}
