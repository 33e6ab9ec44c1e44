import { Link, useSearchParams } from "react-router";
import { useCompareCategoriesQuery } from "@/api/comparisons";
import type { ComparedCategory, Comparison } from "@/api/generated/orchestrator";
import { ChartFrame } from "@/components/charts/ChartFrame";
import { heatClass } from "@/components/charts/heat";
import { HeatLegend } from "@/components/charts/HeatLegend";
import { HeatPicture } from "@/components/charts/HeatPicture";
import { Message, Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { columnParam } from "@/lib/compare-link";
import { formatCount, formatFixed, formatPercent, MISSING, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { writeOne, writeSet } from "@/lib/url-state";
import { columnName, letterOf } from "../column-name";
import { askedOf, type CompareView } from "../compare-view";

/** Mean scores by category and column; the category in which the columns disagree most comes first. */
export default function HeatMap({ comparison, view }: { comparison: Comparison; view: CompareView }) {
  const { currentData: data, error, isError, refetch } = useCompareCategoriesQuery({ column: view.columns.map(columnParam), baseline: askedOf(view).baseline ?? 0 });
  const [search] = useSearchParams();
  if (isError) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="p-4"><Skeleton className="h-48" /></div>;
  if (data.categories.length === 0) return <Message icon="ring" title="There are no cases"><p>The map appears with the first cases of these columns.</p></Message>;
  const unlike = data.compared.flatMap((one, at) => (one ? [] : [columnName(comparison.columns[at], at)]));
  const names = comparison.columns.map(columnName);
  const casesOf = (category: string) => `?${writeSet(writeOne(writeOne(writeOne(search, "look", null), "bin", null), "show", null), "category", [category])}`;
  return (
    <ChartFrame
      className="px-4 py-3"
      name="category-by-column"
      caption={
        <>
          Mean scores over the cases that are scored in every column; the greatest disagreement comes first. A figure opens the items behind it, a category its cases.
          {unlike.length > 0 && ` Another measure scored ${unlike.join(", ")}: not compared.`}
          {data.total > data.categories.length && ` The first ${formatCount(data.categories.length)} of ${plural(data.total, "category", "categories")}.`}
        </>
      }
      rows={() => [["category", ...names, "spread", "cases"], ...data.categories.map((one) => [one.category, ...names.map((_, at) => one.scores[at] ?? null), one.spread, one.shared])]}
      picture={<HeatPicture title="Mean score by category" columns={names} rows={data.categories.map((one) => ({ name: harmless(one.category), scores: names.map((_, at) => one.scores[at] ?? null) }))} />}
    >
      <HeatLegend />
      <div className="mt-2 max-w-full overflow-x-auto" tabIndex={0} role="group" aria-label="Scores by category">
        {/* All columns of the comparison have one width, however long their names are. */}
        <table className="w-full table-fixed border-separate border-spacing-0.5 text-xs" style={{ minWidth: `${16 + names.length * 5}rem`, maxWidth: `${25 + names.length * 15}rem` }}>
          <colgroup>
            <col className="w-28 sm:w-56" />
            {comparison.columns.map((column) => <col key={`${column.run_id}:${column.target_id}`} />)}
            <col className="w-16" />
            <col className="w-20" />
          </colgroup>
          <thead>
            <tr className="align-bottom text-ink-2">
              <th scope="col" className="sticky left-0 z-10 bg-surface px-2 py-1.5 text-left font-medium">Category</th>
              {comparison.columns.map((column, at) => (
                <th key={`${column.run_id}:${column.target_id}`} scope="col" title={harmless(`${column.label}, ${column.run_name}`)} className="px-2 py-1.5 text-center font-medium">
                  <span className="line-clamp-4 wrap-anywhere">{columnName(column, at)}</span>
                </th>
              ))}
              <th scope="col" className="px-2 py-1.5 text-right font-medium" title="The highest mean minus the lowest, in points">Spread</th>
              <th scope="col" className="px-2 py-1.5 text-right font-medium">Cases</th>
            </tr>
          </thead>
          <tbody>
            {data.categories.map((one) => (
              <tr key={one.category}>
                <th scope="row" className="sticky left-0 z-10 bg-surface px-2 py-1.5 text-left font-medium" title={harmless(one.category)}>
                  <Link to={casesOf(one.category)} preventScrollReset className="line-clamp-3 wrap-anywhere hover:text-accent hover:underline">{harmless(one.category)}</Link>
                </th>
                {comparison.columns.map((column, at) => (
                  <Score key={`${column.run_id}:${column.target_id}`} one={one} at={at} to={`/runs/${column.run_id}/items?${new URLSearchParams({ target_id: column.target_id, category: one.category })}`} />
                ))}
                <td className="px-2 py-1.5 text-right">{formatFixed(one.spread === null ? null : one.spread * 100, 1)}</td>
                <td className="px-2 py-1.5 text-right whitespace-nowrap text-ink-2">{one.shared === one.cases ? formatCount(one.cases) : `${formatCount(one.shared)} of ${formatCount(one.cases)}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </ChartFrame>
  );
}

function Score({ one, at, to }: { one: ComparedCategory; at: number; to: string }) {
  const score = one.scores[at] ?? null;
  if (score === null) return <td className="rounded-xs bg-mute-soft px-2 py-1.5 text-center text-ink-3">{MISSING}</td>;
  return (
    <td className="p-0">
      <Link to={to} aria-label={`${letterOf(at)}, ${harmless(one.category)}: ${formatPercent(score)}. Open the items`} className={`block rounded-xs px-2 py-1.5 text-center font-medium hover:underline ${heatClass(score)}`}>
        {formatPercent(score)}
      </Link>
    </td>
  );
}
