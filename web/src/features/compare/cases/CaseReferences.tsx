import { skipToken } from "@reduxjs/toolkit/query/react";
import { Fragment } from "react";
import type { ComparedCase, Comparison } from "@/api/generated/orchestrator";
import { useGetItemQuery } from "@/api/results";
import { Icon } from "@/components/Icon";
import { PlainText } from "@/components/PlainText";
import { harmless } from "@/lib/plain-text";
import { referencesOf } from "@/lib/references";
import { columnName } from "../column-name";

interface Props {
  comparison: Comparison;
  one: ComparedCase;
}

/** The references of a case: the baseline's, or those of every column if they differ. */
export default function CaseReferences({ comparison, one }: Props) {
  const having = one.cells.flatMap((cell, at) => (cell ? [at] : []));
  const first = having.includes(comparison.baseline) ? comparison.baseline : having[0];
  const shown = one.reference_changed ? having : having.filter((at) => at === first);
  return (
    <>
      {one.reference_changed && (
        <p className="flex items-start gap-2 rounded-md bg-warn-soft px-3 py-2 text-warn">
          <Icon name="alert" className="mt-0.5" />
          The reference was changed between the columns, so a difference of their scores may come from it.
        </p>
      )}
      {shown.map((at) => <References key={at} comparison={comparison} one={one} at={at} isNamed={one.reference_changed} />)}
    </>
  );
}

function References({ comparison, one, at, isNamed }: Props & { at: number; isNamed: boolean }) {
  const [cell, column] = [one.cells[at], comparison.columns[at]];
  const { currentData: item } = useGetItemQuery(cell && column ? { runId: column.run_id, itemId: cell.item_id } : skipToken);
  const given = item ? referencesOf(item.case) : [];
  const checks = isNamed && item?.case.checks?.length ? JSON.stringify(item.case.checks, null, 1) : null;
  if (!isNamed && given.length === 0) return null;
  const title = isNamed ? `References of ${harmless(column?.run_name ?? "")}, ${columnName(column, at)}` : "References";
  return (
    <section aria-label={title}>
      <h3 className="mb-1.5 text-sm font-semibold wrap-anywhere">{title}</h3>
      <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[5.5rem_minmax(0,1fr)]">
        {[...given, ...(checks ? [["Checks", checks] as const] : [])].map(([name, text]) => (
          <Fragment key={name}>
            <dt className="text-xs leading-5 text-ink-3">{name}</dt>
            <dd className="min-w-0"><PlainText text={text} maxLines={6} /></dd>
          </Fragment>
        ))}
      </dl>
      {isNamed && item && given.length === 0 && checks === null && <p className="text-ink-3">None</p>}
    </section>
  );
}
