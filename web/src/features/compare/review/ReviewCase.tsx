import { lazy, Suspense } from "react";
import { Link, useSearchParams } from "react-router";
import type { Cell, ComparedCase, Comparison } from "@/api/generated/orchestrator";
import { DiffView } from "@/components/DiffView";
import { Icon } from "@/components/Icon";
import { PlainText } from "@/components/PlainText";
import { formatScore } from "@/lib/format";
import { excerpt, harmless } from "@/lib/plain-text";
import { opening, writeOne } from "@/lib/url-state";
import { loadCode } from "@/live/reach";
import { columnName } from "../column-name";
import { Delta } from "../cases/case-columns";
import { Letter } from "../columns/Letter";
import { isOfOneRun, passWords } from "../words";

const ReviewNotes = lazy(() => loadCode(async () => ({ default: (await import("./ReviewNotes")).ReviewNotes })));

interface Props {
  comparison: Comparison;
  one: ComparedCase;
  at: number;
  open: boolean;
  onToggle: () => void;
}

/** One case: its question, the score before and after, and both answers; open, with what changed between them. */
export function ReviewCase({ comparison, one, at, open, onToggle }: Props) {
  const [search] = useSearchParams();
  const [before, after] = [one.cells[comparison.baseline] ?? null, one.cells[at] ?? null];
  return (
    <article aria-label={`Case ${harmless(one.task_id)}`} className="flex flex-col gap-2 px-4 py-3 [contain-intrinsic-size:auto_7rem] [content-visibility:auto] focus-within:bg-hover">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <div className="min-w-0 flex-1 basis-64">
          <h4>
            <Link
              to={`?${writeOne(search, "case", one.task_id)}`}
              state={opening("case")}
              preventScrollReset
              data-review-case={one.task_id}
              className="font-medium wrap-anywhere outline-offset-2 hover:text-accent"
            >
              {harmless(excerpt(one.question, 240, 2).text) || harmless(one.task_id)}
            </Link>
          </h4>
          <p className="mt-0.5 truncate text-xs text-ink-3">
            {harmless(one.task_id)} · {harmless(one.category)}
            {one.questions_differ && <span className="ml-2 inline-flex items-center gap-1 text-warn"><Icon name="alert" className="size-3.5" />The columns asked different questions.</span>}
            {one.reference_changed && <span className="ml-2 inline-flex items-center gap-1 text-warn"><Icon name="alert" className="size-3.5" />Reference changed</span>}
          </p>
        </div>
        <div className="flex items-center gap-3">
          <Change comparison={comparison} before={before} after={after} at={at} />
          <button type="button" aria-expanded={open} aria-label={`Changes in ${harmless(one.task_id)}`} title="What changed (d)" onClick={onToggle} className="inline-flex h-7 items-center gap-1 rounded-md border border-line-strong bg-surface px-2 text-xs font-medium hover:bg-hover">
            Changes
            <Icon name={open ? "up" : "down"} className="size-3.5" />
          </button>
        </div>
      </div>
      <div className="grid gap-x-4 gap-y-2 md:grid-cols-2">
        <Side comparison={comparison} cell={before} at={comparison.baseline} open={open} against={null} />
        <Side comparison={comparison} cell={after} at={at} open={open} against={open ? (before?.answer ?? null) : null} />
      </div>
    </article>
  );
}

/** The score before and after; in words where there is none. */
function Change({ comparison, before, after, at }: { comparison: Comparison; before: Cell | null; after: Cell | null; at: number }) {
  const judge = comparison.columns[at]?.judge;
  const words = passWords(comparison, at, "passes");
  return (
    <p className="flex items-baseline gap-1.5 whitespace-nowrap">
      <span className="text-ink-2">{scoreText(before)}</span>
      <span aria-hidden="true" className="text-ink-3">→</span>
      <span className="sr-only">{isOfOneRun(comparison, at) ? " against " : " became "}</span>
      <span className="font-semibold">{scoreText(after)}</span>
      {after?.difference != null && judge && <Delta difference={after.difference} judge={judge} />}
      {before && after && before.passed !== after.passed && after.passed !== null && before.passed !== null && (
        <span className={`text-xs font-medium ${after.passed ? "text-good" : "text-bad"}`}>{after.passed ? words.gained : words.lost}</span>
      )}
    </p>
  );
}

function scoreText(cell: Cell | null): string {
  if (!cell) return "not asked";
  if (cell.status === "FAILED" && cell.score === null) return "failed";
  return cell.score === null ? "not scored" : formatScore(cell.score);
}

function Side({ comparison, cell, at, open, against }: { comparison: Comparison; cell: Cell | null; at: number; open: boolean; against: string | null }) {
  const column = comparison.columns[at];
  return (
    <div role="group" aria-label={`Answer of ${columnName(column, at)}`} className="flex min-w-0 gap-2">
      <Letter at={at} />
      <div className="min-w-0 flex-1">
        <Answer cell={cell} open={open} against={against} />
        {open && cell && column && <Suspense><ReviewNotes column={column} itemId={cell.item_id} /></Suspense>}
        {open && cell && column && (
          <p className="mt-1 text-xs text-ink-3">
            {cell.truncated && "Shortened: the case has it in full. "}
            <Link to={`/runs/${column.run_id}/items?item=${cell.item_id}`} className="font-medium text-accent hover:underline">Open item</Link>
          </p>
        )}
      </div>
    </div>
  );
}

function Answer({ cell, open, against }: { cell: Cell | null; open: boolean; against: string | null }) {
  if (!cell) return <p className="text-ink-3">This column does not have the case.</p>;
  if (cell.answer === null) return <p className="text-ink-2 wrap-anywhere">{cell.failure ? harmless(`${cell.failure.kind.replaceAll("_", " ")}: ${cell.failure.message}`) : "No answer yet."}</p>;
  if (cell.answer === "") return <p className="text-ink-3">An empty answer.</p>;
  if (!open) return <p className="line-clamp-2 text-ink-2 wrap-anywhere">{harmless(excerpt(cell.answer, 240, 2).text)}</p>;
  const box = "rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs leading-5";
  return against === null ? <PlainText text={cell.answer} className={box} /> : <DiffView before={against} after={cell.answer} className={box} />;
}
