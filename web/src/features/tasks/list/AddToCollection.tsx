import { useState } from "react";
import { MOST_PER_PAGE } from "@/api/tasks";
import { useAssignTasksMutation, useCreateCollectionMutation, useListCollectionsQuery } from "@/api/collections";
import { Button } from "@/components/Button";
import { Combobox } from "@/components/Combobox";
import { FormDialog } from "@/components/Dialog";
import { ProblemNote } from "@/components/Problem";
import { toast } from "@/components/Toast";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

interface Props {
  ids: readonly string[];
  onClose: () => void;
  onDone: () => void;
}

/** Add tasks to an existing collection, or to a new one with the typed name. */
export function AddToCollection({ ids, onClose, onDone }: Props) {
  const collections = useListCollectionsQuery({ limit: MOST_PER_PAGE });
  const [wanted, setWanted] = useState("");
  const [tried, setTried] = useState(false);
  const [assign, assigning] = useAssignTasksMutation();
  const [create, creating] = useCreateCollectionMutation();
  const items = collections.data?.items ?? [];
  const there = items.find((one) => one.id === wanted || one.name === wanted);
  const error = collections.error ?? assigning.error ?? creating.error;

  const add = async () => {
    setTried(true);
    if (wanted === "") return;
    const answer = there ? await assign({ id: there.id, assignTasks: { assign: [...ids] } }) : await create({ collectionIn: { name: wanted, task_ids: [...ids] } });
    if (!answer.data) return;
    toast(`${answer.data.name} now has ${plural(answer.data.task_count, "task")}.`);
    onDone();
    onClose();
  };

  return (
    <FormDialog open onClose={onClose} title={`Add ${plural(ids.length, "task")} to a collection`}>
      <form
        className="mt-4 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <Combobox
          label="Collection"
          free
          placeholder="Choose one, or type the name of a new one"
          hint={wanted !== "" && !there ? "This collection will be created." : "Tasks that it already contains stay as they are."}
          error={tried && wanted === "" ? "Choose a collection, or type the name of a new one." : undefined}
          choices={items.map((one) => ({ value: one.id, label: harmless(one.name), detail: plural(one.task_count, "task") }))}
          value={wanted}
          onChange={setWanted}
        />
        {error && <ProblemNote error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={assigning.isLoading || creating.isLoading}>
            {there || wanted === "" ? `Add ${formatCount(ids.length)}` : "Create it and add"}
          </Button>
        </div>
      </form>
    </FormDialog>
  );
}
