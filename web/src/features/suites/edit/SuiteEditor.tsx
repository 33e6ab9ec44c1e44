import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import type { SuiteOut } from "@/api/generated/config-api";
import { Button, IconButton } from "@/components/Button";
import { CopyButton } from "@/components/CopyButton";
import { Disclosure } from "@/components/Disclosure";
import { FieldError, SelectField, TextAreaField, TextField } from "@/components/Field";
import { PageHead } from "@/components/PageHead";
import { SaveProblem } from "@/components/SaveProblem";
import { Section } from "@/components/Section";
import { TaskGraph, type GraphTask } from "@/components/TaskGraph";
import { UnsavedGuard } from "@/components/UnsavedGuard";
import { errorAt, errorsUnder } from "@/lib/form-errors";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useShortcuts } from "@/lib/shortcuts";
import { writeOne } from "@/lib/url-state";
import { toYaml } from "@/lib/yaml";
import { loadCode } from "@/live/reach";
import { AGGREGATIONS, gateText, sourceText } from "../suite-words";
import { levelsOfTasks } from "./order";
import { SaveStatus } from "./SaveStatus";
import { copyOf, MOST_TASKS, namedTasks, newTask, orderOf, type SuiteForm, type TaskForm } from "./suite-form";
import { TaskFields } from "./TaskFields";
import { useSuiteDraft } from "./useSuiteDraft";

const PublishDialog = lazy(() => loadCode(async () => ({ default: (await import("../PublishDialog")).PublishDialog })));

interface Props {
  /** Null for a new suite. */
  stored: SuiteOut | null;
  onReload?: () => void;
}

const OPTIONS = (Object.keys(AGGREGATIONS) as SuiteForm["aggregation"][]).map((value) => ({ value, label: AGGREGATIONS[value][0] }));

/** Edit a draft: the suite, the graph of its tasks, and the fields of the task that is chosen in the address. */
export function SuiteEditor({ stored, onReload }: Props) {
  const navigate = useNavigate();
  const draft = useSuiteDraft(stored);
  const { form, errors, saved } = draft;
  const [publishing, setPublishing] = useState(false);
  /** The task whose name takes the focus: a new object for each time. */
  const [focus, setFocus] = useState<{ key: string } | null>(null);
  const { index, hrefOf, open } = useShownTask(form.tasks.length);
  const shown = form.tasks[index];
  const set = (part: Partial<SuiteForm>) => draft.setForm((now) => ({ ...now, ...part }));
  const setTask = (next: TaskForm) => draft.setForm((now) => ({ ...now, tasks: now.tasks.map((one) => (one.key === next.key ? next : one)) }));
  const add = (task: TaskForm) => {
    if (form.tasks.length >= MOST_TASKS) return;
    set({ tasks: [...form.tasks, task] });
    setFocus({ key: task.key });
    open(form.tasks.length);
  };
  const step = (by: 1 | -1) => {
    setFocus(null);
    open(Math.max(0, Math.min(index + by, form.tasks.length - 1)));
  };
  const remove = () => {
    setFocus(null);
    set({ tasks: form.tasks.filter((_, place) => place !== index) });
    open(Math.max(0, index - 1));
  };
  useShortcuts("On this screen", [
    { keys: ["a"], label: "Add a task", run: () => add(newTask(form.tasks)) },
    { keys: ["j"], label: "Next task", run: () => step(1) },
    { keys: ["k"], label: "Previous task", run: () => step(-1) },
  ]);
  // A new suite is edited at its own address once it is stored.
  const created = stored === null ? saved?.id : undefined;
  useEffect(() => {
    if (created) void navigate(`/suites/${created}/edit`, { replace: true });
  }, [created, navigate]);

  // "Done" leaves once this very content is saved: a change after it keeps the page open.
  const [done, setDone] = useState<string | null>(null);
  const isDone = stored !== null && !draft.isDirty && done === draft.text;
  const finish = () => {
    setDone(draft.text);
    if (draft.isDirty) draft.save();
  };
  const storedId = stored?.id;
  useEffect(() => {
    if (isDone) void navigate(`/suites/${storedId}`);
  }, [isDone, storedId, navigate]);

  const cycle = Object.entries(errors).find(([field]) => /^tasks\.\d+\.after$/.test(field))?.[1];
  const yaml = toYaml(draft.body);
  const canPublish = saved !== null && draft.state === "saved";
  return (
    <>
      <UnsavedGuard unsaved={draft.isUnsaved && created === undefined} />
      <PageHead
        title={stored ? `Edit ${harmless(stored.name)}` : "New suite"}
        parent={stored ? { to: `/suites/${stored.id}`, label: `${harmless(stored.name)}, version ${stored.version_number}` } : { to: "/suites", label: "All suites" }}
        note={<SaveStatus state={draft.state} lacking={Object.values({ ...draft.lacking, ...errors })} onSave={draft.save} />}
        actions={
          stored ? (
            <>
              <Button icon="up" right="suites:create" disabled={!canPublish} onClick={() => setPublishing(true)}>Publish</Button>
              <Button kind="primary" icon="check" onClick={finish}>Done</Button>
            </>
          ) : (
            <Button kind="primary" icon="plus" disabled={draft.state === "saving"} onClick={draft.save}>Create the draft</Button>
          )
        }
      />
      {draft.isRestored && (
        <div role="note" className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-info-soft px-3 py-2 text-info">
          <p>Your unsaved changes are restored.</p>
          <Button onClick={draft.discard}>Discard it</Button>
        </div>
      )}
      <SaveProblem error={draft.error} what="suite" onReload={onReload} />
      <Section title="Suite">
        <div className="grid items-start gap-3 px-4 py-4 sm:grid-cols-3">
          <TextField className="sm:col-span-2" label="Name" required maxLength={255} value={form.name} error={errorAt(errors, "name")} onChange={(name) => set({ name })} />
          <SelectField label="Its score" hint={`${AGGREGATIONS[form.aggregation][1]}`} options={OPTIONS} value={form.aggregation} error={errorAt(errors, "aggregation")} onChange={(aggregation) => set({ aggregation })} />
          <TextAreaField className="sm:col-span-3" label="Description" rows={2} dir="auto" value={form.description} error={errorAt(errors, "description")} onChange={(description) => set({ description })} />
        </div>
      </Section>
      <Section title="Tasks" aside={<Button icon="plus" disabled={form.tasks.length >= MOST_TASKS} onClick={() => add(newTask(form.tasks))}>Add a task</Button>}>
        <TaskGraph tasks={graphOf(form, errors, index, hrefOf, setFocus)} />
        {[errorAt(errors, "tasks"), cycle].map((message) => message && <div key={message} className="px-4 pb-3"><FieldError>{harmless(message)}</FieldError></div>)}
      </Section>
      {shown && (
        <TaskSection
          key={shown.key}
          number={index + 1}
          focus={focus?.key === shown.key ? focus : null}
          form={shown}
          tasks={form.tasks}
          aggregation={form.aggregation}
          errors={errors}
          onChange={setTask}
          onCopy={() => add(copyOf(shown, form.tasks))}
          onRemove={remove}
        />
      )}
      <div className="card px-4 py-2">
        <Disclosure title="The suite as YAML" summary="for llmbench suites apply">
          <div className="mb-2 flex"><CopyButton label="Copy it" text={() => yaml} /></div>
          <pre tabIndex={0} role="region" aria-label="YAML" className="max-h-96 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs">{yaml}</pre>
        </Disclosure>
      </div>
      <Suspense>
        {publishing && saved && <PublishDialog suite={saved} onClose={() => setPublishing(false)} onPublished={() => void navigate(`/suites/${saved.id}`)} />}
      </Suspense>
    </>
  );
}

/** The place of the shown task is in the address, from 1. */
function useShownTask(count: number) {
  const [search, setSearch] = useSearchParams();
  const given = Number(search.get("task") ?? 1);
  const index = Number.isInteger(given) && given >= 1 ? Math.min(given, Math.max(1, count)) - 1 : 0;
  const hrefOf = (place: number) => ({ search: `?${writeOne(search, "task", place === 0 ? null : String(place + 1))}` });
  const open = (place: number) => setSearch((now) => writeOne(now, "task", place === 0 ? null : String(place + 1)), { replace: true, preventScrollReset: true });
  return { index, hrefOf, open };
}

function graphOf({ tasks }: SuiteForm, errors: Readonly<Record<string, string>>, current: number, hrefOf: (place: number) => { search: string }, onFocus: (task: { key: string }) => void): GraphTask[] {
  const named = namedTasks(tasks);
  const ordered = orderOf(named);
  const levels = levelsOfTasks(ordered);
  const faults = named.map((_, index) => errorsUnder(errors, `tasks.${index}`).length);
  return named.map((task, index) => ({
    name: task.name,
    level: levels[index]!,
    after: ordered[index]!.after,
    gates: (task.gate ?? []).map((gate) => ({ task: gate.task, text: gateText(gate) })),
    detail: harmless(task.source.dataset || task.source.collection ? sourceText({ index, defined: task, facts: undefined }) : "No cases chosen"),
    ...(faults[index]! > 0 && { state: { label: plural(faults[index]!, "fault"), tone: "bad", icon: "alert" } as const }),
    isCurrent: index === current,
    to: hrefOf(index),
    replace: true,
    onOpen: () => onFocus({ key: tasks[index]!.key }),
  }));
}

interface TaskSectionProps {
  number: number;
  /** Moves the focus to the task's name, each time that it is another object. */
  focus: object | null;
  form: TaskForm;
  tasks: readonly TaskForm[];
  aggregation: SuiteForm["aggregation"];
  errors: Readonly<Record<string, string>>;
  onChange: (form: TaskForm) => void;
  onCopy: () => void;
  onRemove: () => void;
}

/** The fields of the shown task. */
function TaskSection({ number, focus, form, tasks, aggregation, errors, onChange, onCopy, onRemove }: TaskSectionProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focus) box.current?.querySelector("input")?.focus();
  }, [focus]);
  const name = harmless(form.task.name.trim());
  return (
    <div ref={box}>
      <Section
        title={`Task ${number} of ${tasks.length}${name && `: ${name}`}`}
        aside={
          <div className="flex">
            <IconButton icon="copy" label="Copy this task" disabled={tasks.length >= MOST_TASKS} onClick={onCopy} />
            <IconButton icon="trash" label="Remove this task" disabled={tasks.length === 1} onClick={onRemove} />
          </div>
        }
      >
        <TaskFields form={form} others={tasks.filter((one) => one.key !== form.key)} aggregation={aggregation} errors={errors} path={`tasks.${number - 1}`} onChange={onChange} />
      </Section>
    </div>
  );
}

export function NotADraft({ suite }: { suite: SuiteOut }) {
  return <p>A published version never changes. <Link to={`/suites/${suite.id}`} className="font-medium text-accent underline underline-offset-2">Make a new version of it</Link> and change that.</p>;
}
