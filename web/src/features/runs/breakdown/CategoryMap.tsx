import { useMemo } from "react";
import { Link } from "react-router";
import type { RunDetail } from "@/api/generated/orchestrator";
import { ChartFrame } from "@/components/charts/ChartFrame";
import { HeatLegend } from "@/components/charts/HeatLegend";
import { formatFixed } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { useItemsHref } from "../results/item-filter";
import { cellLook, csvOf, FEW, MOST_IN_PICTURE, pictureOf } from "./HeatCells";
import { heatRows } from "./heat";

/** Mean scores by category and target. It updates from the live rows once a second. */
export function CategoryMap({ run, store }: { run: RunDetail; store: RunStore }) {
  const index = useValue(store.items.index);
  const all = useMemo(() => heatRows(index.ids.flatMap((id) => store.items.rows.get(id) ?? []), "category"), [index, store]);
  const itemsHref = useItemsHref();
  if (all.length === 0) return <p className="px-4 py-8 text-center text-ink-2">Results appear with the first answers.</p>;
  const rows = all.slice(0, MOST_IN_PICTURE);
  return (
    <ChartFrame
      className="px-4 py-3"
      name="category-by-model"
      caption={`Mean score per category and target; categories on which the targets disagree most come first. Each cell opens its items.${all.length > rows.length ? ` The first ${rows.length} of ${all.length} categories.` : ""}`}
      rows={() => csvOf("category", all, run.targets)}
      picture={pictureOf("Mean score by category and model", all, run.targets)}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <div className="w-md max-w-full"><HeatLegend /></div>
        <p className="flex items-center gap-1.5 text-2xs text-ink-2">
          <span aria-hidden="true" className="h-4 w-7 rounded border border-dashed border-current" />
          dashed: a mean of fewer than {FEW} scores; n is their number
        </p>
      </div>
      <div className="mt-2 max-w-full overflow-x-auto" tabIndex={0} role="group" aria-label="Category by model">
        {/* All targets have columns of one width, however long their names are. */}
        <table className="w-full table-fixed border-separate border-spacing-0.5 text-xs" style={{ minWidth: `${11 + run.targets.length * 7}rem`, maxWidth: `${20 + run.targets.length * 15}rem` }}>
          <colgroup>
            <col className="w-28 sm:w-56" />
            {run.targets.map((one) => <col key={one.id} />)}
            <col className="w-16" />
          </colgroup>
          <thead className="text-ink-2">
            <tr className="align-bottom">
              <th scope="col" className="sticky left-0 z-10 bg-surface px-2 py-1.5 text-left font-medium">Category</th>
              {run.targets.map((one) => <th key={one.id} scope="col" title={harmless(one.label)} className="px-2 py-1.5 text-center font-medium"><span className="line-clamp-4 wrap-anywhere">{harmless(one.label)}</span></th>)}
              <th scope="col" title="The highest mean minus the lowest, in points" className="px-2 py-1.5 text-right font-medium">Spread</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name}>
                <th scope="row" className="sticky left-0 z-10 bg-surface px-2 py-1.5 text-left font-medium" title={harmless(row.name)}>
                  <Link to={itemsHref({ category: row.name })} className="line-clamp-3 wrap-anywhere hover:text-accent hover:underline">{harmless(row.name)}</Link>
                </th>
                {run.targets.map((target) => {
                  const look = cellLook(row, target, true);
                  return <td key={target.id} className="h-px p-0 text-center font-medium">{look && <Link to={itemsHref({ category: row.name, target_id: target.id })} title={look.title} className={look.className}>{look.content}</Link>}</td>;
                })}
                <td className="px-2 py-1.5 text-right">{formatFixed(row.spread === null ? null : row.spread * 100, 1)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </ChartFrame>
  );
}
