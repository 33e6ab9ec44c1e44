import { useState, type KeyboardEvent } from "react";
import type { ProviderOut } from "@/api/generated/config-api";
import { useListTasksQuery } from "@/api/tasks";
import { Button, IconButton } from "@/components/Button";
import { Combobox } from "@/components/Combobox";
import { Disclosure } from "@/components/Disclosure";
import { TextAreaField } from "@/components/Field";
import { ModelPicker } from "@/components/ModelPicker";
import { ProblemNote } from "@/components/Problem";
import { SamplingFields } from "@/components/SamplingFields";
import { Section } from "@/components/Section";
import { errorAt } from "@/lib/form-errors";
import { harmless } from "@/lib/plain-text";
import { MOST_TARGETS, newTarget, withTask, type QuestionForm } from "./playground-form";

const MOST_TASKS = 200;

interface Props {
  form: QuestionForm;
  providers: readonly ProviderOut[];
  errors: Readonly<Record<string, string>>;
  error: unknown;
  busy: boolean;
  onChange: (form: QuestionForm) => void;
  onAsk: () => void;
}

/** The form of a question and of the models that answer it. */
export function QuestionCard({ form, providers, errors, error, busy, onChange, onAsk }: Props) {
  const set = (part: Partial<QuestionForm>) => onChange({ ...form, ...part });
  return (
    <form
      noValidate
      className="min-w-0 lg:sticky lg:top-4"
      onSubmit={(event) => {
        event.preventDefault();
        onAsk();
      }}
    >
      <Section title="Question">
        <div className="flex flex-col gap-3 px-4 py-3">
          <TextAreaField label="Question" required rows={5} value={form.question} error={errorAt(errors, "question")} onChange={(question) => set({ question })} onKeyDown={(event) => onShortcut(event, onAsk)} />
          <Disclosure title="Take it from a task" summary={form.asked.case_name && form.asked.case_name !== "question" ? harmless(form.asked.case_name) : undefined}>
            <TaskPicker form={form} onChange={onChange} />
          </Disclosure>
          <Disclosure title="System prompt" open={form.systemPrompt !== ""}>
            <TextAreaField label="System prompt" rows={3} value={form.systemPrompt} error={errorAt(errors, "system_prompt")} onChange={(systemPrompt) => set({ systemPrompt })} />
          </Disclosure>
          <Disclosure title="Expected answer" summary="for the judge" open={form.expected !== ""}>
            <TextAreaField label="Expected answer" rows={2} value={form.expected} error={errorAt(errors, "expected_output")} onChange={(expected) => set({ expected })} />
          </Disclosure>
          <Disclosure title="Parameters" summary="temperature, tokens, seed, stop, options" open={Object.keys(errors).some((path) => path.startsWith("params"))}>
            <SamplingFields value={form.sampling} onChange={(sampling) => set({ sampling })} errors={errors} path="params" withoutPrompt />
          </Disclosure>
        </div>
        <fieldset className="min-w-0 border-t border-line px-4 py-3">
          <legend className="sr-only">Models</legend>
          <ol aria-label="Models" className="flex flex-col gap-3">
            {form.targets.map((target, index) => (
              <li key={target.key} className="flex items-start gap-1">
                <div className="min-w-0 flex-1">
                  <ModelPicker
                    providers={providers}
                    value={target}
                    providerError={errorAt(errors, `targets.${index}.provider_id`)}
                    modelError={errorAt(errors, `targets.${index}.model`, `targets.${index}.label`)}
                    onChange={(choice) => set({ targets: form.targets.map((one) => (one.key === target.key ? { ...one, ...choice } : one)) })}
                  />
                </div>
                {form.targets.length > 1 && <IconButton icon="cross" label={`Remove model ${index + 1}`} onClick={() => set({ targets: form.targets.filter((one) => one.key !== target.key) })} />}
              </li>
            ))}
          </ol>
          {form.targets.length < MOST_TARGETS && (
            <Button kind="ghost" icon="plus" className="mt-2" onClick={() => set({ targets: [...form.targets, newTarget(form.targets.at(-1)?.providerId)] })}>Add a model</Button>
          )}
        </fieldset>
        <div className="flex flex-col gap-3 border-t border-line px-4 py-3">
          {error !== undefined && Object.keys(errors).length === 0 && <ProblemNote error={error} />}
          <Button kind="primary" icon="play" type="submit" disabled={busy} title="Ctrl + Enter">{busy ? "Asking…" : "Ask"}</Button>
        </div>
      </Section>
    </form>
  );
}

function onShortcut(event: KeyboardEvent, onAsk: () => void) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  onAsk();
}

/** Choose a task, whose question and references fill the form. Tasks are read when the list is opened. */
function TaskPicker({ form, onChange }: Pick<Props, "form" | "onChange">) {
  const [id, setId] = useState("");
  const tasks = useListTasksQuery({ limit: MOST_TASKS });
  return (
    <Combobox
      label="Task"
      hint="Its question, system prompt and references replace those above."
      placeholder="Search…"
      choices={tasks.data?.items.map((task) => ({ value: task.id, label: harmless(task.task_id) })) ?? []}
      value={id}
      onChange={(chosen) => {
        setId(chosen);
        const task = tasks.data?.items.find((one) => one.id === chosen);
        if (task) onChange(withTask(form, task));
      }}
    />
  );
}
