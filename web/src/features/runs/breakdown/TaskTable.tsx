import { useEffect, useMemo, useState } from "react";
import { useNavigate } from "react-router";
import type { RunDetail, TaskResult } from "@/api/generated/orchestrator";
import { useGetRunQuery } from "@/api/runs";
import { DataGrid, type GridColumn, type Sorting } from "@/components/DataGrid";
import { ErrorMessage } from "@/components/Problem";
import { formatCount, formatInterval, formatLatency, formatPart, formatPercent, formatUsd } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useItemsHref } from "../results/item-filter";
import { isOver } from "../run-words";
import { useKeyed } from "@/live/use-keyed";

const POLL_MS = 5000;

const TASK = { id: "task", header: "Task", width: 140, grow: 2, sort: "task_id" } as const;
const FIGURES: readonly GridColumn<TaskResult>[] = [
  { id: "score", header: "Mean score", width: 112, align: "right", sort: "mean_score", render: (row) => <span className="font-medium">{formatPercent(row.mean_score)}</span> },
  { id: "interval", header: "95% interval", width: 120, align: "right", render: (row) => <span className="text-ink-3">{formatInterval(row.mean_score_interval)}</span> },
  { id: "category", header: "Category", width: 120, grow: 1, sort: "category", render: (row) => <bdi className="text-ink-2">{harmless(row.category)}</bdi> },
  { id: "pass", header: "Pass rate", width: 90, align: "right", sort: "pass_rate", render: (row) => formatPercent(row.pass_rate) },
  { id: "scored", header: "Scored", width: 90, align: "right", sort: "scored", render: (row) => formatPart(row.scored, row.items) },
  { id: "failed", header: "Failed", width: 72, align: "right", sort: "failed", render: (row) => <span className={row.failed > 0 ? "text-bad" : "text-ink-2"}>{formatCount(row.failed)}</span> },
  { id: "time", header: "Mean time", width: 92, align: "right", sort: "mean_time_ms", render: (row) => formatLatency(row.mean_time_ms) },
  { id: "cost", header: "Cost", width: 84, align: "right", sort: "cost_usd", render: (row) => formatUsd(row.cost_usd) },
];

function TaskLink({ row, href }: { row: TaskResult; href: string }) {
  return (
    <a href={href} className="font-medium outline-offset-[-2px] hover:text-accent hover:underline">
      {harmless(row.task_id)}
    </a>
  );
}

const keyOf = (row: TaskResult) => `${row.category} ${row.task_id}`;
const NONE: readonly TaskResult[] = [];

/** The results by task. They are fetched when shown: the server reads every item to compute them. */
export function TaskTable({ run }: { run: RunDetail }) {
  const over = isOver(run.status);
  const { data, error, isError, refetch } = useGetRunQuery({ runId: run.id, include: ["tasks"] }, { pollingInterval: over ? 0 : POLL_MS, refetchOnMountOrArgChange: true });
  // The end of the run changes the figures once more.
  useEffect(() => {
    if (over) void refetch();
  }, [over, refetch]);
  const [sorting, setSorting] = useState<Sorting>({ key: "mean_score", order: "asc" });
  const tasks = data?.tasks ?? NONE;
  const sorted = useMemo(() => tasks.toSorted(by(sorting)), [tasks, sorting]);
  const { ids, rows } = useKeyed(sorted, keyOf);
  const itemsHref = useItemsHref();
  const columns = useMemo(() => [{ ...TASK, render: (row: TaskResult) => <TaskLink row={row} href={itemsHref({ task_id: row.task_id })} /> }, ...FIGURES], [itemsHref]);
  const navigate = useNavigate();
  if (!data) return isError ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : <p className="px-4 py-8 text-center text-ink-2">Loading…</p>;
  return (
    <DataGrid
      label="Results by task"
      columns={columns}
      ids={ids}
      rows={rows}
      selected={null}
      onFollow={(href) => void navigate(href)}
      sorting={sorting}
      onSort={(key) => setSorting((now) => ({ key, order: now.key === key && now.order === "asc" ? "desc" : "asc" }))}
    />
  );
}

/** Return a comparator that puts missing values last in both directions. */
function by({ key, order }: Sorting): (a: TaskResult, b: TaskResult) => number {
  const sign = order === "asc" ? 1 : -1;
  const valueOf = (one: TaskResult) => Reflect.get(one, key) as string | number | null;
  return (a, b) => {
    const [left, right] = [valueOf(a), valueOf(b)];
    if (left === null || right === null) return (left === null ? 1 : 0) - (right === null ? 1 : 0);
    return sign * (typeof left === "string" ? left.localeCompare(String(right)) : left - Number(right));
  };
}
