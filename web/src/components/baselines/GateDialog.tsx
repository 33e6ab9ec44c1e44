import { useState } from "react";
import type { BaselineOut, SavedGate } from "@/api/generated/orchestrator";
import { useChangeGateMutation, useCreateGateMutation } from "@/api/baselines";
import { useGetRunQuery } from "@/api/runs";
import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { CheckField, NumberField, SelectField, TextField } from "@/components/Field";
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

interface Props {
  subject: Subject;
  baseline: BaselineOut;
  /** The gate to change; without it, a new one is added. */
  gate?: SavedGate;
  onClose: () => void;
}

/** Save a gate of a baseline. The server refuses one that could not decide, and says what it needs. */
export function GateDialog({ subject, baseline, gate, onClose }: Props) {
  const [metric, setMetric] = useState(gate?.metric ?? "score");
  const [task, setTask] = useState(gate?.task ?? "");
  const [margin, setMargin] = useState<number | null>(gate ? Number((gate.margin * 100).toPrecision(12)) : 5);
  const [forgives, setForgives] = useState(gate?.undecided === "ok");
  const [clusterBy, setClusterBy] = useState(gate?.cluster_by ?? "");
  const [create, creating] = useCreateGateMutation();
  const [change, changing] = useChangeGateMutation();
  const run = useGetRunQuery({ runId: baseline.run.id }, { skip: gate !== undefined });
  const evaluators = [...new Set(run.data?.evaluators.map(({ name }) => name))];
  const error = creating.error ?? changing.error;
  const { fields } = toProblem(error);
  const busy = creating.isLoading || changing.isLoading;
  const ofEvaluator = metric.startsWith("evaluator:");
  const relative = metric === "cost" || metric === "latency";
  const isMargin = margin !== null && margin > 0;
  const save = async () => {
    if (!isMargin) return;
    const settings = { margin: Number((margin / 100).toPrecision(12)), undecided: forgives ? ("ok" as const) : ("fail" as const), cluster_by: clusterBy.trim() || null };
    const answer = gate
      ? await change({ id: gate.id, changeGate: settings })
      : await create({ id: baseline.id, createGate: { metric, ...settings, ...(task !== "" && !ofEvaluator && { task }) } });
    if (answer.error) return;
    toast("The gate is saved.");
    onClose();
  };
  return (
    <FormDialog open onClose={onClose} title={gate ? `Change the gate on ${harmless(gate.title)}` : `Add a gate to ${harmless(baseline.label)}`}>
      <form
        className="mt-3 flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {!gate && (
          <SelectField
            label="Metric"
            hint="It must not get worse by the margin or more."
            options={[...METRICS, ...evaluators.map((name) => ({ value: `evaluator:${name}`, label: `Score of ${harmless(name)}` }))]}
            value={metric}
            error={fields.metric}
            onChange={setMetric}
          />
        )}
        {!gate && subject.kind === "suite" && !ofEvaluator && (
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
          error={isMargin ? fields.margin : "A gate needs a margin above 0."}
          onChange={setMargin}
        />
        <TextField label="Cluster by" hint="A metadata key of the cases. Cases with the same value depend on each other. Empty: as the runs do." maxLength={200} value={clusterBy} error={fields.cluster_by} onChange={setClusterBy} />
        <CheckField label="Let an undecided run pass" hint="Unless it is certainly worse than the baseline." checked={forgives} onChange={setForgives} />
        {gate && <p className="text-ink-2">Later runs are compared by the changed gate. Verdicts on earlier runs stay.</p>}
        {error !== undefined && <ProblemNote error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={busy || !isMargin}>{busy ? "Checking…" : "Save the gate"}</Button>
        </div>
      </form>
    </FormDialog>
  );
}
