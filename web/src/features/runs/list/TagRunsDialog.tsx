import { useState } from "react";
import type { RunSummary } from "@/api/generated/orchestrator";
import { useTagRunsMutation } from "@/api/runs";
import { Button } from "@/components/Button";
import { MultiSelect } from "@/components/Combobox";
import { FormDialog } from "@/components/Dialog";
import { ProblemNote } from "@/components/Problem";
import { toast } from "@/components/Toast";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

interface Props {
  runs: readonly RunSummary[];
  tags: readonly string[];
  onClose: () => void;
}

const asChoices = (tags: Iterable<string>) => [...new Set(tags)].toSorted().map((value) => ({ value, label: harmless(value) }));

/** Add tags to the chosen runs, and remove tags from them. */
export function TagRunsDialog({ runs, tags, onClose }: Props) {
  const [change, changing] = useTagRunsMutation();
  const [add, setAdd] = useState<readonly string[]>([]);
  const [remove, setRemove] = useState<readonly string[]>([]);
  const present = runs.flatMap((one) => one.tags);
  const isNothing = add.length === 0 && remove.length === 0;
  const save = async () => {
    const answer = await change({ tagRuns: { run_ids: runs.map((one) => one.id), add: [...add], remove: [...remove] } });
    if (answer.error) return;
    toast(`${plural(answer.data.changed, "run")} changed.`);
    onClose();
  };
  return (
    <FormDialog open onClose={onClose} title={`Tags of ${plural(runs.length, "run")}`}>
      <form
        className="mt-4 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isNothing) void save();
        }}
      >
        <MultiSelect label="Add" free placeholder="Type a tag" choices={asChoices([...tags, ...present, ...add].filter((one) => !remove.includes(one)))} selected={[...add]} onChange={setAdd} />
        {present.length > 0 && <MultiSelect label="Remove" placeholder="Choose a tag" choices={asChoices(present.filter((one) => !add.includes(one)))} selected={[...remove]} onChange={setRemove} />}
        {changing.error && <ProblemNote error={changing.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={isNothing || changing.isLoading}>{changing.isLoading ? "Saving…" : "Save"}</Button>
        </div>
      </form>
    </FormDialog>
  );
}
