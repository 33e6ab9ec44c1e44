import { Link, useSearchParams } from "react-router";
import { skipToken } from "@reduxjs/toolkit/query/react";
import { useGetTrendQuery, useListTrendNamesQuery } from "@/api/trends";
import type { TrendPoint, TrendSeries } from "@/api/generated/orchestrator";
import { Chip } from "@/components/Chip";
import { Combobox } from "@/components/Combobox";
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
  const suite = search.get("suite");
  const names = useListTrendNamesQuery(suite === null ? {} : skipToken, { refetchOnMountOrArgChange: true });
  const chosen = search.get("name") ?? names.data?.items[0]?.name ?? null;
  const metric: Metric = METRICS.find((one) => one === search.get("metric")) ?? "score";
  const trend = useGetTrendQuery(suite !== null ? { suite } : chosen === null ? skipToken : { name: chosen }, { refetchOnMountOrArgChange: true });
  const set = (key: string, value: string) => setSearch((now) => writeOne(now, key, value), { replace: true, preventScrollReset: true });
  const choices = (names.data?.items ?? []).map((one) => ({ value: one.name, label: harmless(one.name), detail: plural(one.runs, "run") }));
  // A link may name runs of which only one has finished.
  if (chosen !== null && choices.every((one) => one.value !== chosen)) choices.unshift({ value: chosen, label: harmless(chosen), detail: "" });
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      <PageHead
        title="Trends"
        note={suite === null ? "Runs of one name over time" : `Runs of the suite ${harmless(suite)} over time, with its score`}
        actions={suite !== null && <Link to="/trends" className="text-accent hover:underline">Trends of names</Link>}
      />
      {names.isError ? (
        <ErrorMessage error={names.error} onRetry={() => void names.refetch()} />
      ) : suite === null && names.data && chosen === null ? (
        <div className="card">
          <Message icon="search" title="No name has two finished runs yet">
            <p>Give the runs that belong together the same name, for instance “Nightly”. From the second one on, this page shows how their scores, costs and speeds develop.</p>
          </Message>
        </div>
      ) : (
        <>
          <div className="flex flex-wrap items-end gap-4">
            {suite === null && <Combobox className="w-full sm:w-80" label="Name of the runs" choices={choices} value={chosen ?? ""} onChange={(name) => name && set("name", name)} />}
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
                  {suite === null ? (
                    <Message icon="search" title="No finished run has this name"><p>Choose another name.</p></Message>
                  ) : (
                    <Message icon="search" title="No run of this suite is finished"><p>Run the suite; from the second run on, this page shows how its score develops.</p></Message>
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

function Series({ series, metric }: { series: TrendSeries; metric: Metric }) {
  return (
    <Section title={harmless(series.label)}>
      <div className="px-4 pt-3"><TrendChart key={metric} series={series} metric={metric} /></div>
      <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={`Runs of ${harmless(series.label)}`}>
        <table className="w-full text-sm">
          <thead className="text-left text-xs text-ink-2">
            <tr>{["Run", "Score", "Pass rate", "Scored", "Cost per answer", "Time", "Tokens/s", "Since the run before"].map((one) => <th key={one} scope="col" className="px-4 py-2 font-medium whitespace-nowrap">{one}</th>)}</tr>
          </thead>
          <tbody className="divide-y divide-line">{series.points.toReversed().map((point) => <Row key={point.run_id} point={point} />)}</tbody>
        </table>
      </div>
    </Section>
  );
}

function Row({ point }: { point: TrendPoint }) {
  return (
    <tr>
      <th scope="row" className="px-4 py-2 text-left font-normal whitespace-nowrap"><Link to={`/runs/${point.run_id}`} className="text-accent hover:underline">{formatDate(point.at)}</Link></th>
      <td className="px-4 py-2 whitespace-nowrap">{formatPercent(point.mean_score)} <span className="text-xs text-ink-3">{formatInterval(point.mean_score_interval)}</span>{point.completeness !== null && <p className="max-w-xs text-xs whitespace-normal text-ink-2">{harmless(point.completeness)}</p>}</td>
      <td className="px-4 py-2 whitespace-nowrap">{formatPercent(point.pass_rate)} <span className="text-xs text-ink-3">{formatInterval(point.pass_rate_interval)}</span></td>
      <td className="px-4 py-2 whitespace-nowrap">{formatCount(point.scored)} of {formatCount(point.items)}</td>
      <td className="px-4 py-2 whitespace-nowrap">{formatUsd(valueOf(point, "cost"))}</td>
      <td className="px-4 py-2 whitespace-nowrap">{formatLatency(point.mean_time_ms)}</td>
      <td className="px-4 py-2 whitespace-nowrap">{formatRate(point.mean_tokens_per_second)}</td>
      <td className="px-4 py-2"><span className="flex flex-wrap gap-1">{point.breaks.map((one) => <Chip key={one} tone="warn" icon="alert" label={BREAK_LABELS[one]} />)}</span></td>
    </tr>
  );
}
