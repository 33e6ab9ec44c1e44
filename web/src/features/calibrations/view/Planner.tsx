import { useMemo, useState } from "react";
import { usePlanLabelsQuery } from "@/api/calibrations";
import type { CalibrationOut, LabelPlanOut } from "@/api/generated/orchestrator";
import { NumberField } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useSettled } from "@/lib/use-settled";
import { formatCoefficient } from "../words";

/** A form that plans the number of labels for a corrected pass rate, and their cost. */
export function Planner({ calibration: { id, figures } }: { calibration: CalibrationOut }) {
  const [percent, setPercent] = useState<number | null>(5);
  const [answers, setAnswers] = useState<number | null>(null);
  const [labelCost, setLabelCost] = useState<number | null>(1);
  const [judgeCost, setJudgeCost] = useState<number | null>(figures.verdict_cost_usd);
  const [budget, setBudget] = useState<number | null>(null);
  const asked = useMemo(() => ({ id, halfWidth: Math.max(0.0001, (percent ?? 5) / 100), answers, labelCost: labelCost ?? 1, judgeCost, budget }), [id, percent, answers, labelCost, judgeCost, budget]);
  const query = usePlanLabelsQuery(useSettled(asked));
  const { data } = query;
  return (
    <Section title="Plan labels">
      <div className="flex flex-col gap-4 px-4 py-4">
        <p className="text-ink-2">How many answers people have to label, drawn at random, for a corrected pass rate that is this precise. Costs are in a unit of your choice.</p>
        <div className="grid items-start gap-3 sm:grid-cols-3 lg:grid-cols-5">
          <NumberField label="Precise to ± percent" min={0.1} max={50} value={percent} onChange={setPercent} />
          <NumberField label="Answers of the run" hint="If empty: as many as in this calibration." min={2} step={1} value={answers} onChange={setAnswers} />
          <NumberField label="A label costs" min={0} value={labelCost} onChange={setLabelCost} />
          <NumberField label="A verdict costs" hint="If empty: the mean cost in this calibration." min={0} value={judgeCost} onChange={setJudgeCost} />
          <NumberField label="Or a budget of" min={0} value={budget} onChange={setBudget} />
        </div>
        {query.isError && <ProblemNote error={query.error} />}
        {data && (
          <div role="status" className="flex flex-col gap-1">
            {data.for_width ? <Plan plan={data.for_width} /> : data.width_impossible_because && <p>It can’t be done: {harmless(data.width_impossible_because)}.</p>}
            {budget !== null && (data.for_budget ? <p>The budget is best spent on <Counts plan={data.for_budget} />.</p> : data.budget_impossible_because && <p>{harmless(data.budget_impossible_because)}.</p>)}
            {data.correlation !== null && <p className="text-xs text-ink-3">Planned with a correlation of judge and people of {formatCoefficient(data.correlation)}, measured here.</p>}
          </div>
        )}
      </div>
    </Section>
  );
}

function Plan({ plan }: { plan: LabelPlanOut }) {
  return <p>People label <Counts plan={plan} />.</p>;
}

function Counts({ plan }: { plan: LabelPlanOut }) {
  return (
    <>
      <strong className="font-medium">{plural(plan.labels, "answer")}</strong>, and the judge scores {formatCount(plan.others)} more. That is as precise as {plural(plan.effective_labels, "label")} without a judge, and costs {formatCoefficient(plan.cost)}: {formatCoefficient(plan.cost_of_people)} for people, {formatCoefficient(plan.cost_of_judge)} for the judge
    </>
  );
}
