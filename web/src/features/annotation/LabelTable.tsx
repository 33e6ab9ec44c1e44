import type { Field, ItemOut, LabelOut } from "@/api/generated/config-api";
import { StateText } from "@/components/Chip";
import { PlainText } from "@/components/PlainText";
import { formatDuration, formatPercent } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { headOf, labelText, titleOf } from "./words";

/** Everybody's labels of an item, with their notes, flags and reasons, and what they come to. */
export function LabelTable({ item, fields }: { item: ItemOut; fields: readonly Field[] }) {
  if (item.labels.length === 0) return <p className="text-ink-2">Nobody has labelled this item yet.</p>;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <ul aria-label="Labels" className="divide-y divide-line rounded-md border border-line">
        {item.labels.map((label) => <li key={label.annotation_id} className="px-3 py-2"><Said label={label} fields={fields} /></li>)}
      </ul>
      {item.consensus.length > 0 && (
        <dl aria-label="Consensus" className="flex flex-col gap-1">
          {item.consensus.map((one) => {
            const field = fields.find(({ name }) => name === one.field);
            return (
              <div key={one.field} className="flex flex-wrap gap-x-2">
                <dt className="text-ink-2">Consensus{fields.length > 1 && field ? `, ${titleOf(field)}` : ""}</dt>
                <dd className="font-medium wrap-anywhere">
                  {one.not_measured_because ? harmless(one.not_measured_because) : one.value == null ? "The votes are tied" : `${labelText(field, one.value)}, ${formatPercent(one.confidence)}`}
                </dd>
              </div>
            );
          })}
        </dl>
      )}
    </div>
  );
}

function Said({ label, fields }: { label: LabelOut; fields: readonly Field[] }) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 text-xs text-ink-2">
        <span className="font-medium wrap-anywhere text-ink">{harmless(label.annotator)}</span>
        <span>{formatDuration(label.time_spent_seconds)}</span>
        {label.surplus && <StateText label="Surplus" tone="neutral" icon="ban" />}
        {!label.counts && !label.surplus && !label.skipped && <StateText label="Does not count" tone="bad" icon="ban" />}
      </p>
      {label.skipped ? (
        <p className="wrap-anywhere text-ink-2">Skipped: {harmless(label.skip_reason ?? "")}</p>
      ) : (
        fields.map((field) =>
          label.labels[field.name] === undefined ? null : (
            <div key={field.name} className="flex flex-wrap gap-x-2">
              {fields.length > 1 && <span className="text-ink-2">{headOf(field)}</span>}
              {field.type === "text" ? <PlainText text={String(label.labels[field.name])} maxLines={8} className="min-w-0" /> : <span className="wrap-anywhere">{labelText(field, label.labels[field.name])}</span>}
            </div>
          ),
        )
      )}
      {label.flagged && <p className="text-xs wrap-anywhere text-warn">Flagged: {harmless(label.flag_reason ?? "")}</p>}
      {label.note && <div className="mt-1 rounded-md bg-sunken px-2 py-1 text-xs"><PlainText text={label.note} maxLines={6} /></div>}
    </>
  );
}
