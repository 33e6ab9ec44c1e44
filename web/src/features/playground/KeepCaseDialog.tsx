import { useState } from "react";
import { useCreateTaskMutation } from "@/api/tasks";
import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { TextAreaField, TextField } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { toast } from "@/components/Toast";
import { errorAt } from "@/lib/form-errors";
import { toProblem } from "@/lib/problem";
import type { QuestionForm } from "./playground-form";

/** Store the question as a task. Collections and runs can use it from then on. */
export function KeepCaseDialog({ form, onClose }: { form: QuestionForm; onClose: () => void }) {
  const [name, setName] = useState("");
  const [category, setCategory] = useState(form.asked.category ?? "playground");
  const [excellent, setExcellent] = useState(form.expected || (form.asked.excellent ?? ""));
  const [create, creating] = useCreateTaskMutation();
  const fields = toProblem(creating.error).fields;
  const submit = async () => {
    const { good, pass, incorrect_answer_direction } = form.asked;
    const made = await create({
      taskIn: {
        task_id: name.trim(),
        category: category.trim(),
        question: form.question,
        ...(form.systemPrompt.trim() !== "" && { system_prompt: form.systemPrompt }),
        ...(excellent.trim() !== "" && { excellent }),
        good,
        pass,
        incorrect_answer_direction,
      },
    });
    if (!made.data) return;
    toast("The question is a task: add it to a collection to run it.");
    onClose();
  };
  return (
    <FormDialog open onClose={onClose} title="Keep the question as a task">
      <form
        className="mt-3 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!creating.isLoading) void submit();
        }}
      >
        <TextField label="Task id" required maxLength={255} value={name} error={errorAt(fields, "task_id")} onChange={setName} />
        <TextField label="Category" required maxLength={255} value={category} error={errorAt(fields, "category")} onChange={setCategory} />
        <TextAreaField label="Excellent answer" hint="What a judge and other evaluators compare with." rows={3} value={excellent} error={errorAt(fields, "excellent")} onChange={setExcellent} />
        {creating.error !== undefined && <ProblemNote error={creating.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={creating.isLoading || name.trim() === "" || category.trim() === ""}>Keep</Button>
        </div>
      </form>
    </FormDialog>
  );
}
