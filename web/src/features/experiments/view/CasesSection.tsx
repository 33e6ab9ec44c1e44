import { Link } from "react-router";
import { skipToken } from "@reduxjs/toolkit/query/react";
import { useListExperimentCasesQuery } from "@/api/experiments";
import type { ExperimentCase, ExperimentOut } from "@/api/generated/orchestrator";
import { useGetItemQuery } from "@/api/results";
import { SelectField } from "@/components/Field";
import { Skeleton } from "@/components/Message";
import { Pager } from "@/components/Pager";
import { PlainText } from "@/components/PlainText";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { plural } from "@/lib/format";
import { usePagedView } from "@/lib/paged-view";
import { harmless } from "@/lib/plain-text";
import { referencesOf } from "@/lib/references";
import { formatDifference, formatValue, isRelative, metricName } from "../experiment-words";

const PER_PAGE = 5;
const ORDERS = [
  { value: "size", label: "Largest difference first" },
  { value: "difference", label: "Worst for the variant first" },
  { value: "-difference", label: "Best for the variant first" },
  { value: "position", label: "In the order of the experiment" },
] as const;
type Order = (typeof ORDERS)[number]["value"];

/** The cases whose values differ most, with both answers. */
export function CasesSection({ experiment }: { experiment: ExperimentOut }) {
  const view = usePagedView();
  const control = experiment.variants.find((one) => one.is_control);
  const treatments = experiment.variants.filter((one) => !one.is_control);
  const variant = treatments.find((one) => one.variant_id === view.text("variant")) ?? treatments[0];
  const order: Order = ORDERS.find((one) => one.value === view.text("cases"))?.value ?? "size";
  const query = useListExperimentCasesQuery({ experimentId: experiment.experiment_id, ...(variant && { variantId: variant.variant_id }), order, limit: PER_PAGE, offset: (view.page - 1) * PER_PAGE });
  if (!control || !variant) return null;
  // The largest difference comes first, so the first page tells whether any case differs.
  const noneDiffers = order === "size" && view.page === 1 && query.data?.cases.every((one) => one.difference === 0);
  return (
    <Section
      title="Cases that differ most"
      aside={
        <div className="flex flex-wrap gap-2">
          {treatments.length > 1 && <SelectField label={<span className="sr-only">Variant</span>} options={treatments.map((one) => ({ value: one.variant_id, label: harmless(one.name) }))} value={variant.variant_id} onChange={(id) => view.filter("variant", id)} />}
          <SelectField label={<span className="sr-only">Order of the cases</span>} options={ORDERS} value={order} onChange={(next) => view.filter("cases", next === "size" ? "" : next)} />
        </div>
      }
    >
      {query.data ? (
        query.data.cases.length === 0 ? (
          <p className="px-4 py-6 text-ink-2">No case was answered by both variants yet.</p>
        ) : noneDiffers ? (
          <p className="px-4 py-6 text-ink-2">No case differs: both variants have the same value in every case that is compared. Another order lists them.</p>
        ) : (
          <>
            {query.isError && <ProblemNote error={query.error} />}
            <p className="border-b border-line px-4 py-2 text-xs text-ink-2">{plural(query.data.total, "case")} answered by both. {harmless(control.name)} first, then {harmless(variant.name)}.</p>
            <ol aria-label="Cases" className="divide-y divide-line">
              {query.data.cases.map((one) => <Case key={one.case} one={one} metric={experiment.primary_metric} control={control.name} variant={variant.name} />)}
            </ol>
            <Pager label="Pages of cases" page={view.page} perPage={PER_PAGE} total={query.data.total} onPage={view.toPage} />
          </>
        )
      ) : query.isError ? (
        <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div className="p-4"><Skeleton className="h-40" /></div>
      )}
    </Section>
  );
}

interface CaseProps {
  one: ExperimentCase;
  metric: string;
  control: string;
  variant: string;
}

function Case({ one, metric, control, variant }: CaseProps) {
  const { currentData: item } = useGetItemQuery(one.run_id && one.baseline_item_id ? { runId: one.run_id, itemId: one.baseline_item_id } : skipToken);
  // A difference of latency or cost is in its own unit here, not a share.
  const difference = one.difference === null ? null : isRelative(metric) ? `${one.difference > 0 ? "+" : one.difference < 0 ? "−" : ""}${formatValue(metric, Math.abs(one.difference))}` : formatDifference(one.difference, false);
  return (
    <li aria-label={`Case ${harmless(one.case)}`} className="flex flex-col gap-2.5 px-4 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="text-sm font-semibold wrap-anywhere">{harmless(one.case)}</h3>
        {difference !== null && <p className={`text-xs font-medium whitespace-nowrap ${one.difference === 0 ? "text-ink-2" : "text-ink"}`}>{harmless(metricName(metric))}: {difference}</p>}
      </div>
      {item && <PlainText text={item.case.question} maxLines={6} className="text-ink-2" />}
      {item && referencesOf(item.case).slice(0, 1).map(([name, text]) => (
        <div key={name} className="text-xs text-ink-2"><span className="text-ink-3">{name}: </span><PlainText text={text} maxLines={3} className="inline-block" /></div>
      ))}
      <div className="grid gap-3 md:grid-cols-2">
        <Answer name={control} runId={one.run_id} itemId={one.baseline_item_id} value={formatValue(metric, one.baseline_value)} />
        <Answer name={variant} runId={one.run_id} itemId={one.item_id} value={formatValue(metric, one.value)} />
      </div>
    </li>
  );
}

function Answer({ name, runId, itemId, value }: { name: string; runId: string | null; itemId: string | null; value: string }) {
  const { currentData: item, isError } = useGetItemQuery(runId && itemId ? { runId, itemId } : skipToken);
  return (
    <article aria-label={harmless(name)} className="flex min-w-0 flex-col gap-1.5 rounded-md border border-line bg-sunken px-3 py-2">
      <header className="flex items-baseline justify-between gap-2 text-xs">
        <h4 className="min-w-0 truncate font-medium text-ink-2" title={harmless(name)}>{harmless(name)}</h4>
        <span className="flex items-baseline gap-3 whitespace-nowrap">
          <span className="font-semibold">{value}</span>
          {runId && itemId && <Link to={`/runs/${runId}?item=${itemId}`} className="font-medium text-accent hover:underline" aria-label={`Open the answer of ${harmless(name)}`}>Open</Link>}
        </span>
      </header>
      {item ? (
        item.answer ? <PlainText text={item.answer} maxLines={12} /> : <p className="text-ink-2">{item.failure ? harmless(item.failure.message) : "The answer is empty."}</p>
      ) : isError || !runId || !itemId ? (
        <p className="text-ink-2">The answer is no longer stored.</p>
      ) : (
        <Skeleton className="h-12" />
      )}
    </article>
  );
}
