import { useState } from "react";
import type { BaselineOut } from "@/api/generated/orchestrator";
import { useCreateGateMutation } from "@/api/baselines";
import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { CheckField, NumberField, SelectField } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { toast } from "@/components/Toast";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import type { Subject } from "./Baselines";

const METRICS = [
  { value: "score", label: "Score" },
  { value: "pass_rate", label: "Pass rate" },
  { value: "cost", label: "Cost" },
  { value: "latency", label: "Latency" },
];

/** Save a gate of a baseline. The server refuses one that could not decide, and says what it needs. */
export function GateDialog({ subject, baseline, onClose }: { subject: Subject; baseline: BaselineOut; onClose: () => void }) {
  const [metric, setMetric] = useState("score");
  const [task, setTask] = useState("");
  const [margin, setMargin] = useState<number | null>(5);
  const [forgives, setForgives] = useState(false);
  const [create, creating] = useCreateGateMutation();
  const { fields } = toProblem(creating.error);
  const relative = metric === "cost" || metric === "latency";
  const whole = margin !== null && margin > 0;
  const save = async () => {
    if (!whole) return;
    const gate = { metric, margin: Number((margin / 100).toPrecision(12)), undecided: forgives ? ("ok" as const) : ("fail" as const), ...(task !== "" && { task }) };
    if ((await create({ id: baseline.id, createGate: gate })).error) return;
    toast("The gate is saved.");
    onClose();
  };
  return (
    <FormDialog open onClose={onClose} title={`Add a gate to ${harmless(baseline.label)}`}>
      <form
        className="mt-3 flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <SelectField label="Metric" hint="It must not get worse by the margin or more." options={METRICS} value={metric} error={fields.metric} onChange={setMetric} />
        {subject.kind === "suite" && (
          <SelectField
            label="Of"
            hint="The score of the suite is a mean over its tasks."
            options={[{ value: "", label: "The whole suite" }, ...subject.tasks.map((name) => ({ value: name, label: `The task ${harmless(name)}` }))]}
            value={task}
            error={fields.task}
            onChange={setTask}
          />
        )}
        <NumberField
          label={relative ? "Margin in percent of the baseline" : "Margin in points of 100"}
          hint="The loss that does not matter."
          min={0.1}
          value={margin}
          error={whole ? fields.margin : "A gate needs a margin above 0."}
          onChange={setMargin}
        />
        <CheckField label="Let an undecided run pass" hint="Unless it is certainly worse than the baseline." checked={forgives} onChange={setForgives} />
        {creating.error !== undefined && <ProblemNote error={creating.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={creating.isLoading || !whole}>{creating.isLoading ? "Checking…" : "Save the gate"}</Button>
        </div>
      </form>
    </FormDialog>
  );
}
