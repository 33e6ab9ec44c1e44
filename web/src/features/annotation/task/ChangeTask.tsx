import { useState } from "react";
import { useChangeAnnotationTaskMutation } from "@/api/annotation";
import type { AnnotationTaskOut } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { NumberField, TextAreaField, TextField } from "@/components/Field";
import { SaveProblem } from "@/components/SaveProblem";
import { errorAt } from "@/lib/form-errors";
import { toProblem } from "@/lib/problem";

/** Change how the task is presented. The questions never change: labels would mean other things. */
export function ChangeTask({ task, onClose }: { task: AnnotationTaskOut; onClose: () => void }) {
  const [begun] = useState(task);
  const [name, setName] = useState(task.name);
  const [description, setDescription] = useState(task.description ?? "");
  const [instructions, setInstructions] = useState(task.instructions);
  const [lease, setLease] = useState<number | null>(task.lease_s / 60);
  const [change, changing] = useChangeAnnotationTaskMutation();
  const errors = changing.error === undefined ? {} : toProblem(changing.error).fields;
  const save = async () => {
    const annotationTaskPatch = { name: name.trim(), description: description.trim() || null, instructions, lease_s: Math.round((lease ?? 15) * 60) };
    const answer = await change({ taskId: task.task_id, "if-match": `"${begun.version}"`, annotationTaskPatch });
    if (answer.data) onClose();
  };
  return (
    <FormDialog open onClose={onClose} title="Change the task">
      <form
        className="mt-3 flex flex-col gap-3"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <p className="text-ink-2">The questions and the number of people never change, because existing labels would no longer fit them.</p>
        <TextField label="Name" required maxLength={255} value={name} error={errorAt(errors, "name")} onChange={setName} />
        <TextField label="Description" value={description} error={errorAt(errors, "description")} onChange={setDescription} />
        <TextAreaField label="Instructions" hint="Markdown" required rows={8} dir="auto" maxLength={100_000} value={instructions} error={errorAt(errors, "instructions")} onChange={setInstructions} />
        <NumberField label="Lease in minutes" min={1} max={1440} value={lease} error={errorAt(errors, "lease_s")} onChange={setLease} />
        <SaveProblem error={changing.error} what="task" onReload={onClose} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Not now</Button>
          <Button kind="primary" type="submit" disabled={changing.isLoading}>{changing.isLoading ? "Saving…" : "Save"}</Button>
        </div>
      </form>
    </FormDialog>
  );
}
