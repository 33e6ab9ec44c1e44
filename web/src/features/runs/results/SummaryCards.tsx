import type { Interval, RunDetail } from "@/api/generated/orchestrator";
import { formatCount, formatInterval, formatLatency, formatPercent, formatRate, formatRequests, formatUsd, knownCost, plural } from "@/lib/format";
import { judgedBy } from "@/lib/judged-by";
import { clusterCount } from "../run-words";
import { costPartsInWords, OTHER_CALLS } from "./cost-parts";
import { estimated } from "./estimated";

/** The run's main figures, each with its denominator below it. */
export function SummaryCards({ run }: { run: RunDetail }) {
  const { totals } = run;
  const cost = knownCost(run);
  // The figures come from one judge: name it if there are several.
  const chosen = run.evaluators.filter((one) => one.primary);
  const only = run.evaluators.length > 1 && chosen.length === 1 ? chosen[0] : undefined;
  const primary = only && (only.judge_model !== null || only.corrects) ? judgedBy(only, run.evaluators) : null;
  const over = clusterCount(run, totals.clusters);
  const cards: { name: string; value: string; note: string; title?: string; bad?: boolean }[] = [
    { name: "Mean score", value: formatPercent(totals.mean_score), note: totals.mean_score_interval ? interval(totals.mean_score_interval, over) : "no interval" },
    { name: "Pass rate", value: formatPercent(totals.pass_rate), note: totals.pass_rate_interval ? interval(totals.pass_rate_interval, over) : "no interval" },
    { name: "Coverage", value: formatPercent(totals.items === 0 ? null : totals.scored / totals.items), note: `${formatCount(totals.scored)} of ${plural(totals.items, "item")} scored${primary ? ` by ${primary}` : ""}${totals.skipped ? `, ${formatCount(totals.skipped)} skipped by a gate` : ""}` },
    { name: "Failures", value: formatCount(totals.failed), note: totals.items === 0 ? "" : `${formatPercent(totals.failed / totals.items)} of all items`, bad: totals.failed > 0 },
    { name: "Mean time", value: formatLatency(totals.mean_time_ms), note: totals.timed > 0 ? `p95 ${formatLatency(totals.p95_time_ms)} · p99 ${formatLatency(totals.p99_time_ms)} · over ${formatCount(totals.timed)}` : "of an answer" },
    { name: "Tokens/s", value: estimated(totals, formatRate(totals.mean_tokens_per_second)), note: `of one answer · ${estimated(totals, formatCount(totals.completion_tokens))} tokens out` },
    { name: "Requests/s", value: formatRequests(totals.requests_per_second), note: totals.system_tokens_per_second == null ? "while calls are in progress" : `${estimated(totals, formatRate(totals.system_tokens_per_second))} tokens/s of all calls together · closed loop` },
    { name: "Cost", value: formatUsd(cost), note: costNote(run), ...((run.cost_parts?.other_usd ?? 0) > 0 && { title: OTHER_CALLS }) },
  ];
  return (
    <dl aria-label="Summary" className="card grid grid-cols-2 gap-px overflow-hidden sm:grid-cols-4 2xl:grid-cols-8">
      {cards.map(({ name, value, note, title, bad }) => (
        <div key={name} className="min-w-0 px-4 py-3 shadow-[0_0_0_1px_var(--line)]">
          <dt className="text-xs text-ink-2">{name}</dt>
          <dd className={`mt-1 text-xl font-semibold tracking-tight ${bad ? "text-bad" : ""}`}>{value}</dd>
          <dd className="mt-0.5 text-xs text-pretty text-ink-3" title={title}>{note}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Non-breaking spaces keep the two ends on one line. */
const interval = (ends: Interval, over: string) => `95% interval ${formatInterval(ends).replaceAll(" ", "\u00a0")}${over ? ` over ${over}` : ""}`;

function costNote(run: RunDetail): string {
  const parts = costPartsInWords(run.cost_parts);
  const limit = run.max_cost_usd === null ? "" : `limit ${formatUsd(run.max_cost_usd)}`;
  const unpriced = run.unpriced_calls === 0 ? "" : `${plural(run.unpriced_calls, "call")} without a price`;
  return [parts, limit, unpriced].filter(Boolean).join(" · ") || "judging included";
}
