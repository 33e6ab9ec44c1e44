import type { TargetOut } from "@/api/generated/orchestrator";
import { heatClass } from "@/components/charts/heat";
import { HeatPicture } from "@/components/charts/HeatPicture";
import { formatCount, formatPercent, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import type { HeatRow } from "./heat";

/** A mean over fewer scores is drawn with a dashed edge. */
export const FEW = 10;

/** Return the look of a link to the items of one target in a row: its mean score, and with `hasCount` the number of scores. Null without items. */
export function cellLook(row: HeatRow, target: TargetOut, hasCount = false) {
  const cell = row.cells.get(target.id);
  if (!cell) return null;
  const failed = cell.failed > 0 ? `, ${cell.failed} failed` : "";
  const text = cell.mean !== null ? formatPercent(cell.mean) : cell.failed > 0 ? "failed" : "–";
  const isFew = hasCount && cell.mean !== null && cell.scored < FEW;
  return {
    title: `${harmless(row.name)} · ${harmless(target.label)}: ${cell.mean === null ? "no score" : formatPercent(cell.mean)} over ${plural(cell.items, "item")}${failed}${isFew ? `; fewer than ${FEW} scores` : ""}`,
    className: `${hasCount ? "grid h-full content-center" : "block"} rounded px-2 py-1 outline-offset-[-2px] hover:ring-1 hover:ring-accent ${cell.mean !== null ? heatClass(cell.mean) : cell.failed > 0 ? "bg-bad-soft text-bad" : ""}${hasCount ? ` border border-dashed ${isFew ? "border-current" : "border-transparent"}` : ""}`,
    content: cell.mean === null ? text : hasCount ? <Counted mean={text} scored={cell.scored} failed={cell.failed} /> : <>{text}{cell.failed > 0 && <span className="text-xs"> · {cell.failed} failed</span>}</>,
  };
}

/** A mean and the number of its scores. Both have a fixed place, so that the figures of a column line up. */
function Counted({ mean, scored, failed }: { mean: string; scored: number; failed: number }) {
  return (
    <span>
      <span className="inline-block min-w-12 text-right">{mean}</span>{" "}
      <span className="inline-block min-w-7 text-left text-2xs font-normal whitespace-nowrap">n {formatCount(scored)}</span>
      {failed > 0 && <span className="block text-2xs font-normal">{formatCount(failed)} failed</span>}
    </span>
  );
}

const meansOf = (row: HeatRow, targets: readonly TargetOut[]) => targets.map((target) => row.cells.get(target.id)?.mean ?? null);

/** The figures of a map as rows of a CSV file. */
export function csvOf(what: string, rows: readonly HeatRow[], targets: readonly TargetOut[]) {
  return [[what, ...targets.map((one) => one.label), "spread"], ...rows.map((row) => [row.name, ...meansOf(row, targets), row.spread])];
}

/** The most rows in a picture of a map. */
export const MOST_IN_PICTURE = 100;

/** Draw the first rows of a map as a picture. */
export function pictureOf(title: string, rows: readonly HeatRow[], targets: readonly TargetOut[]) {
  return <HeatPicture title={title} columns={targets.map((one) => harmless(one.label))} rows={rows.slice(0, MOST_IN_PICTURE).map((row) => ({ name: harmless(row.name), scores: meansOf(row, targets) }))} />;
}
