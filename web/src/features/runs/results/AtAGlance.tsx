import { useMemo, type ReactNode } from "react";
import { Link } from "react-router";
import { skipToken } from "@reduxjs/toolkit/query/react";
import { useCompareColumnsQuery } from "@/api/comparisons";
import type { RunDetail } from "@/api/generated/orchestrator";
import { columnParam, compareColumnsHref, MOST_COLUMNS } from "@/lib/compare-link";
import { formatCount, formatInterval, formatPercent, formatUsd, knownCost, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { causesOf } from "../failures/causes";
import { runHref } from "../run/run-views";
import { clusterCount } from "../run-words";
import { costPartsInWords } from "./cost-parts";
import { bestLabels, bestOf, causesInWords, certainty, cheapestOf, listed, pairedCertainty, rankedOf, selfJudging } from "./glance";
import { useItemsHref } from "./item-filter";

const LINK = "font-medium text-accent hover:underline";

/** The four questions after a run: which target is best, is that certain, what did it cost, and what went wrong. */
export function AtAGlance({ run, store }: { run: RunDetail; store: RunStore }) {
  const itemsHref = useItemsHref();
  const { totals, results } = run;
  const best = bestOf(results);
  const overlap = certainty(results);
  const ranked = rankedOf(results);
  const columns = ranked.slice(0, MOST_COLUMNS).map((one) => ({ runId: run.id, targetId: one.target_id }));
  const { currentData: paired } = useCompareColumnsQuery(overlap.compare ? { column: columns.map(columnParam) } : skipToken);
  const sure = paired && best ? pairedCertainty(overlap, best.label, ranked.length - 1, paired.comparisons.map((one) => ({ label: ranked[one.column]?.label ?? "", verdict: one.score?.verdict ?? null }))) : overlap;
  const causes = useCauses(run, store);
  const ownJudge = selfJudging(run.warnings);
  const cheapest = cheapestOf(results);
  const parts = costPartsInWords(run.cost_parts);
  const unpriced = run.unpriced_calls > 0 ? `${plural(run.unpriced_calls, "call")} without a price` : "";
  return (
    <section aria-label="At a glance" className="card grid gap-px overflow-hidden sm:grid-cols-2 xl:grid-cols-4">
      <Answer question={results.length > 1 ? "Best target" : "Result"} answer={best ? <>{harmless(listed(bestLabels(results)))} <span className="whitespace-nowrap">{formatPercent(best.mean_score)}</span></> : "No scores"}>
        {best?.mean_score_interval && `95% interval ${formatInterval(best.mean_score_interval)}${clusterCount(run, best.clusters) ? ` over ${clusterCount(run, best.clusters)}` : ""}`}
        {!best && "No target has a mean score."}
      </Answer>
      <Answer question="Is it certain?" answer={sure.answer} tone={sure.tone}>
        {harmless(sure.why)}{" "}
        {sure.compare && <Link to={compareColumnsHref(columns)} className={LINK}>Compare case by case</Link>}
        {ownJudge && <>{sure.compare && " · "}<a href="#warnings" className="font-medium text-warn hover:underline">{harmless(ownJudge)}</a></>}
      </Answer>
      <Answer question="Cost" answer={formatUsd(knownCost(run))} title={parts ?? undefined}>
        {cheapest ? <>{harmless(cheapest.label)} is cheapest: {formatUsd(cheapest.usd)} an answer</> : parts ?? (unpriced === "" ? "Judging included" : "")}
        {unpriced !== "" && <>{cheapest || parts ? " · " : ""}{unpriced}</>}
      </Answer>
      <Answer question="What went wrong" answer={totals.failed === 0 ? "Nothing failed" : `${formatCount(totals.failed)} of ${plural(totals.items, "item")} failed`} tone={totals.failed === 0 ? "good" : "bad"}>
        {totals.failed > 0 && <>{causes !== "" && <span className="wrap-anywhere">{harmless(causes)} · </span>}<Link to={runHref(run.id, "failures")} className={LINK}>See the causes</Link>{" · "}</>}
        {totals.cut > 0 ? <Link to={itemsHref({ cut: "true" })} className={LINK}>{plural(totals.cut, "answer")} cut at the token limit</Link> : "no answer was cut"}
        {run.warnings.length > 0 && <>{" · "}<a href="#warnings" className={LINK}>{plural(run.warnings.length, "warning")} below</a></>}
      </Answer>
    </section>
  );
}

/** The causes of the failures in words, once all rows are read. */
function useCauses({ totals }: RunDetail, store: RunStore): string {
  const index = useValue(store.items.index);
  const read = useValue(store.loading) === null;
  return useMemo(() => (!read || totals.failed === 0 ? "" : causesInWords(causesOf(index.ids.flatMap((id) => store.items.rows.get(id) ?? [])))), [index, read, totals.failed, store]);
}

const TONES = { good: "text-good", warn: "text-warn", bad: "text-bad", plain: "" } as const;

function Answer({ question, answer, title, tone = "plain", children }: { question: string; answer: ReactNode; title?: string | undefined; tone?: keyof typeof TONES; children?: ReactNode }) {
  return (
    <div className="min-w-0 px-4 py-3 shadow-[0_0_0_1px_var(--line)]">
      <h2 className="text-xs text-ink-2">{question}</h2>
      <p title={title} className={`mt-0.5 text-lg font-semibold tracking-tight wrap-anywhere ${TONES[tone]}`}>{answer}</p>
      <p className="mt-0.5 text-xs text-pretty text-ink-2">{children}</p>
    </div>
  );
}
