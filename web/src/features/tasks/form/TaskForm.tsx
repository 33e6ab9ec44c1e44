import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { matching } from "@/api/matching";
import { useCreateTaskMutation, useListCategoriesQuery, useListTasksQuery, useUpdateTaskMutation } from "@/api/tasks";
import type { TaskIn, TaskOut } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { Combobox } from "@/components/Combobox";
import { TextAreaField, TextField } from "@/components/Field";
import { SaveProblem } from "@/components/SaveProblem";
import { Section } from "@/components/Section";
import { toast } from "@/components/Toast";
import { UnsavedGuard } from "@/components/UnsavedGuard";
import { errorAt, stillTrue } from "@/lib/form-errors";
import { formatCount } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useSettled } from "@/lib/use-settled";
import { GRADES } from "../task-words";
import { draftOf, EMPTY, missing, STRUCTURED, toTask, type TaskDraft } from "./task-draft";
import { TaskFacts } from "./TaskFacts";

interface Props {
  /** Null for a new one. */
  task: TaskOut | null;
  /** The page to return to. */
  list: string;
  /** The message after saving, in place of the usual one. */
  saved?: string | null;
  onReload?: () => void;
}

export function TaskForm({ task, list, saved: notice = null, onReload }: Props) {
  const navigate = useNavigate();
  // The form's initial version: changes are based on it, even if a newer one is fetched meanwhile.
  const [begun, setBegun] = useState(() => ({ task, draft: task ? draftOf(task) : EMPTY }));
  const [draft, setDraft] = useState(begun.draft);
  const [isTried, setTried] = useState(false);
  const [sent, setSent] = useState<{ body: TaskIn; another: boolean }>();
  const [create, creating] = useCreateTaskMutation();
  const [update, updating] = useUpdateTaskMutation();
  const categories = useListCategoriesQuery();
  const box = useRef<HTMLFormElement>(null);

  const body = toTask(draft);
  const saving = begun.task ? updating : creating;
  const set = (part: Partial<TaskDraft>) => setDraft((now) => ({ ...now, ...part }));
  const idError = useIdCheck(body.task_id, begun.task);
  const errors = { ...(saving.error ? stillTrue(toProblem(saving.error).fields, sent?.body, body) : {}), ...(isTried ? missing(draft) : {}) };
  const isUnsaved = JSON.stringify(draft) !== JSON.stringify(begun.draft) && !(saving.isSuccess && !sent?.another);
  const inCategory = categories.data?.items.find((one) => one.category === body.category);

  const saved = saving.data;
  useEffect(() => {
    if (saved && !sent?.another) void navigate(list);
  }, [saved, sent, list, navigate]);
  // The first error may be far up the page: scroll to it.
  useEffect(() => {
    if (saving.error || isTried) box.current?.querySelector("[aria-invalid=true]")?.scrollIntoView({ block: "center" });
  }, [saving.error, isTried]);

  const save = async (another: boolean) => {
    setTried(true);
    if (Object.keys(missing(draft)).length > 0 || saving.isLoading) return;
    setSent({ body, another });
    const answer = begun.task ? await update({ id: begun.task.id, "if-match": matching(begun.task), taskIn: body }) : await create({ taskIn: body });
    if (!answer.data) return;
    toast(notice ?? `${answer.data.task_id} is saved.`);
    if (!another) return;
    creating.reset();
    // The next task is usually of the same kind.
    const next = { ...EMPTY, category: draft.category, subcategory: draft.subcategory };
    setBegun({ task: null, draft: next });
    setDraft(next);
    setTried(false);
    box.current?.querySelector("input")?.focus();
  };

  return (
    <form
      ref={box}
      noValidate
      className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]"
      onSubmit={(event) => {
        event.preventDefault();
        void save(false);
      }}
    >
      <UnsavedGuard unsaved={isUnsaved} />
      <div className="flex min-w-0 flex-col gap-4">
        <Section title="Task">
          <div className="grid gap-3 px-4 py-3 sm:grid-cols-3">
            <TextField label="Task id" required maxLength={255} spellCheck={false} value={draft.task_id} error={errorAt(errors, "task_id") ?? idError.error} hint={idError.hint} onChange={(task_id) => set({ task_id })} />
            <Combobox
              label="Category"
              required
              free
              value={draft.category}
              error={errorAt(errors, "category")}
              choices={(categories.data?.items ?? []).map((one) => ({ value: one.category, label: harmless(one.category), detail: formatCount(one.task_count) }))}
              onChange={(category) => set({ category })}
            />
            <Combobox
              label="Subcategory"
              free
              value={draft.subcategory}
              error={errorAt(errors, "subcategory")}
              choices={(inCategory?.subcategories ?? []).flatMap((one) => (one.subcategory === null ? [] : { value: one.subcategory, label: harmless(one.subcategory), detail: formatCount(one.task_count) }))}
              onChange={(subcategory) => set({ subcategory })}
            />
            <TextAreaField className="sm:col-span-3" label="Question" required rows={6} dir="auto" value={draft.question} error={errorAt(errors, "question")} onChange={(question) => set({ question })} />
          </div>
        </Section>
        <Section title="References" aside={<p className="text-xs text-ink-2">What the judge compares an answer with; all of them are optional</p>}>
          <div className="grid gap-3 px-4 py-3 sm:grid-cols-2">
            {GRADES.map(({ field, label, hint }) => (
              <TextAreaField key={field} label={label} hint={hint} rows={4} dir="auto" value={draft[field]} error={errorAt(errors, field)} onChange={(text) => set({ [field]: text })} />
            ))}
          </div>
        </Section>
        <Section title="More" aside={<p className="text-xs text-ink-2">Parts sent with the question, and data for evaluators</p>}>
          <div className="grid gap-3 px-4 py-3 sm:grid-cols-2">
            <TextAreaField className="sm:col-span-2" label="System prompt" rows={3} dir="auto" value={draft.system_prompt} error={errorAt(errors, "system_prompt")} onChange={(system_prompt) => set({ system_prompt })} />
            {STRUCTURED.map(({ field, label, hint }) => (
              <TextAreaField key={field} label={label} hint={hint} mono rows={4} spellCheck={false} value={draft[field]} error={under(errors, field)} onChange={(text) => set({ [field]: text })} />
            ))}
          </div>
        </Section>
      </div>
      <div className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-4">
        {begun.task && <TaskFacts task={begun.task} list={list} />}
        <SaveProblem error={saving.error} what="task" onReload={onReload} />
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" type="submit" className={begun.task ? "flex-1" : "basis-full"} disabled={saving.isLoading}>
            {saving.isLoading ? "Saving…" : begun.task ? "Save" : "Add the task"}
          </Button>
          {!begun.task && (
            <Button className="flex-1" disabled={saving.isLoading} onClick={() => void save(true)}>
              Add, and write another
            </Button>
          )}
          <Button onClick={() => void navigate(list)}>Cancel</Button>
        </div>
      </div>
    </form>
  );
}

/** Return the error of a field or of a part of it, such as `checks.1`. */
function under(errors: Readonly<Record<string, string>>, field: string): string | undefined {
  const part = Object.entries(errors).find(([name]) => name.startsWith(`${field}.`));
  return errorAt(errors, field) ?? (part && `${part[0]}: ${part[1]}`);
}

/** Check whether the id is free while the user types it. */
function useIdCheck(taskId: string, task: TaskOut | null): { error?: string; hint?: string } {
  const settled = useSettled(taskId);
  const isOwn = taskId === task?.task_id;
  const { currentData } = useListTasksQuery({ taskId: settled, limit: 1 }, { skip: settled === "" || isOwn });
  if (taskId === "" || isOwn) return { hint: "Your own name for the task. It must be unique." };
  if (settled !== taskId || !currentData) return { hint: "Checking whether the id is free…" };
  return currentData.items.some((one) => one.id !== task?.id) ? { error: "Another task has this id." } : { hint: "This id is free." };
}
