import { Link } from "react-router";
import type { DecidedGate, JudgeCheckOut, RunDetail } from "@/api/generated/orchestrator";
import { useDecideGatesMutation } from "@/api/runs";
import { Button } from "@/components/Button";
import { Chip } from "@/components/Chip";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { compareRunsHref } from "@/lib/compare-link";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { verdictLook } from "./gate-look";

/** The comparison of the run with the baselines of its subject, one entry per gate. */
export function GateSection({ run }: { run: RunDetail }) {
  const [decide, deciding] = useDecideGatesMutation();
  const again = (
    <Button icon="scale" right="runs:create" disabled={deciding.isLoading || run.gate?.verdict === "pending"} onClick={() => void decide({ runId: run.id })}>
      Compare again
    </Button>
  );
  return (
    <Section title="Compared with the baseline" aside={again} className="print:break-inside-avoid">
      {deciding.error !== undefined && <ProblemNote error={deciding.error} />}
      {run.gate?.verdict === "pending" ? (
        <p role="status" className="px-4 py-3 text-ink-2">The run has ended and is being compared. If a judge influences a gate, it first judges stored answers of the baseline again.</p>
      ) : (
        <ul className="divide-y divide-line">
          {run.gates.map((gate) => (
            <Gate key={`${gate.gate_id} ${gate.role}`} gate={gate} runId={run.id} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Gate({ gate, runId }: { gate: DecidedGate; runId: string }) {
  return (
    <li className="flex flex-col gap-1.5 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Chip {...verdictLook(gate)} />
        <span className="min-w-0 font-medium wrap-anywhere">{sentenceCase(harmless(gate.title))}</span>
        <span className="text-xs text-ink-2">margin {gate.relative ? `${percent(gate.margin)}%` : `${percent(gate.margin)} points`}</span>
        <span className="min-w-0 text-xs wrap-anywhere text-ink-2">
          {gate.role === "anchor" ? "anchor" : "baseline"} of {harmless(gate.label)}:{" "}
          <Link to={`/runs/${gate.baseline_run_id}`} className="font-medium text-accent hover:underline">
            {harmless(gate.baseline_run_name)}
          </Link>
        </span>
        <Link to={compareRunsHref([gate.baseline_run_id, runId])} className="text-xs font-medium text-accent hover:underline">
          Case by case
        </Link>
      </div>
      {gate.pairs.length > 1 ? (
        <ul className="flex flex-col gap-1">
          {gate.pairs.map((pair) => (
            <li key={pair.target_id} className="text-ink-2 wrap-anywhere">
              <span className="font-medium text-ink">{harmless(pair.label)}</span>: {pair.verdict}: {harmless(pair.sentence)}
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-ink-2 wrap-anywhere">{harmless(gate.sentence)}</p>
      )}
      {gate.judge_check && <JudgeCheck check={gate.judge_check} />}
    </li>
  );
}

/** The result of judging answers of the baseline again. */
function JudgeCheck({ check }: { check: JudgeCheckOut }) {
  return (
    <p className="text-xs wrap-anywhere text-ink-2">
      <Link to={`/runs/${check.run_id}`} className="font-medium text-accent hover:underline">
        {plural(check.answers, "stored answer")} judged again
      </Link>
      , {check.repeats} times each: {points(check.shift)} on average (p = {check.p.toPrecision(2)}), {check.changed ? "beyond the judge's own spread" : "within the judge's own spread"}.
    </p>
  );
}

const points = (shift: number) => `${shift > 0 ? "+" : ""}${percent(shift)} points`;
const percent = (share: number) => Number((share * 100).toFixed(2));
const sentenceCase = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase());
