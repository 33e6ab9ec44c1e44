import { useEffect, useEffectEvent, useMemo } from "react";
import { Link, useSearchParams } from "react-router";
import type { ItemDetail, RunDetail } from "@/api/generated/orchestrator";
import { useListItemsQuery } from "@/api/results";
import { IconButton } from "@/components/Button";
import { CopyButton } from "@/components/CopyButton";
import { Markdown } from "@/components/Markdown";
import { Message, Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { Segments } from "@/components/Segments";
import { SelectField } from "@/components/Field";
import { formatCount } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { referencesOf } from "@/lib/references";
import { useShortcuts } from "@/lib/shortcuts";
import { writeOne } from "@/lib/url-state";
import { useEntry } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { AGAINST_REFERENCE, againstOne } from "../item/against";
import { CaseGiven } from "../item/CaseParts";
import { TextBox } from "../item/Part";
import { useItem } from "../item/use-item";
import type { ShownItems } from "../results/useShownItems";
import { runHref } from "../run/run-views";
import { AnswerCard, type Reading } from "./AnswerCard";
import { caseKey, casesOf } from "./cases";

const FORMS = [
  { value: "rendered", label: "Rendered" },
  { value: "raw", label: "Raw" },
  { value: "diff", label: "Differences" },
] as const;
/** The answers of a case: targets times epochs. */
const MOST_ANSWERS = 200;
/** The next items are requested when this many cases remain. */
const AHEAD = 5;

interface Props {
  run: RunDetail;
  store: RunStore;
  shown: ShownItems;
}

/** One case at a time, with the answers of all targets side by side, through the filter of the items. */
export function ReadingView({ run, store, shown }: Props) {
  const [search, setSearch] = useSearchParams();
  const { rows } = store.items;
  const { ids, more } = shown;
  const cases = useMemo(() => casesOf(ids, (id) => rows.get(id)), [ids, rows]);
  const id = search.get("item") ?? cases[0]?.itemId ?? null;
  const row = useEntry(rows, id ?? "");
  const at = row ? cases.findIndex((one) => one.key === caseKey(row)) : -1;
  const isNearEnd = more !== undefined && at >= cases.length - AHEAD;
  const askMore = useEffectEvent(() => more?.());
  useEffect(() => {
    if (isNearEnd) askMore();
  }, [isNearEnd]);
  const set = (name: string, value: string | null) => setSearch((now) => writeOne(now, name, value), { replace: true, preventScrollReset: true });
  const step = (by: number) => {
    const next = cases[at === -1 ? 0 : at + by];
    if (next) set("item", next.itemId);
  };
  const form = FORMS.find(({ value }) => value === search.get("as"))?.value ?? "rendered";
  useShortcuts("Reading", [
    { keys: ["j", "ArrowRight"], label: "Next case", run: () => step(1) },
    { keys: ["k", "ArrowLeft"], label: "Previous case", run: () => step(-1) },
    { keys: ["m"], label: "Rendered or raw", run: () => set("as", form === "raw" ? null : "raw") },
    { keys: ["d"], label: "Differences", run: () => set("as", form === "diff" ? null : "diff") },
  ]);
  const table = new URLSearchParams(search);
  for (const name of ["item", "as", "against"]) table.delete(name);
  if (id === null) {
    return (
      <Message icon="ring" title={shown.loading ? "Loading the items…" : "No item matches these filters"}>
        <p><Link to={runHref(run.id, "items", table.toString())} className="font-medium text-accent hover:underline">Back to the table</Link></p>
      </Message>
    );
  }
  return (
    <section aria-label="Reading" className="flex flex-col gap-4">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 items-center gap-2">
          <Link to={runHref(run.id, "items", table.toString())} className="font-medium whitespace-nowrap text-accent hover:underline">Table</Link>
          <IconButton icon="previous" label="Previous case (k)" disabled={at <= 0} onClick={() => step(-1)} />
          <IconButton icon="next" label="Next case (j)" disabled={at === -1 || at === cases.length - 1} onClick={() => step(1)} />
          <p className="min-w-0 truncate" role="status">
            {at >= 0 && <span className="text-ink-3">{formatCount(at + 1)} of {formatCount(cases.length)}{more ? "+" : ""} </span>}
            <span className="font-semibold">{harmless(row?.task_id ?? "")}</span>{" "}
            <span className="text-ink-2">{harmless(row?.category ?? "")}{(row?.epoch ?? 1) > 1 && ` · epoch ${row?.epoch}`}</span>
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {form === "diff" && <Against key={id} run={run} store={store} itemId={id} value={search.get("against") ?? AGAINST_REFERENCE} onChange={(value) => set("against", value === AGAINST_REFERENCE ? null : value)} />}
          <Segments label="Show the answers" options={FORMS} value={form} onChange={(next) => set("as", next === "rendered" ? null : next)} />
          <CopyButton label="Copy the link" iconOnly text={() => location.href} />
        </div>
      </header>
      <Case key={id} run={run} store={store} itemId={id} reading={{ form, against: search.get("against") ?? AGAINST_REFERENCE }} />
    </section>
  );
}

function Against({ run, store, itemId, value, onChange }: { run: RunDetail; store: RunStore; itemId: string; value: string; onChange: (value: string) => void }) {
  const { item } = useItem(run.id, store, itemId);
  const references = item ? referencesOf(item.case).map(([name]) => ({ value: againstOne(name), label: `Reference: ${name}` })) : [];
  const options = [{ value: AGAINST_REFERENCE, label: "Nearest reference" }, ...references, ...run.targets.map((one) => ({ value: one.id, label: harmless(one.label) }))];
  // Another case may have other references.
  const chosen = options.some((one) => one.value === value) ? value : AGAINST_REFERENCE;
  return <SelectField label="Against" className="w-44" value={chosen} options={options} onChange={onChange} />;
}

/** The case of an item, and the answers of all targets to it. */
function Case({ run, store, itemId, reading }: { run: RunDetail; store: RunStore; itemId: string; reading: Reading }) {
  const { item, error, isError, refetch } = useItem(run.id, store, itemId);
  if (isError) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (!item) return <Loading />;
  return (
    <>
      <Given item={item} isRaw={reading.form === "raw"} />
      <Answers run={run} store={store} item={item} reading={reading} />
    </>
  );
}

/** The question with its context, and its references. */
function Given({ item, isRaw }: { item: ItemDetail; isRaw: boolean }) {
  const references = referencesOf(item.case);
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <section aria-label="Question" className="card flex min-w-0 flex-col gap-3 px-4 py-3">
        <h2 className="text-xs text-ink-2">Question</h2>
        <CaseGiven case={item.case} />
        {isRaw ? <TextBox text={item.case.question} /> : <Markdown text={item.case.question} />}
      </section>
      <section aria-label="Reference" className="card flex min-w-0 flex-col gap-2 px-4 py-3">
        <h2 className="text-xs text-ink-2">Reference</h2>
        {references.length === 0 && <p className="text-ink-2">This case has no reference.</p>}
        {references.map(([name, text]) => (
          <div key={name} className="grid gap-x-4 gap-y-0.5 sm:grid-cols-[6rem_minmax(0,1fr)]">
            <p className="text-xs leading-5 text-ink-3">{name}</p>
            {isRaw ? <TextBox text={text} /> : <Markdown text={text} />}
          </div>
        ))}
      </section>
    </div>
  );
}

function Answers({ run, store, item, reading }: { run: RunDetail; store: RunStore; item: ItemDetail; reading: Reading }) {
  const { currentData, error, isError, refetch } = useListItemsQuery({ runId: run.id, taskId: item.task_id, limit: MOST_ANSWERS });
  if (isError) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (!currentData) return <Loading />;
  const ofCase = currentData.items.filter((one) => caseKey(one) === caseKey(item));
  const order = run.targets.map((one) => one.id);
  const sorted = ofCase.toSorted((one, other) => order.indexOf(one.target_id) - order.indexOf(other.target_id));
  const base = sorted.find((one) => one.target_id === reading.against);
  return (
    <ul aria-label="Answers" className="grid items-start gap-4 sm:grid-cols-[repeat(auto-fit,minmax(20rem,1fr))]">
      {sorted.map((one) => <AnswerCard key={one.id} run={run} store={store} itemId={one.id} baseId={base?.id ?? null} reading={reading} />)}
    </ul>
  );
}

function Loading() {
  return (
    <div role="status" aria-label="Loading the case" className="grid gap-4 lg:grid-cols-2">
      <Skeleton className="h-32" />
      <Skeleton className="h-32" />
    </div>
  );
}
