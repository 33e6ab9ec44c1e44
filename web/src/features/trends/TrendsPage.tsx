import { Link, useSearchParams } from "react-router";
import { skipToken } from "@reduxjs/toolkit/query/react";
import { useGetTrendQuery, useListTrendNamesQuery } from "@/api/trends";
import type { TrendNames, TrendPoint, TrendSeries } from "@/api/generated/orchestrator";
import { Chip } from "@/components/Chip";
import { Combobox, type Choice } from "@/components/Combobox";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { JudgeTrust } from "@/components/JudgeTrust";
import { ErrorMessage } from "@/components/Problem";
import { Section } from "@/components/Section";
import { Segments } from "@/components/Segments";
import { formatCount, formatDate, formatInterval, formatLatency, formatPercent, formatRate, formatUsd, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { writeOne } from "@/lib/url-state";
import { useTitle } from "@/lib/use-title";
import { TrendChart } from "./TrendChart";
import { BREAK_LABELS, METRIC_LABELS, METRICS, valueOf, type Metric } from "./trend-lines";

/** `/trends?name=…&metric=…`, or `?suite=…`: the targets of the finished runs of one name or suite, over time. */
export default function TrendsPage() {
  useTitle("Trends");
  const [search, setSearch] = useSearchParams();
  const names = useListTrendNamesQuery({}, { refetchOnMountOrArgChange: true });
  const listed = names.data ? choicesOf(names.data) : [];
  const given = search.get("suite") !== null ? toValue("suite", search.get("suite") ?? "") : search.get("name") !== null ? toValue("name", search.get("name") ?? "") : null;
  const choice = given ?? listed[0]?.value ?? null;
  const [kind, chosen] = choice === null ? ["name" as const, null] : fromValue(choice);
  const metric: Metric = METRICS.find((one) => one === search.get("metric")) ?? "score";
  const trend = useGetTrendQuery(chosen === null ? skipToken : kind === "suite" ? { suite: chosen } : { name: chosen }, { refetchOnMountOrArgChange: true });
  const set = (key: string, value: string) => setSearch((now) => writeOne(now, key, value), { replace: true, preventScrollReset: true });
  const choose = (next: string) => {
    const [nextKind, name] = fromValue(next);
    setSearch((now) => writeOne(writeOne(now, nextKind === "suite" ? "name" : "suite", null), nextKind, name), { replace: true, preventScrollReset: true });
  };
  // A link may name runs of which only one has finished.
  const choices = choice === null || listed.some((one) => one.value === choice) ? listed : [{ value: choice, label: harmless(chosen ?? ""), detail: kind === "suite" ? "suite" : "" }, ...listed];
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      <PageHead
        title="Trends"
        note={kind === "suite" ? `Runs of the suite ${harmless(chosen ?? "")} over time, with its score` : "Runs of one name or suite over time"}
      />
      {names.isError && chosen === null ? (
        <ErrorMessage error={names.error} onRetry={() => void names.refetch()} />
      ) : names.data && chosen === null ? (
        <div className="card">
          <Message icon="search" title="No name and no suite has two finished runs yet">
            <p>Give the runs that belong together the same name, for instance “Nightly”, or run a suite again. From the second one on, this page shows how their scores, costs and speeds develop.</p>
          </Message>
        </div>
      ) : (
        <>
          <div className="flex flex-wrap items-end gap-4">
            <Combobox className="w-full sm:w-80" label="Name or suite of the runs" choices={choices} value={choice ?? ""} onChange={(next) => next && choose(next)} />
            <Segments label="Metric" options={METRICS.map((one) => ({ value: one, label: METRIC_LABELS[one] }))} value={metric} onChange={(next) => set("metric", next)} />
          </div>
          {trend.isError ? (
            <ErrorMessage error={trend.error} onRetry={() => void trend.refetch()} />
          ) : trend.currentData ? (
            <>
              {(metric === "score" || metric === "pass") && <JudgeTrust runIds={trend.currentData.series.flatMap((one) => one.points.map((point) => point.run_id))} />}
              {trend.currentData.series.map((series) => <Series key={series.label} series={series} metric={metric} />)}
              {trend.currentData.series.length === 0 && (
                <div className="card">
                  {kind === "suite" ? (
                    <Message icon="search" title="No run of this suite is finished"><p>Run the suite; from the second run on, this page shows how its score develops.</p></Message>
                  ) : (
                    <Message icon="search" title="No finished run has this name"><p>Choose another name.</p></Message>
                  )}
                </div>
              )}
              {trend.currentData.more && <p className="text-ink-2">Only the last {trend.currentData.runs} runs are shown.</p>}
            </>
          ) : (
            <Skeleton className="h-64" />
          )}
        </>
      )}
    </div>
  );
}

/** What the runs of a trend have in common. */
type Kind = "name" | "suite";

/** A suite and a name may be spelled the same, so a choice says which it is. */
const toValue = (kind: Kind, name: string) => `${kind}:${name}`;
function fromValue(chosen: string): [Kind, string] {
  const at = chosen.indexOf(":");
  return [chosen.slice(0, at) === "suite" ? "suite" : "name", chosen.slice(at + 1)];
}

/** Names and suites in one list, the one with the latest run first. */
function choicesOf({ items, suites }: TrendNames): Choice[] {
  const all = [...items.map((one) => ({ ...one, kind: "name" as const })), ...suites.map((one) => ({ ...one, kind: "suite" as const }))];
  return all
    .toSorted((one, other) => other.last_at.localeCompare(one.last_at) || one.kind.localeCompare(other.kind))
    .map(({ kind, name, runs }) => ({ value: toValue(kind, name), label: harmless(name), detail: `${kind === "suite" ? "suite, " : ""}${plural(runs, "run")}` }));
}

function Series({ series, metric }: { series: TrendSeries; metric: Metric }) {
  // The same sentence stands for many runs: it is a note below the table.
  const notes = [...new Set(series.points.toReversed().flatMap((point) => point.completeness ?? []))];
  return (
    <Section title={harmless(series.label)}>
      <div className="px-4 pt-3"><TrendChart key={metric} series={series} metric={metric} /></div>
      <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={`Runs of ${harmless(series.label)}`}>
        <table className="w-full text-sm">
          <thead className="text-left text-xs text-ink-2">
            <tr>{["Run", "Score", "Pass rate", "Scored", "Cost per answer", "Time", "Tokens/s", "Since the run before"].map((one) => <th key={one} scope="col" className="px-4 py-2 font-medium whitespace-nowrap">{one}</th>)}</tr>
          </thead>
          <tbody className="divide-y divide-line">{series.points.toReversed().map((point) => <Row key={point.run_id} point={point} note={point.completeness === null ? null : notes.indexOf(point.completeness) + 1} />)}</tbody>
        </table>
      </div>
      {notes.length > 0 && (
        <ol aria-label={`Notes on ${harmless(series.label)}`} className="flex flex-col gap-1 border-t border-line px-4 py-3 text-xs text-ink-2">
          {notes.map((note, index) => <li key={note} className="wrap-anywhere"><sup>{index + 1}</sup> {harmless(note)}</li>)}
        </ol>
      )}
    </Section>
  );
}

function Row({ point, note }: { point: TrendPoint; note: number | null }) {
  return (
    <tr>
      <th scope="row" className="px-4 py-2 text-left font-normal whitespace-nowrap"><Link to={`/runs/${point.run_id}`} className="text-accent hover:underline">{formatDate(point.at)}</Link></th>
      <td className="px-4 py-2 whitespace-nowrap">{formatPercent(point.mean_score)} <span className="text-xs text-ink-3">{formatInterval(point.mean_score_interval)}</span>{note !== null && <sup className="ml-1 text-warn" title={point.completeness ?? undefined}>{note}</sup>}</td>
      <td className="px-4 py-2 whitespace-nowrap">{formatPercent(point.pass_rate)} <span className="text-xs text-ink-3">{formatInterval(point.pass_rate_interval)}</span></td>
      <td className="px-4 py-2 whitespace-nowrap">{formatCount(point.scored)} of {formatCount(point.items)}</td>
      <td className="px-4 py-2 whitespace-nowrap">{formatUsd(valueOf(point, "cost"))}</td>
      <td className="px-4 py-2 whitespace-nowrap">{formatLatency(point.mean_time_ms)}</td>
      <td className="px-4 py-2 whitespace-nowrap">{formatRate(point.mean_tokens_per_second)}</td>
      <td className="px-4 py-2"><span className="flex flex-wrap gap-1">{point.breaks.map((one) => <Chip key={one} tone="warn" icon="alert" label={BREAK_LABELS[one]} />)}</span></td>
    </tr>
  );
}
