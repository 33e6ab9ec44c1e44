import { useState } from "react";
import { matching } from "@/api/matching";
import { useCreateCollectionMutation, useLazyGetCollectionQuery, useUpdateCollectionMutation } from "@/api/collections";
import type { CollectionIn, CollectionOut } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { TextAreaField, TextField } from "@/components/Field";
import { SaveProblem } from "@/components/SaveProblem";
import { toast } from "@/components/Toast";
import { errorAt, stillTrue } from "@/lib/form-errors";
import { toProblem } from "@/lib/problem";

interface Props {
  /** Null for a new one. */
  collection: CollectionOut | null;
  onClose: () => void;
  onSaved?: (collection: CollectionOut) => void;
}

export function CollectionDialog({ collection, onClose, onSaved }: Props) {
  // The version that the change is based on.
  const [begun, setBegun] = useState(collection);
  const [name, setName] = useState(collection?.name ?? "");
  const [description, setDescription] = useState(collection?.description ?? "");
  const [isTried, setTried] = useState(false);
  const [sent, setSent] = useState<CollectionIn>();
  const [create, creating] = useCreateCollectionMutation();
  const [update, updating] = useUpdateCollectionMutation();
  const [read, reading] = useLazyGetCollectionQuery();

  const saving = begun ? updating : creating;
  const body: CollectionIn = { name: name.trim(), description: description.trim() === "" ? null : description };
  const errors = saving.error ? stillTrue(toProblem(saving.error).fields, sent, body) : {};
  const nameError = isTried && body.name === "" ? "Enter a name; runs show it." : errorAt(errors, "name");

  const save = async () => {
    setTried(true);
    if (body.name === "" || saving.isLoading) return;
    setSent(body);
    const answer = begun ? await update({ id: begun.id, "if-match": matching(begun), collectionIn: body }) : await create({ collectionIn: body });
    if (!answer.data) return;
    toast(`${answer.data.name} is saved.`);
    onClose();
    onSaved?.(answer.data);
  };
  const reload = async (id: string) => {
    const answer = await read({ id });
    if (!answer.data) return;
    setBegun(answer.data);
    setName(answer.data.name);
    setDescription(answer.data.description ?? "");
    updating.reset();
  };

  return (
    <FormDialog open onClose={onClose} title={begun ? "Rename the collection" : "New collection"}>
      <form
        className="mt-4 flex flex-col gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField label="Name" required maxLength={255} data-autofocus value={name} error={nameError} onChange={setName} />
        <TextAreaField label="Description" hint="What the tasks are about. It helps to choose the collection for a run." value={description} error={errorAt(errors, "description")} onChange={setDescription} />
        <SaveProblem error={saving.error ?? reading.error} what="collection" onReload={begun ? () => void reload(begun.id) : undefined} />
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
