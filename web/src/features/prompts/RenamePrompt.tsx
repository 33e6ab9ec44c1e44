import { useState } from "react";
import { matching } from "@/api/matching";
import type { PromptChange, PromptOut } from "@/api/generated/config-api";
import { useGetPromptQuery, useUpdatePromptMutation } from "@/api/prompts";
import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { TextAreaField, TextField } from "@/components/Field";
import { SaveProblem } from "@/components/SaveProblem";
import { toast } from "@/components/Toast";
import { errorAt, stillTrue } from "@/lib/form-errors";
import { toProblem } from "@/lib/problem";

/** Change name and description. Templates change by a new version. */
export function RenamePrompt({ prompt, onClose }: { prompt: PromptOut; onClose: () => void }) {
  // The version that the change is based on.
  const [begun, setBegun] = useState(prompt);
  const [name, setName] = useState(prompt.name);
  const [description, setDescription] = useState(prompt.description ?? "");
  const [sent, setSent] = useState<PromptChange>();
  const [update, updating] = useUpdatePromptMutation();
  const stored = useGetPromptQuery({ id: prompt.id });
  const body: PromptChange = { name: name.trim(), description: description.trim() === "" ? null : description };
  const errors = updating.error ? stillTrue(toProblem(updating.error).fields, sent, body) : {};
  const save = async () => {
    if (body.name === "" || updating.isLoading) return;
    setSent(body);
    const answer = await update({ id: begun.id, "if-match": matching(begun), promptChange: body });
    if (!answer.data) return;
    toast(`${answer.data.name} is saved.`);
    onClose();
  };
  const reload = async () => {
    const answer = await stored.refetch();
    if (!answer.data) return;
    setBegun(answer.data);
    setName(answer.data.name);
    setDescription(answer.data.description ?? "");
    updating.reset();
  };
  return (
    <FormDialog open onClose={onClose} title="Rename the prompt">
      <form
        className="mt-4 flex flex-col gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField label="Name" required maxLength={255} data-autofocus value={name} error={body.name === "" ? "Enter a name; runs show it." : errorAt(errors, "name")} onChange={setName} />
        <TextAreaField label="Description" value={description} error={errorAt(errors, "description")} onChange={setDescription} />
        <SaveProblem error={updating.error} what="prompt" onReload={() => void reload()} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={updating.isLoading}>{updating.isLoading ? "Saving…" : "Save"}</Button>
        </div>
      </form>
    </FormDialog>
  );
}
