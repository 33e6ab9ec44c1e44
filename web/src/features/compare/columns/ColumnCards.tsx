import { lazy, Suspense } from "react";
import { Link, useSearchParams } from "react-router";
import type { ColumnComparison, ComparedColumn, Comparison, Show } from "@/api/generated/orchestrator";
import { Chip } from "@/components/Chip";
import { Icon } from "@/components/Icon";
import { Menu } from "@/components/Menu";
import { formatCount, formatDate, formatInterval, formatLatency, formatPercent, formatUsd, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { writeOne } from "@/lib/url-state";
import { loadCode } from "@/live/reach";
import { columnName, letterOf } from "../column-name";
import { showing, useViewSetters, type CompareView } from "../compare-view";
import { PassSentence } from "../PassSentence";
import { formatRatio, range, verdictLook, verdictWords, zeroWords } from "../words";
import type { Picking } from "./ColumnPicker";
import { Letter } from "./Letter";

const ByEvaluator = lazy(() => loadCode(async () => ({ default: (await import("./ByEvaluator")).ByEvaluator })));

interface Props {
  comparison: Comparison;
  view: CompareView;
  onPick: (picking: Picking) => void;
}

/** One card per column: its figures and its verdict against the baseline. */
export function ColumnCards({ comparison, view, onPick }: Props) {
  const baseline = comparison.columns[comparison.baseline];
  if (!baseline) return null;
  return (
    <section aria-label="Columns" className="flex flex-col gap-2">
      <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-[repeat(auto-fit,minmax(19rem,1fr))]">
        {comparison.columns.map((column, at) => (
          <li key={`${column.run_id}:${column.target_id}`} className="card flex min-w-0 flex-col">
            <CardHead column={column} at={at} view={view} onPick={onPick} />
            <Figures column={column} baseline={at === comparison.baseline ? null : baseline} />
            <Against comparison={comparison} one={comparison.comparisons.find((one) => one.column === at)} several={comparison.columns.length > 2} at={at} view={view} />
          </li>
        ))}
      </ul>
      <p className="text-sm text-ink-2">
        {comparison.winner === null ? `No winner: ${harmless(comparison.winner_reason ?? "")}` : `Winner: ${columnName(comparison.columns[comparison.winner], comparison.winner)}.`}
      </p>
      <p className="text-xs text-ink-3">
        Points are hundredths of the scale. Intervals are of 95%; differences are taken case by case, over the cases scored in both.
        {comparison.cluster_by && ` Cases of one ${harmless(comparison.cluster_by)} are one cluster.`}
      </p>
    </section>
  );
}

function CardHead({ column, at, view, onPick }: { column: ComparedColumn; at: number; view: CompareView; onPick: (picking: Picking) => void }) {
  const { setColumns } = useViewSetters();
  const isBaseline = at === view.baseline;
  const without = view.columns.filter((_, index) => index !== at);
  return (
    <header className="flex items-start gap-2.5 border-b border-line px-4 py-2.5">
      <Letter at={at} />
      <div className="min-w-0 flex-1">
        <h2 className="truncate text-sm font-semibold" title={harmless(column.label)}>{harmless(column.label)}</h2>
        <p className="truncate text-xs text-ink-2">
          <Link to={`/runs/${column.run_id}`} title={harmless(column.run_name)} className="hover:text-accent hover:underline">{harmless(column.run_name)}</Link>
        </p>
        <p className="truncate text-xs text-ink-3">
          {formatDate(column.run_created_at)}
          {column.model !== column.label && ` · ${harmless(column.model)}`}
          {column.judge && (column.judge.judge_model ? ` · judge ${harmless(column.judge.judge_model)}` : ` · scored by ${harmless(column.judge.kind)}`)}
        </p>
      </div>
      <div className="-mr-2">
        <Menu
          label={`Actions for ${columnName(column, at)}`}
          icon="more"
          iconOnly
          entries={[
            { label: "Make it the baseline", icon: "scale", disabled: isBaseline, onSelect: () => setColumns(view.columns, at) },
            { label: "Replace", icon: "retry", onSelect: () => onPick({ at }) },
            { label: "Open the run", icon: "next", to: `/runs/${column.run_id}` },
            { label: "Remove", icon: "cross", onSelect: () => setColumns(without, at < view.baseline ? view.baseline - 1 : isBaseline ? 0 : view.baseline) },
          ]}
        />
      </div>
    </header>
  );
}

function Figures({ column: { figures }, baseline }: { column: ComparedColumn; baseline: ComparedColumn | null }) {
  const of = baseline?.figures ?? null;
  const rows: [string, string, string | null][] = [
    ["Mean score", formatPercent(figures.mean_score), formatInterval(figures.mean_score_interval) || null],
    ["Pass rate", formatPercent(figures.pass_rate), formatInterval(figures.pass_rate_interval) || null],
    ["Time p50", formatLatency(figures.p50_time_ms), of && formatRatio(figures.p50_time_ms, of.p50_time_ms)],
    ["Time p95", formatLatency(figures.p95_time_ms), of && formatRatio(figures.p95_time_ms, of.p95_time_ms)],
    ["Cost", formatUsd(figures.cost_usd), of && formatRatio(figures.cost_usd, of.cost_usd)],
    ["Scored", formatCount(figures.scored), `of ${formatCount(figures.items)}`],
  ];
  return (
    <>
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2 px-4 py-3">
      {rows.map(([name, value, beside]) => (
        <div key={name} className="min-w-0">
          <dt className="text-xs text-ink-3">{name}</dt>
          <dd className="truncate">
            <span className="font-medium">{value}</span>
            {beside && <span className="ml-1.5 text-xs text-ink-3">{beside}</span>}
          </dd>
        </div>
      ))}
    </dl>
    {figures.zeros && <p className="px-4 pb-3 text-xs text-ink-2">{figures.zeros.note}</p>}
    </>
  );
}

function Against({ comparison, one, several, at, view }: { comparison: Comparison; one: ColumnComparison | undefined; several: boolean; at: number; view: CompareView }) {
  const [search] = useSearchParams();
  if (!one) {
    return (
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 border-t border-line px-4 py-3">
        <Chip label="Baseline" tone="info" icon="scale" />
        <span className="text-xs text-ink-2">The other columns are compared with this one.</span>
      </div>
    );
  }
  return (
    <div className="flex flex-1 flex-col gap-2 border-t border-line px-4 py-3">
      <div className="flex items-center justify-between gap-2">
        <Chip {...verdictLook(one)} />
        {one.score?.interval && (
          <span className="text-xs whitespace-nowrap text-ink-3" title={`Interval: ${one.score.method}, ${range(one.score.interval)} points by itself${several ? "; wider in the verdict, for the columns compared at once (Holm)" : ""}`}>
            {one.score.cases === one.score.clusters ? plural(one.score.cases, "case") : `${plural(one.score.cases, "case")} in ${plural(one.score.clusters, "cluster")}`}
          </span>
        )}
      </div>
      <p>{harmless(verdictWords(one))}</p>
      {one.passes && (
        <PassSentence
          passes={one.passes}
          comparison={comparison}
          at={at}
          searchOf={(show) => String(writeOne(showing(search, show, at), "look", null))}
          title={one.passes.simultaneous ? `Pass rate: ${range(one.passes.simultaneous)} points` : undefined}
        />
      )}
      {zeroWords(one) && <p className="text-xs text-ink-2">{zeroWords(one)}</p>}
      {one.evaluators.length > 0 && <Suspense><ByEvaluator evaluators={one.evaluators} /></Suspense>}
      {one.questions_differ > 0 && (
        <p className="flex items-start gap-1.5 text-xs text-warn">
          <Icon name="alert" className="mt-0.5 size-3.5" />
          {one.questions_differ === 1 ? "One case asks" : `${formatCount(one.questions_differ)} cases ask`} another question than the baseline’s.
        </p>
      )}
      {one.score && <Counts one={one} at={at} view={view} />}
    </div>
  );
}

const TONES: Record<"better" | "worse" | "equal" | "missing", string> = { better: "text-good", worse: "text-bad", equal: "text-ink-2", missing: "text-ink-3" };

/** The numbers of better, worse, equal and missing cases; a click filters by one. */
function Counts({ one, at, view }: { one: ColumnComparison; at: number; view: CompareView }) {
  const { show } = useViewSetters();
  const counts: [keyof typeof TONES, number][] = [
    ["better", one.score?.better ?? 0],
    ["worse", one.score?.worse ?? 0],
    ["equal", one.score?.equal ?? 0],
    ["missing", one.missing],
  ];
  return (
    <div role="group" aria-label={`Cases of column ${letterOf(at)}`} className="mt-auto flex flex-wrap gap-1.5 pt-1">
      {counts.map(([what, count]) => {
        const on = view.show === what && view.of === at;
        const wanted: Show = on ? "all" : what;
        return (
          <button
            key={what}
            type="button"
            aria-pressed={on}
            disabled={count === 0 && !on}
            onClick={() => show(wanted, on ? null : at)}
            className={`inline-flex h-7 items-center gap-1 rounded-full border px-2.5 text-xs whitespace-nowrap disabled:border-transparent disabled:bg-mute-soft disabled:text-ink-3 ${on ? "border-accent bg-selected text-accent-strong" : "border-line bg-surface enabled:hover:bg-hover"}`}
          >
            {/* One text node, so that screen readers separate number and word. */}
            <span>
              <span className={`font-semibold ${on || count === 0 ? "" : TONES[what]}`}>{formatCount(count)}</span> {what === "missing" ? "not compared" : what}
            </span>
          </button>
        );
      })}
    </div>
  );
}
