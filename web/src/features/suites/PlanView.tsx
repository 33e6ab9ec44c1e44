import type { PlanOut } from "@/api/generated/orchestrator";
import { formatCount, formatDuration, formatUsd, MISSING, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

/** Show what a run would do. Nothing has started yet. */
export function PlanView({ plan }: { plan: PlanOut }) {
  const facts = [
    ["Items", formatCount(plan.total_items)],
    ["Levels", formatCount(plan.levels.length)],
    ["Expected time", durationText(plan.total_estimated_duration)],
    ["Answers cost", formatUsd(plan.estimated_cost_usd)],
  ] as const;
  return (
    <section aria-label="Plan" className="rounded-md border border-line">
      <dl className="grid grid-cols-2 gap-3 border-b border-line px-3 py-2 sm:grid-cols-4">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-xs text-ink-2">{name}</dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      <ol aria-label="Batches" className="divide-y divide-line">
        {plan.execution_plan.map((batch, index) => (
          <li key={batch.batch_id} className="flex items-baseline justify-between gap-3 px-3 py-2">
            <span className="min-w-0 wrap-anywhere">
              <span className="text-ink-2">Batch {index + 1}: </span>
              {batch.tasks.map(harmless).join(", ")}
            </span>
            <span className="shrink-0 text-xs text-ink-2">{durationText(batch.estimated_duration)}</span>
          </li>
        ))}
      </ol>
      <p className="border-t border-line px-3 py-2 text-xs text-ink-2">
        {plural(plan.total_tasks, "task")} in {plural(plan.total_batches, "batch", "batches")}. The run waits in the queue while another one is active.
      </p>
      {plan.notes.length > 0 && (
        <ul aria-label="Notes" className="border-t border-line px-3 py-2 text-xs text-ink-2">
          {plan.notes.map((note) => <li key={note} className="wrap-anywhere">{harmless(note)}</li>)}
        </ul>
      )}
    </section>
  );
}

const durationText = (seconds: number | null) => (seconds === null ? MISSING : formatDuration(seconds));
