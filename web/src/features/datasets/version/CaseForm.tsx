import { useState } from "react";
import { useChangeTestCaseMutation } from "@/api/datasets";
import type { TestCaseOut, TestCasePatch, VersionOut } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { SelectField, TextAreaField, TextField } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { toast } from "@/components/Toast";
import { LeaveQuestion, UnsavedGuard } from "@/components/UnsavedGuard";
import { errorAt, errorsUnder, stillTrue } from "@/lib/form-errors";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { answered, draftOf, toPatch, wrongIn } from "./case-draft";
import { SOURCES } from "./case-parts";

interface Props {
  case: TestCaseOut;
  version: VersionOut;
  onDone: () => void;
}

const OPTIONS = Object.entries(SOURCES).map(([value, label]) => ({ value: value as keyof typeof SOURCES, label: label.replace(/^./, (letter) => letter.toUpperCase()) }));

/** Edit a case of a draft. Published cases never change. */
export function CaseForm({ case: one, version, onDone }: Props) {
  const [draft, setDraft] = useState(() => draftOf(one));
  const [sent, setSent] = useState<TestCasePatch>();
  const [isTried, setTried] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const [change, changing] = useChangeTestCaseMutation();
  const set = (part: Partial<typeof draft>) => setDraft((now) => ({ ...now, ...part }));
  const patch = toPatch(one, draft);
  const wrong = isTried ? wrongIn(draft) : {};
  const isSame = Object.keys(patch).length === 0;
  const errors = changing.error ? stillTrue(toProblem(changing.error).fields, sent, patch) : {};
  const save = async () => {
    if (changing.isLoading) return;
    if (isSame) return onDone();
    if (Object.keys(wrongIn(draft)).length > 0) return setTried(true);
    setSent(patch);
    const answer = await change({ datasetId: version.dataset_id, versionNumber: version.version_number, testCaseId: one.test_case_id, testCasePatch: patch });
    if (!answer.data) return;
    toast(`${harmless(answer.data.name)} is saved.`);
    onDone();
  };
  return (
    <form
      noValidate
      aria-label="Edit the case"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <UnsavedGuard unsaved={!isSame} bySearch />
      <LeaveQuestion open={isLeaving} onStay={() => setLeaving(false)} onLeave={onDone} />
      <TextField label="Name" maxLength={255} value={draft.name} error={errorAt(errors, "name")} onChange={(name) => set({ name })} />
      <TextAreaField label="Prompt" required rows={4} value={draft.prompt} error={errorAt(errors, "input.prompt", "input")} onChange={(prompt) => set({ prompt })} />
      <TextAreaField label="Expected output" rows={4} value={draft.expected} error={errorAt(errors, "expected_output")} onChange={(expected) => set({ expected })} />
      <div className="grid items-start gap-4 sm:grid-cols-[minmax(0,1fr)_14rem]">
        <TextAreaField label="Ground-truth answer" hint="Evaluators accept it as well as the expected output." rows={3} value={draft.answer} error={errorAt(errors, "ground_truth.answer", "ground_truth")} onChange={(answer) => setDraft((now) => answered(one, now, answer))} />
        <SelectField label="Source of the answer" value={draft.source} options={OPTIONS} onChange={(source) => set({ source })} />
      </div>
      <TextAreaField label="Checks" hint='What an answer must satisfy: [{"kind": "contains", "params": {"text": "Paris"}}]' mono rows={4} spellCheck={false} value={draft.checks} error={wrong.checks ?? errorsUnder(errors, "checks")[0]} onChange={(checks) => set({ checks })} />
      <TextAreaField label="Context" rows={4} value={draft.context} error={errorAt(errors, "input.context")} onChange={(context) => set({ context })} />
      <TextAreaField label="System prompt" rows={2} value={draft.systemPrompt} error={errorAt(errors, "input.system_prompt")} onChange={(systemPrompt) => set({ systemPrompt })} />
      {changing.error !== undefined && <ProblemNote error={changing.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={() => (isSame ? onDone() : setLeaving(true))}>Cancel</Button>
        <Button kind="primary" type="submit" disabled={changing.isLoading || isSame}>{changing.isLoading ? "Saving…" : "Save"}</Button>
      </div>
    </form>
  );
}
