import { skipToken } from "@reduxjs/toolkit/query/react";
import { useId } from "react";
import { useExperimentPlanQuery } from "@/api/experiments";
import type { ExperimentPlan } from "@/api/generated/orchestrator";
import { Button } from "@/components/Button";
import { Disclosure } from "@/components/Disclosure";
import { FieldError } from "@/components/Field";
import { Skeleton } from "@/components/Message";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { errorAt } from "@/lib/form-errors";
import { formatCount, formatDuration, formatPercent, formatUsd, plural } from "@/lib/format";
import { useSettled } from "@/lib/use-settled";
import { isRelative } from "../experiment-words";
import type { ExperimentDraft } from "./use-experiment-draft";

interface Props {
  draft: ExperimentDraft;
  /** Called before the form is submitted, to say by which button. */
  onIntent: (intent: "save" | "start") => void;
  onDelete: (() => void) | null;
}

/** The cases, calls and costs that the experiment needs, while it is being written. */
export function LivePlan({ draft, onIntent, onDelete }: Props) {
  const { form, body, lacking, errors, isBusy, error } = draft;
  // The name does not matter for the plan.
  const { name: _, ...others } = lacking;
  const isReady = Object.keys(others).length === 0;
  const wanted = useSettled(isReady ? JSON.stringify({ ...body, name: "plan" }) : null);
  const plan = useExperimentPlanQuery(wanted === null ? skipToken : JSON.parse(wanted));
  const isStale = plan.isFetching || (isReady && wanted !== JSON.stringify({ ...body, name: "plan" }));
  const missing = Object.values({ ...draft.lacking, ...draft.lackingToStart });
  return (
    <Section title="Plan" className="lg:sticky lg:top-[calc(var(--banner,0px)+4.5rem)]">
      <div className="flex flex-col gap-4 px-4 py-4">
        <EffectSlider metric={form.metric} value={form.effect} error={errorAt(errors, "config.minimum_effect")} onChange={(effect) => draft.set({ effect })} />
        <div aria-live="polite" aria-busy={isStale} className={isStale && plan.data ? "opacity-60" : ""}>
          {!isReady ? (
            <p className="text-ink-2">The plan appears once this is complete: {Object.values(others)[0]}</p>
          ) : plan.isError && !plan.isFetching ? (
            <ProblemNote error={plan.error} />
          ) : plan.data ? (
            <Planned plan={plan.data} isOutside={form.isOutside} isSequential={form.method === "sequential"} metric={form.metric} />
          ) : (
            <Skeleton className="h-40" />
          )}
        </div>
        {error !== undefined && <ProblemNote error={error} />}
        <div className="flex flex-col gap-2">
          <Button type="submit" kind="primary" icon="play" disabled={isBusy} right="experiments:update" className="w-full" onClick={() => onIntent("start")}>
            {isBusy ? "Working…" : "Start the experiment"}
          </Button>
          <Button type="submit" disabled={isBusy} className="w-full" onClick={() => onIntent("save")}>Save the draft</Button>
          <p className="text-xs text-ink-3" role="status">
            {draft.isDirty ? "Not saved yet; kept in this tab." : draft.saved ? "All changes are saved." : ""}
            {missing.length > 0 && ` To start it: ${missing[0]}`}
          </p>
          {onDelete && <Button kind="danger" icon="trash" right="experiments:delete" className="w-full" onClick={onDelete}>Delete the draft</Button>}
        </div>
      </div>
    </Section>
  );
}

interface SliderProps {
  metric: string;
  /** The effect in points, or in percent of the control's mean. */
  value: number;
  error: string | undefined;
  onChange: (value: number) => void;
}

function EffectSlider({ metric, value, error, onChange }: SliderProps) {
  const id = useId();
  const relative = isRelative(metric);
  const words = `${value}${relative ? "%" : value === 1 ? " point" : " points"}`;
  return (
    <div>
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="font-medium">Smallest effect that matters</label>
        <span aria-hidden="true" className="font-semibold whitespace-nowrap">{words}</span>
      </div>
      <input
        type="range"
        id={id}
        min={1}
        max={relative ? 50 : 30}
        step={0.5}
        value={value}
        aria-valuetext={words}
        aria-describedby={`${id}-hint`}
        aria-invalid={error ? true : undefined}
        onChange={(event) => onChange(event.target.valueAsNumber)}
        className="mt-2 w-full accent-accent"
      />
      {error ? <FieldError id={`${id}-hint`}>{error}</FieldError> : <p id={`${id}-hint`} className="text-xs text-ink-3">A smaller effect needs many more cases: half the effect, four times as many.</p>}
    </div>
  );
}

const ROW = "flex items-baseline justify-between gap-3 py-1.5";

interface PlannedProps {
  plan: ExperimentPlan;
  isOutside: boolean;
  isSequential: boolean;
  metric: string;
}

function Planned({ plan, isOutside, isSequential, metric }: PlannedProps) {
  const unit = isOutside ? "units" : "cases";
  const unitEach = plan.clusters > 0 && plan.clusters < plan.cases ? "clusters" : unit;
  const relative = isRelative(metric);
  return (
    <div className="flex flex-col gap-3">
      <p>
        <span className="text-2xl font-semibold">{formatCount(plan.planned)}</span> <span className="text-ink-2">{unitEach} for each variant</span>
        {isSequential && !isOutside && plan.expected_calls !== null && plan.expected_calls < plan.calls && (
          <span className="mt-0.5 block text-xs text-ink-2">At most. If the effect exists, about {formatCount(plan.expected_calls)} of {formatCount(plan.calls)} calls are expected.</span>
        )}
      </p>
      {!plan.enough && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-warn">
          {plan.sample_size === null
            ? "No number of cases suffices for this effect. Choose a larger one."
            : plan.cases === 0 && !isOutside
              ? `This effect needs ${formatCount(plan.sample_size)} ${unitEach} for each variant. Choose the cases.`
              : `This effect needs ${formatCount(plan.sample_size)} ${unitEach} for each variant, and there are ${formatCount(plan.planned)}. Choose a larger effect, or more cases.`}
        </p>
      )}
      <dl className="divide-y divide-line border-y border-line">
        {!isOutside && <Row name="Calls of the variants" value={formatCount(plan.calls)} />}
        {!isOutside && plan.judge_calls > 0 && <Row name="Verdicts of the judge" value={formatCount(plan.judge_calls)} />}
        {!isOutside && <Row name="Cost" value={plan.cost_usd === null ? "Not known yet" : `about ${formatUsd(plan.cost_usd)}`} />}
        {!isOutside && <Row name="Duration" value={plan.duration_s === null ? "Not known yet" : `about ${formatDuration(plan.duration_s)}`} />}
        {!isOutside && <Row name="Rounds" value={`${formatCount(plan.rounds)} of ${plural(plan.round_size, "case")}`} />}
        <Row name="Chance of finding the effect" value={formatPercent(plan.power)} />
        {plan.minimum_detectable_effect !== null && !plan.enough && <Row name="Smallest effect it can find" value={`${formatCount(plan.minimum_detectable_effect * 100)}${relative ? "%" : " points"}`} />}
      </dl>
      {plan.warnings.map((one) => <p key={one} className="rounded-md bg-warn-soft px-3 py-2 text-xs text-warn">{one}</p>)}
      {plan.curve.length > 0 && (
        <Disclosure title="What other effects need" className="text-xs">
          <table className="w-full text-xs">
            <thead className="text-ink-2">
              <tr>
                <th scope="col" className="py-1 text-left font-medium">Effect</th>
                <th scope="col" className="py-1 text-right font-medium">{isOutside ? "Units" : "Cases"}</th>
                <th scope="col" className="py-1 text-right font-medium">Chance with this plan</th>
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {plan.curve.map((one) => (
                <tr key={one.effect}>
                  <td className="py-1">{Math.round(one.effect * 1e4) / 100}{relative ? "%" : " points"}</td>
                  <td className="py-1 text-right">{one.sample_size === null ? "no number" : formatCount(one.sample_size)}</td>
                  <td className="py-1 text-right">{formatPercent(one.power)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Disclosure>
      )}
      <p className="text-xs text-ink-3">The spread of the values: {plan.basis}.</p>
    </div>
  );
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <div className={ROW}>
      <dt className="text-ink-2">{name}</dt>
      <dd className="text-right font-medium">{value}</dd>
    </div>
  );
}
