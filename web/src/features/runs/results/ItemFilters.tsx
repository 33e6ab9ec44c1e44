import { lazy, Suspense, useState } from "react";
import type { RunDetail } from "@/api/generated/orchestrator";
import { Button } from "@/components/Button";
import { FilterChips } from "@/components/FilterChips";
import { Icon } from "@/components/Icon";
import { Skeleton } from "@/components/Message";
import { SearchField } from "@/components/SearchField";
import { formatCount } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { ANSWER_LABELS, failureLabel, ITEM_LOOKS, ITEM_STATUSES } from "../run-words";
import { useFilterSetters, type FilterParam, type ItemView } from "./item-filter";

// Their fields are a good part of the page's code, and most visits never unfold them.
const MoreItemFilters = lazy(async () => ({ default: (await import("./MoreItemFilters")).MoreItemFilters }));

interface Props {
  run: RunDetail;
  store: RunStore;
  view: ItemView;
}

export function ItemFilters({ run, store, view: { filter, whole } }: Props) {
  const { counts } = useValue(store.items.index);
  const { set, clear } = useFilterSetters();
  const { targetId, category, scoreMin, scoreMax, passed } = filter;
  const [more, setMore] = useState([targetId, category, scoreMin, scoreMax, passed].some((one) => one !== undefined));
  const statuses = ITEM_STATUSES.map((value) => ({ value, label: ITEM_LOOKS[value].label, count: formatCount(counts[value]) }));
  return (
    <div className="flex flex-col gap-2.5 border-b border-line px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField className="max-w-md flex-1 basis-52" label="Search task, question, answer or reason" placeholder="Search tasks, questions, answers, reasons" value={filter.q ?? ""} onSearch={(text) => set("q", text === "" ? [] : [text])} />
        <Button kind="ghost" aria-expanded={more} onClick={() => setMore(!more)}>
          {more ? "Fewer filters" : "More filters"}
        </Button>
        {!whole && <Button kind="ghost" icon="cross" onClick={clear}>Clear filters</Button>}
      </div>
      {more && (
        <Suspense fallback={<Skeleton className="h-14" />}>
          <MoreItemFilters run={run} filter={filter} onChange={set} />
        </Suspense>
      )}
      <div className="flex flex-wrap gap-x-4 gap-y-2">
        <FilterChips label="Filter items by state" options={statuses} selected={filter.status ?? []} onChange={(next) => set("status", next)} />
        <Chosen filter={filter} onRemove={(name) => set(name, [])} />
      </div>
    </div>
  );
}

/** Filters that are set from elsewhere (a cause of failure, a cell of the heat map): named, and to be taken away. */
function Chosen({ filter, onRemove }: { filter: ItemView["filter"]; onRemove: (name: FilterParam) => void }) {
  const named: [FilterParam, string][] = [];
  if (filter.taskId) named.push(["task_id", `Task: ${filter.taskId}`]);
  if (filter.conversationId) named.push(["conversation_id", `Conversation: ${filter.conversationId}`]);
  if (filter.model) named.push(["model", `Model: ${filter.model.join(", ")}`]);
  if (filter.failureKind) named.push(["failure_kind", `Failure: ${filter.failureKind.map(failureLabel).join(", ")}`]);
  if (filter.failurePhase) named.push(["failure_phase", filter.failurePhase === "JUDGING" ? "Failed in judging" : "Failed in benchmarking"]);
  if (filter.cached !== undefined) named.push(["cached", filter.cached ? "From the cache" : "Not from the cache"]);
  if (filter.cut !== undefined) named.push(["cut", filter.cut ? "Cut at the token limit" : "Not cut"]);
  if (filter.finishReason) named.push(["finish_reason", `Finish: ${filter.finishReason.join(", ")}`]);
  if (filter.answerKind) named.push(["answer_kind", `Answer: ${filter.answerKind.map((kind) => ANSWER_LABELS[kind]).join(", ")}`]);
  return named.map(([name, label]) => (
    <button key={name} type="button" onClick={() => onRemove(name)} aria-label={`Remove the filter ${harmless(label)}`}
      className="inline-flex h-7 max-w-full items-center gap-1.5 rounded-full border border-accent bg-selected px-2.5 text-xs font-medium text-accent-strong">
      <span className="truncate">{harmless(label)}</span>
      <Icon name="cross" className="size-3" />
    </button>
  ));
}
