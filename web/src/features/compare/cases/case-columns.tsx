/** The columns of the list of cases: the case, then one per compared column. */

import type { Cell, ComparedCase, ComparedJudge, Comparison } from "@/api/generated/orchestrator";
import type { GridColumn } from "@/components/DataGrid";
import { Icon } from "@/components/Icon";
import { formatScore } from "@/lib/format";
import { excerpt, harmless } from "@/lib/plain-text";
import { writeOne } from "@/lib/url-state";
import { columnName } from "../column-name";
import { formatDelta } from "../words";

export function caseColumns(comparison: Comparison, search: URLSearchParams): GridColumn<ComparedCase>[] {
  return [
    { id: "task", header: "Task", width: 124, grow: 1, render: (row) => <CaseLink row={row} href={`?${writeOne(search, "case", row.task_id)}`} /> },
    ...comparison.columns.map((column, at): GridColumn<ComparedCase> => ({
      id: `column-${at}`,
      header: columnName(column, at),
      title: harmless(`${column.label}, ${column.run_name}`),
      width: 96,
      grow: 0.6,
      align: "right",
      render: (row) => <CellView cell={row.cells[at] ?? null} judge={column.judge} />,
    })),
    { id: "category", header: "Category", width: 120, grow: 0.6, render: (row) => <span className="text-ink-2">{harmless(row.category)}</span> },
    { id: "question", header: "Question", width: 220, grow: 2, render: (row) => <Question row={row} /> },
  ];
}

function CaseLink({ row, href }: { row: ComparedCase; href: string }) {
  return (
    <a href={href} className="font-medium outline-offset-[-2px] after:absolute after:inset-0 hover:text-accent">
      {harmless(row.task_id)}
    </a>
  );
}

function Question({ row }: { row: ComparedCase }) {
  return (
    <span className="text-ink-2">
      {row.questions_differ && (
        <span className="mr-1.5 inline-flex items-center gap-1 text-warn">
          <Icon name="alert" className="size-3.5" />
          Not the same:
        </span>
      )}
      {row.reference_changed && <span className="mr-1.5 text-warn">Reference changed:</span>}
      {harmless(excerpt(row.question, 200, 1).text)}
    </span>
  );
}

function CellView({ cell, judge }: { cell: Cell | null; judge: ComparedJudge | null }) {
  if (!cell) return <span className="text-ink-3">not asked</span>;
  if (cell.status === "FAILED" && cell.score === null) return <span className="text-bad">failed</span>;
  if (cell.score === null) return <span className="text-ink-3">not scored</span>;
  return (
    <span className="inline-flex items-baseline justify-end gap-2">
      {cell.difference !== null && judge && <Delta difference={cell.difference} judge={judge} />}
      <span className="min-w-6 font-medium">{formatScore(cell.score)}</span>
    </span>
  );
}

/** A difference on the judge's own scale; its sign repeats what the colour shows. */
export function Delta({ difference, judge }: { difference: number; judge: ComparedJudge }) {
  if (difference === 0) return <span className="text-xs text-ink-3">=</span>;
  return <span className={`text-xs font-semibold ${difference > 0 ? "text-good" : "text-bad"}`}>{formatDelta(difference, judge)}</span>;
}
