import { useMemo } from "react";
import { useNavigate } from "react-router";
import type { RunDetail, TargetOut } from "@/api/generated/orchestrator";
import { ChartFrame } from "@/components/charts/ChartFrame";
import { HeatLegend } from "@/components/charts/HeatLegend";
import { DataGrid, type GridColumn } from "@/components/DataGrid";
import { formatFixed } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { useItemsHref, type ChosenItems } from "../results/item-filter";
import { cellLook, csvOf, MOST_IN_PICTURE, pictureOf } from "./HeatCells";
import { heatRows, type HeatRow } from "./heat";
import { useKeyed } from "@/live/use-keyed";

const keyOf = (row: HeatRow) => row.name;

/** Updates from the live rows once a second. */
export function HeatMap({ run, store }: { run: RunDetail; store: RunStore }) {
  const index = useValue(store.items.index);
  const tasks = useMemo(() => heatRows(index.ids.flatMap((id) => store.items.rows.get(id) ?? []), "task_id"), [index, store]);
  const { ids, rows } = useKeyed(tasks, keyOf);
  const itemsHref = useItemsHref();
  const columns = useMemo(() => columnsOf(run.targets, itemsHref), [run.targets, itemsHref]);
  const navigate = useNavigate();
  if (ids.length === 0) return <p className="px-4 py-8 text-center text-ink-2">Results appear with the first answers.</p>;
  return (
    <ChartFrame
      className="pt-3 [&>div:first-child]:px-4"
      name="task-by-model"
      caption={`Mean score per task and target; tasks on which the targets disagree most come first. Each cell opens its items.${tasks.length > MOST_IN_PICTURE ? ` A picture has the first ${MOST_IN_PICTURE} tasks.` : ""}`}
      rows={() => csvOf("task", tasks, run.targets)}
      picture={pictureOf("Mean score by task and model", tasks, run.targets)}
    >
      <div className="px-4 pb-2"><HeatLegend /></div>
      <DataGrid label="Task by model" columns={columns} ids={ids} rows={rows} selected={null} onFollow={(href) => void navigate(href)} />
    </ChartFrame>
  );
}

function columnsOf(targets: readonly TargetOut[], itemsHref: (chosen: ChosenItems) => string): GridColumn<HeatRow>[] {
  return [
    {
      id: "task",
      header: "Task",
      width: 140,
      grow: 1,
      render: (row) => <bdi className="font-medium" title={row.category}>{harmless(row.name)}</bdi>,
    },
    ...targets.map((target): GridColumn<HeatRow> => ({
      id: target.id,
      header: harmless(target.label),
      title: harmless(target.label),
      width: 96,
      grow: 1,
      render: (row) => {
        const look = cellLook(row, target);
        return look && <a href={itemsHref({ task_id: row.name, target_id: target.id })} title={look.title} className={look.className}>{look.content}</a>;
      },
    })),
    { id: "spread", header: "Spread", title: "The highest mean minus the lowest, in points", width: 80, align: "right", render: (row) => formatFixed(row.spread === null ? null : row.spread * 100, 1) },
  ];
}
