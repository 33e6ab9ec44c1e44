import { skipToken } from "@reduxjs/toolkit/query/react";
import type { AnswerPriority } from "@/api/generated/config-api";
import { useGetRunQuery, useListRunsQuery } from "@/api/runs";
import { Combobox, MultiSelect } from "@/components/Combobox";
import { CheckField, FieldError, SelectField } from "@/components/Field";
import { errorAt } from "@/lib/form-errors";
import { formatDate } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import type { TaskForm } from "./task-form";

const MOST_RUNS = 100;
const PRIORITIES: readonly { value: AnswerPriority | ""; label: string }[] = [
  { value: "", label: "At random" },
  { value: "pass_mark", label: "Nearest to the pass mark first" },
  { value: "disagreement", label: "Largest disagreement first" },
  { value: "confidence", label: "Least certain judge first" },
];

interface Props {
  form: TaskForm;
  errors: Readonly<Record<string, string>>;
  onChange: (part: Partial<TaskForm>) => void;
}

/** Choose the answers of a run: one by one or in pairs, blind or with the names of the targets. */
export function RunFields({ form, errors, onChange }: Props) {
  const runs = useListRunsQuery({ status: ["FINISHED", "CANCELLED"], limit: MOST_RUNS });
  const targets = useGetRunQuery(form.runId === "" ? skipToken : { runId: form.runId }).currentData?.targets ?? [];
  const choices = (runs.data?.items ?? []).map((one) => ({ value: one.id, label: harmless(one.name), detail: formatDate(one.created_at) }));
  if (form.runId !== "" && !choices.some((one) => one.value === form.runId)) choices.unshift({ value: form.runId, label: "The run that you came from", detail: "" });
  return (
    <>
      <Combobox label="Run" required placeholder="Choose or search…" choices={choices} value={form.runId} error={errorAt(errors, "run.run_id", "run")} onChange={(runId) => onChange({ runId, targetIds: [] })} />
      <MultiSelect
        label="Targets" hint={form.pairs ? "Exactly two." : "If empty: all of them."} placeholder={targets.length === 0 ? "Choose a run first" : "All targets"} disabled={targets.length === 0}
        choices={targets.map((one) => ({ value: one.id, label: harmless(one.label) }))} selected={form.targetIds} error={errorAt(errors, "run.target_ids")} onChange={(targetIds) => onChange({ targetIds })}
      />
      <SelectField label="Which answers" hint="The audit slice is always random." options={PRIORITIES} value={form.priority} error={errorAt(errors, "sampling_config.priority")} onChange={(priority) => onChange({ priority })} />
      <div className="flex flex-col gap-2 sm:mt-5">
        <CheckField label="In pairs, side by side" hint="The order is drawn at random for each pair." checked={form.pairs} onChange={(pairs) => onChange({ pairs })} />
        {errorAt(errors, "run.pairs") && <FieldError>{errorAt(errors, "run.pairs")}</FieldError>}
        <CheckField label="Show which target answered" hint="It influences what people say." checked={form.named} onChange={(named) => onChange({ named })} />
      </div>
    </>
  );
}
