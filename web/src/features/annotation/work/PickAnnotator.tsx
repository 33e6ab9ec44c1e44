import { useState } from "react";
import { MOST_ANNOTATORS, useCreateAnnotatorMutation, useListAnnotatorsQuery } from "@/api/annotation";
import { Button } from "@/components/Button";
import { TextField } from "@/components/Field";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { harmless } from "@/lib/plain-text";

/** Ask who labels in this window, as there is no sign-in. */
export function PickAnnotator({ onPick }: { onPick: (id: string) => void }) {
  const list = useListAnnotatorsQuery({ status: "ACTIVE", limit: MOST_ANNOTATORS }, { refetchOnMountOrArgChange: true });
  const [create, creating] = useCreateAnnotatorMutation();
  const [name, setName] = useState("");
  const known = list.data?.annotators ?? [];
  const add = async () => {
    if (name.trim() === "" || creating.isLoading) return;
    const answer = await create({ annotatorIn: { name: name.trim() } });
    if (answer.data) onPick(answer.data.annotator_id);
  };
  return (
    <Section title="Who are you?" className="mx-auto w-full max-w-xl">
      <div className="flex flex-col gap-4 px-4 py-4">
        <p className="text-ink-2">This platform has no sign-in, so each window asks once for your name. Your labels are stored under it.</p>
        {list.isError && <ErrorMessage error={list.error} onRetry={() => void list.refetch()} />}
        {known.length > 0 && (
          <ul aria-label="Annotators" className="flex max-h-80 flex-wrap gap-2 overflow-y-auto">
            {known.map((one) => <li key={one.annotator_id}><Button className="h-auto min-h-9 whitespace-normal" onClick={() => onPick(one.annotator_id)}><span className="wrap-anywhere">{harmless(one.name)}</span></Button></li>)}
          </ul>
        )}
        <form
          className="flex flex-col gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
        >
          <TextField label={known.length > 0 ? "Somebody else" : "Your name"} maxLength={255} value={name} onChange={setName} />
          {creating.error !== undefined && <ProblemNote error={creating.error} />}
          <Button type="submit" kind="primary" icon="play" className="self-start" disabled={name.trim() === "" || creating.isLoading}>Begin</Button>
        </form>
      </div>
    </Section>
  );
}
