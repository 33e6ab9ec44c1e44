import type { RunPhase, RunStatus } from "@/api/generated/orchestrator";
import { Icon } from "@/components/Icon";
import { PHASE_LABELS, PHASES } from "../run-words";

/** Benchmarking, then judging: which is done, which is current. */
export function PhaseSteps({ status, phase }: { status: RunStatus; phase: RunPhase }) {
  const current = PHASES.indexOf(phase);
  return (
    <ol aria-label="Phase" className="flex items-center gap-1.5">
      {PHASES.map((name, index) => {
        const done = index < current || status === "FINISHED";
        const brokenOff = index === current && status === "CANCELLED";
        const active = index === current && !done && !brokenOff;
        return (
          <li key={name} aria-current={active ? "step" : undefined} className="flex items-center gap-1.5">
            {index > 0 && <Icon name="next" className="size-3 text-ink-3" />}
            <span className={`inline-flex items-center gap-1 ${active ? "font-medium text-accent" : done ? "text-ink" : "text-ink-3"}`}>
              <Icon name={done ? "check" : active ? "half" : brokenOff ? "ban" : "ring"} className="size-3.5" />
              {PHASE_LABELS[name]}
              {brokenOff && <span className="sr-only">, stopped</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
