import { useContext, useEffect, type ReactNode } from "react";
import type { EvaluatorOut, ItemExcerpt, ItemRow } from "@/api/generated/orchestrator";
import type { GridColumn } from "@/components/DataGrid";
import { formatScore } from "@/lib/format";
import { judgedBy } from "@/lib/judged-by";
import { harmless } from "@/lib/plain-text";
import { useEntry } from "@/live/hooks";
import { ExcerptsContext, type Excerpts } from "./excerpts";
import { scoreKey } from "./item-filter";

/** The columns whose contents are not in the rows. */
export function excerptColumns(evaluators: readonly EvaluatorOut[]): GridColumn<ItemRow>[] {
  return [
    text("question", "Question", "The beginning of the question", (one) => one.question),
    text("answer", "Answer", "The first line of the answer", (one) => one.answer),
    text("expected", "Expected", "The beginning of the expected answer", (one) => one.expected),
    text("tags", "Tags", "The tags of the case", (one) => one.tags.join(", ")),
    ...evaluators.flatMap((one) => ofEvaluator(one, evaluators)),
  ];
}

function text(id: string, header: string, title: string, of: (excerpt: ItemExcerpt) => string | null): GridColumn<ItemRow> {
  return { id, header, title, width: id === "tags" ? 120 : 200, grow: id === "answer" ? 3 : 2, render: (row) => <Cell row={row}>{(one) => <bdi className="text-ink-2">{harmless(of(one) ?? "")}</bdi>}</Cell> };
}

/** Return the name of an evaluator's columns. Another judge of the same evaluator gets a number. */
function nameOf(one: EvaluatorOut, all: readonly EvaluatorOut[]): string {
  const alike = all.filter((other) => other.name === one.name);
  return alike.length === 1 ? one.name : `${one.name} ${alike.indexOf(one) + 1}`;
}

function ofEvaluator(one: EvaluatorOut, all: readonly EvaluatorOut[]): GridColumn<ItemRow>[] {
  const name = nameOf(one, all);
  const by = one.judge_model || one.corrects ? `, judged by ${judgedBy(one, all)}` : "";
  const scoreOf = (excerpt: ItemExcerpt) => excerpt.scores.find((score) => score.evaluator_revision_id === one.revision_id);
  return [
    {
      id: `score.${name}`, header: harmless(name), title: `Score of ${harmless(name)}${by}, from ${one.scale_min} to ${one.scale_max}`, width: 90, align: "right", sort: scoreKey(one.revision_id),
      render: (row) => (
        <Cell row={row}>
          {(excerpt) => {
            const score = scoreOf(excerpt);
            if (!score) return null;
            if (score.raw === null) return <span className="text-xs text-warn">{score.outcome ?? ""}</span>;
            return <span className={score.passed === null ? "" : score.passed ? "text-good" : "text-bad"}>{formatScore(score.raw)}</span>;
          }}
        </Cell>
      ),
    },
    {
      id: `extracted.${name}`, header: `${harmless(name)} read`, title: `What ${harmless(name)} extracted from the answer`, width: 120,
      render: (row) => <Cell row={row}>{(excerpt) => <bdi className="text-ink-2">{harmless(scoreOf(excerpt)?.extracted ?? "")}</bdi>}</Cell>,
    },
  ];
}

function Cell({ row, children }: { row: ItemRow; children: (excerpt: ItemExcerpt) => ReactNode }) {
  const excerpts = useContext(ExcerptsContext);
  return excerpts && <Known excerpts={excerpts} row={row}>{children}</Known>;
}

function Known({ excerpts, row, children }: { excerpts: Excerpts; row: ItemRow; children: (excerpt: ItemExcerpt) => ReactNode }) {
  const { id, status } = row;
  const excerpt = useEntry(excerpts.rows, id);
  useEffect(() => excerpts.want(id, status), [excerpts, id, status]);
  return excerpt === undefined ? null : children(excerpt);
}
