import { useMemo } from "react";
import { useNavigate } from "react-router";
import type { RunDetail, TargetOut } from "@/api/generated/orchestrator";
import { DataGrid, type GridColumn } from "@/components/DataGrid";
import { formatPercent, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { useItemsHref, type ChosenItems } from "../results/item-filter";
import { heatRows, type HeatRow } from "./heat";
import { useKeyed } from "@/live/use-keyed";

const keyOf = (row: HeatRow) => row.taskId;

/** Return one hue from pale to strong. It is readable in both themes, and the figure is always shown too. */
const shade = (mean: number) => `color-mix(in srgb, var(--info-fill) ${Math.round(4 + mean * 52)}%, transparent)`;

/** Updates from the live rows once a second. */
export function HeatMap({ run, store }: { run: RunDetail; store: RunStore }) {
  const index = useValue(store.items.index);
  const tasks = useMemo(() => heatRows(index.ids.flatMap((id) => store.items.rows.get(id) ?? [])), [index, store]);
  const { ids, rows } = useKeyed(tasks, keyOf);
  const itemsHref = useItemsHref();
  const columns = useMemo(() => columnsOf(run.targets, itemsHref), [run.targets, itemsHref]);
  const navigate = useNavigate();
  if (ids.length === 0) return <p className="px-4 py-8 text-center text-ink-2">Results appear with the first answers.</p>;
  return (
    <>
      <p className="border-b border-line px-4 py-2 text-xs text-ink-2">Mean score per task and target, hardest tasks first. Each cell links to its items.</p>
      <DataGrid label="Task by model" columns={columns} ids={ids} rows={rows} selected={null} onFollow={(href) => void navigate(href)} />
    </>
  );
}

function columnsOf(targets: readonly TargetOut[], itemsHref: (chosen: ChosenItems) => string): GridColumn<HeatRow>[] {
  return [
    {
      id: "task",
      header: "Task",
      width: 140,
      grow: 1,
      render: (row) => <bdi className="font-medium" title={row.category}>{harmless(row.taskId)}</bdi>,
    },
    ...targets.map((target): GridColumn<HeatRow> => ({
      id: target.id,
      header: harmless(target.label),
      title: harmless(target.label),
      width: 96,
      grow: 1,
      render: (row) => <Cell row={row} target={target} href={itemsHref({ task_id: row.taskId, target_id: target.id })} />,
    })),
  ];
}

function Cell({ row, target, href }: { row: HeatRow; target: TargetOut; href: string }) {
  const cell = row.cells.get(target.id);
  if (!cell) return null;
  const failed = cell.failed > 0 ? `, ${cell.failed} failed` : "";
  const text = cell.mean !== null ? formatPercent(cell.mean) : cell.failed > 0 ? "failed" : "–";
  return (
    <a
      href={href}
      title={`${harmless(row.taskId)} · ${harmless(target.label)}: ${cell.mean === null ? "no score" : formatPercent(cell.mean)} over ${plural(cell.items, "item")}${failed}`}
      className={`block rounded px-2 py-1 outline-offset-[-2px] hover:ring-1 hover:ring-accent ${cell.mean === null && cell.failed > 0 ? "bg-bad-soft text-bad" : ""}`}
      style={cell.mean === null ? undefined : { background: shade(cell.mean) }}
    >
      {text}
      {cell.mean !== null && cell.failed > 0 && <span className="text-xs"> · {cell.failed} failed</span>}
    </a>
  );
}
