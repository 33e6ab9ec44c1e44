import { skipToken } from "@reduxjs/toolkit/query/react";
import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { Cell, ComparedCase, ComparedColumn, Comparison, ItemDetail } from "@/api/generated/orchestrator";
import { useGetItemQuery } from "@/api/results";
import { Chip, type ChipLook } from "@/components/Chip";
import { DiffView } from "@/components/DiffView";
import { CheckField } from "@/components/Field";
import { Skeleton } from "@/components/Message";
import { PlainText } from "@/components/PlainText";
import { ErrorMessage } from "@/components/Problem";
import { formatLatency, formatScore, formatUsd } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { columnName } from "../column-name";
import { Letter } from "../columns/Letter";
import { reasonsOf } from "../words";
import { Delta } from "./case-columns";

const BOX = "rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs leading-5";

/** The answers side by side, each with its changes from the baseline's. */
export function AnswerColumns({ comparison, one }: { comparison: Comparison; one: ComparedCase }) {
  const [marked, setMarked] = useState(true);
  const base = one.cells[comparison.baseline] ?? null;
  const baseColumn = comparison.columns[comparison.baseline];
  const { currentData: baseItem } = useGetItemQuery(base && baseColumn ? { runId: baseColumn.run_id, itemId: base.item_id } : skipToken);
  return (
    <section aria-label="Answers" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="text-sm font-semibold">Answers</h3>
        <CheckField label="Mark what changed from the baseline" checked={marked} onChange={setMarked} />
      </div>
      <div className="grid gap-4 md:grid-cols-[repeat(auto-fit,minmax(18rem,1fr))]">
        {comparison.columns.map((column, at) => (
          <AnswerColumn
            key={`${column.run_id}:${column.target_id}`}
            column={column}
            at={at}
            cell={one.cells[at] ?? null}
            before={marked && at !== comparison.baseline ? (baseItem?.answer ?? null) : null}
            isBaseline={at === comparison.baseline}
          />
        ))}
      </div>
    </section>
  );
}

interface ColumnProps {
  column: ComparedColumn;
  at: number;
  cell: Cell | null;
  /** The baseline's answer, where changes are marked. */
  before: string | null;
  isBaseline: boolean;
}

function AnswerColumn({ column, at, cell, before, isBaseline }: ColumnProps) {
  const { currentData: item, error, isError, refetch } = useGetItemQuery(cell ? { runId: column.run_id, itemId: cell.item_id } : skipToken);
  return (
    <article aria-label={columnName(column, at)} className="flex min-w-0 flex-col gap-2.5">
      <header className="flex items-center gap-2 border-b border-line pb-2">
        <Letter at={at} />
        <h4 className="min-w-0 flex-1 truncate font-medium" title={harmless(column.label)}>{harmless(column.label)}</h4>
        {cell && (
          <Link to={`/runs/${column.run_id}/items?item=${cell.item_id}`} className="text-xs font-medium whitespace-nowrap text-accent hover:underline" aria-label={`Open item of ${columnName(column, at)}`}>
            Open item
          </Link>
        )}
      </header>
      {cell ? (
        <>
          <Facts cell={cell} column={column} isBaseline={isBaseline} />
          {item ? <Answer item={item} cell={cell} before={before} /> : isError ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : <Skeleton className="h-32" />}
          {item && <Reasons item={item} column={column} />}
        </>
      ) : (
        <p className="text-ink-2">This column does not have the case.</p>
      )}
    </article>
  );
}

function verdict(cell: Cell): ChipLook | null {
  if (cell.status === "FAILED" && cell.score === null) return { label: "Failed", tone: "bad", icon: "cross" };
  if (cell.passed === null) return null;
  return cell.passed ? { label: "Passed", tone: "good", icon: "check" } : { label: "Not passed", tone: "bad", icon: "cross" };
}

function Facts({ cell, column, isBaseline }: { cell: Cell; column: ComparedColumn; isBaseline: boolean }) {
  const look = verdict(cell);
  const facts = [formatLatency(cell.time_ms), cell.cost_usd !== null && formatUsd(cell.cost_usd), cell.epochs > 1 && `mean of ${cell.scored} of ${cell.epochs} epochs, answer of the first`].filter(Boolean);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {cell.score !== null && column.judge && (
        <p className="flex items-baseline gap-1">
          <span className="text-lg leading-6 font-semibold">{formatScore(cell.score)}</span>
          <span className="text-xs text-ink-2">of {formatScore(column.judge.scale_max)}</span>
        </p>
      )}
      {cell.difference !== null && column.judge && <Delta difference={cell.difference} judge={column.judge} />}
      {look && <Chip {...look} />}
      <p className="text-xs text-ink-3">{[isBaseline && "baseline", ...facts].filter(Boolean).join(" · ")}</p>
    </div>
  );
}

function Answer({ item, cell, before }: { item: ItemDetail; cell: Cell; before: string | null }) {
  if (item.answer === null) {
    return <Quiet>{cell.failure ? `${harmless(cell.failure.kind.replaceAll("_", " "))}: ${harmless(cell.failure.message)}` : "No answer yet."}</Quiet>;
  }
  if (item.answer === "") return <Quiet>The model answered with an empty text.</Quiet>;
  return before === null ? <PlainText text={item.answer} className={BOX} /> : <DiffView before={before} after={item.answer} className={BOX} />;
}

function Quiet({ children }: { children: ReactNode }) {
  return <p className="text-ink-2 wrap-anywhere">{children}</p>;
}

/** The reasons or errors of the compared scores. */
function Reasons({ item, column }: { item: ItemDetail; column: ComparedColumn }) {
  return reasonsOf(item, column).map((one) => (
    <div key={one.id}>
      <p className="text-xs text-ink-3">{harmless(one.name)}</p>
      <PlainText text={one.text} maxLines={12} />
    </div>
  ));
}
