import { useSearchParams } from "react-router";
import type { ColumnComparison, ComparedColumn, Comparison } from "@/api/generated/orchestrator";
import { zoomedAxis } from "@/components/charts/axis";
import { ChartFrame } from "@/components/charts/ChartFrame";
import { IntervalPlot, type IntervalRow } from "@/components/charts/IntervalPlot";
import { ShareIntervals } from "@/components/charts/ShareIntervals";
import { Section } from "@/components/Section";
import { harmless } from "@/lib/plain-text";
import { writeOne } from "@/lib/url-state";
import { columnName } from "../column-name";
import { formatPoints, range, verdictLook } from "../words";

/** The columns' mean scores and their differences from the baseline, each with intervals on one common axis. */
export function ColumnIntervals({ comparison }: { comparison: Comparison }) {
  const [search] = useSearchParams();
  const casesOf = (at: number) => `?${writeOne(writeOne(search, "of", String(at)), "show", "differing")}`;
  const differences = comparison.comparisons.flatMap((one) => rowOf(one, columnName(comparison.columns[one.column], one.column), casesOf(one.column)));
  return (
    <Section title="Intervals">
      <div className="grid divide-y divide-line lg:grid-cols-2 lg:divide-x lg:divide-y-0">
        <Means columns={comparison.columns} />
        <Differences rows={differences} baseline={columnName(comparison.columns[comparison.baseline], comparison.baseline)} />
      </div>
    </Section>
  );
}

/** The difference of each pair of two runs. A mark shows the cases of its pair. */
export function PairIntervals({ comparisons, baseline }: { comparisons: readonly Comparison[]; baseline: string }) {
  const [search] = useSearchParams();
  const rows = comparisons.flatMap((each) => {
    const [one, here] = [each.comparisons[0], each.columns[1]];
    return one && here ? rowOf(one, harmless(here.label), `?${writeOne(writeOne(search, "target", here.target_id), "case", null)}`) : [];
  });
  return <Section title="Intervals"><Differences rows={rows} baseline={baseline} /></Section>;
}

function rowOf(one: ColumnComparison, label: string, to: string): IntervalRow[] {
  const { score } = one;
  if (score === null || score.mean === null) return [];
  // The verdict is derived from the simultaneous interval, where there is one.
  const interval = score.simultaneous ?? score.interval;
  const tone = score.verdict === "better" ? "good" : score.verdict === "worse" ? "bad" : undefined;
  const words = `${formatPoints(score.mean)} points${interval ? `, ${range(interval)}` : ""}: ${verdictLook(one).label.toLowerCase()}`;
  return [{ key: `${one.column} ${label}`, label, value: score.mean, interval, words, to, ...(tone && { tone }) }];
}

function Means({ columns }: { columns: readonly ComparedColumn[] }) {
  return (
    <ShareIntervals
      className="p-4"
      label="Mean scores"
      name="mean-scores"
      about="Mean scores with 95% intervals,"
      head={["column", "mean_score", "low", "high"]}
      shares={columns.map((one, at) => ({ key: `${one.run_id}:${one.target_id}`, label: columnName(one, at), value: one.figures.mean_score, interval: one.figures.mean_score_interval, to: `/runs/${one.run_id}/items?${new URLSearchParams({ target_id: one.target_id })}` }))}
      none={<p className="p-4 text-xs text-ink-2">No column has a mean score.</p>}
    />
  );
}

const EVERYWHERE = { low: -1, high: 1 };
const NONE = { value: 0, interval: null };
const pointsOf = (value: number) => formatPoints(value).replace(/[.,]0$/, "");

function Differences({ rows, baseline }: { rows: readonly IntervalRow[]; baseline: string }) {
  if (rows.length === 0) return <p className="p-4 text-xs text-ink-2">No difference can be computed: no case is scored by the same measure in both.</p>;
  const axis = zoomedAxis([...rows, NONE], EVERYWHERE);
  return (
    <ChartFrame
      className="p-4"
      name="differences"
      caption={`Differences from ${baseline} in points, case by case, with 95% intervals, on an axis from ${pointsOf(axis.low)} to ${pointsOf(axis.high)}. The line is no difference. A mark shows its cases.`}
      rows={() => [["column", "difference", "low", "high"], ...rows.map((one) => [one.label, one.value, one.interval?.low ?? null, one.interval?.high ?? null])]}
    >
      <IntervalPlot label="Differences from the baseline" rows={rows} axis={axis} format={pointsOf} line={0} />
    </ChartFrame>
  );
}
