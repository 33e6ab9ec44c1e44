import { useState, type FormEvent } from "react";
import type { CompareBenchmarks, ComparedColumn, Comparison, GateOut } from "@/api/generated/orchestrator";
import { useGateOfQuery } from "@/api/comparisons";
import { Button } from "@/components/Button";
import { Chip } from "@/components/Chip";
import { NumberField, SelectField } from "@/components/Field";
import { Skeleton } from "@/components/Message";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { formatChance } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { Letter } from "../columns/Letter";
import { useGateView, type GateChoice } from "../compare-view";
import { amount, gateLook, gateWords } from "./gate-words";

interface Props {
  /** The gated benchmarks in the form of the API. */
  asked: CompareBenchmarks;
  /** The comparisons of the gate: one, or one per pair of targets. */
  comparisons: readonly Comparison[];
}

const METRICS = [
  { value: "score", label: "Mean score" },
  { value: "pass_rate", label: "Pass rate" },
  { value: "cost", label: "Cost" },
  { value: "latency", label: "Latency" },
];
const isRelative = (metric: string) => metric === "cost" || metric === "latency";

/** Gate one metric: a loss of the margin is ruled out, certain, or neither. */
export function GatePanel({ asked, comparisons }: Props) {
  const { gate, setGate } = useGateView();
  const [metric, setMetric] = useState(gate?.metric ?? "score");
  const [margin, setMargin] = useState<number | null>(gate ? Number((gate.margin * 100).toFixed(4)) : 5);
  const names = [...new Set(comparisons.flatMap((each) => each.comparisons.flatMap((one) => one.evaluators.map(({ name }) => name))))];
  const options = [...METRICS, ...names.map((name) => ({ value: `evaluator:${name}`, label: `Evaluator: ${harmless(name)}` }))];
  const error = margin === null || !(margin > 0) ? "Enter a margin above 0." : !isRelative(metric) && margin >= 100 ? "Enter a margin below 100 points." : null;
  const decide = (event: FormEvent) => {
    event.preventDefault();
    if (!error && margin !== null) setGate({ metric, margin: Number((margin / 100).toFixed(6)), force: false });
  };
  return (
    <Section title="Gate" className={gate ? "print:break-inside-avoid" : "print:hidden"}>
      <form onSubmit={decide} className="flex flex-wrap items-start gap-3 px-4 py-3 print:hidden">
        <SelectField label="Metric" value={options.some((one) => one.value === metric) ? metric : "score"} options={options} onChange={setMetric} className="w-full sm:w-56" />
        <NumberField label={isRelative(metric) ? "Margin, in % of the baseline" : "Margin, in points"} hint="The largest loss that is acceptable." error={error} min={0} value={margin} onChange={setMargin} className="w-full sm:w-56" />
        <Button kind="primary" icon="scale" type="submit" className="sm:mt-5">
          Decide
        </Button>
        {gate && (
          <Button type="button" onClick={() => setGate(null)} className="sm:mt-5">
            Clear
          </Button>
        )}
      </form>
      {gate && <Decided gate={gate} asked={asked} comparisons={comparisons} onForce={() => setGate({ ...gate, force: true })} />}
    </Section>
  );
}

interface DecidedProps extends Props {
  gate: GateChoice;
  onForce: () => void;
}

function Decided({ gate, asked, comparisons, onForce }: DecidedProps) {
  const { currentData, error, isError } = useGateOfQuery({ ...asked, gate }, { refetchOnMountOrArgChange: true });
  if (isError) {
    const weak = toProblem(error).title === "A gate that cannot decide";
    return (
      <div className="flex flex-col items-start gap-2 border-t border-line px-4 py-3">
        <ProblemNote error={error} />
        {weak && (
          <Button icon="alert" onClick={onForce}>
            Decide anyway
          </Button>
        )}
      </div>
    );
  }
  if (!currentData) return <div role="status" aria-label="Checking the gate" className="border-t border-line px-4 py-3"><Skeleton className="h-10" /></div>;
  return <Pairs gate={currentData} columns={comparisons.length === 1 ? (comparisons[0]?.columns ?? []) : null} />;
}

/** The verdicts of several pairs. Columns have no letters here: each is a target of one of two runs. */
function Pairs({ gate, columns }: { gate: GateOut; columns: readonly ComparedColumn[] | null }) {
  return (
    <div className="border-t border-line px-4 py-3" role="group" aria-label="Result of the gate">
      <p className="flex flex-wrap items-center gap-2">
        <Chip {...gateLook(gate.state)} />
        <span className="text-xs text-ink-2">
          The {harmless(gate.title)} may be up to {amount(gate, gate.margin)} {gate.lower_is_better ? "higher" : "lower"} than the baseline’s.
        </span>
      </p>
      <ul className="mt-2 flex flex-col gap-2">
        {gate.pairs.map((pair) => {
          const at = columns?.findIndex((one) => one.run_id === pair.run_id && one.target_id === pair.target_id) ?? -1;
          return (
            <li key={`${pair.run_id}:${pair.target_id}`} className="flex items-start gap-2">
              {at >= 0 && <Letter at={at} />}
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <span className="min-w-0 font-medium wrap-anywhere">{harmless(pair.label)}</span>
                  <span className="min-w-0 text-xs wrap-anywhere text-ink-2">{harmless(columns?.[at]?.run_name ?? "")}</span>
                  {gate.pairs.length > 1 && <Chip {...gateLook(pair.state)} />}
                </p>
                <p className="text-sm text-ink-2">{harmless(gateWords(gate, pair))}</p>
                {pair.probability_fine !== null && (
                  <p className="text-xs text-ink-3">An unchanged model would be fine in {formatChance(pair.probability_fine)} of 100 such comparisons.</p>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
