import { lazy, Suspense, useState } from "react";
import { Button } from "@/components/Button";
import { FilterChips } from "@/components/FilterChips";
import { Skeleton } from "@/components/Message";
import { SearchField } from "@/components/SearchField";
import { harmless } from "@/lib/plain-text";
import { loadCode } from "@/live/reach";
import { LOG_KINDS, LOG_LABELS } from "../run-words";
import type { useLogFilter } from "./log-filter";

// Loaded lazily: most runs have one target.
const MultiSelect = lazy(() => loadCode(async () => ({ default: (await import("@/components/Combobox")).MultiSelect })));

const KINDS = LOG_KINDS.map((value) => ({ value, label: LOG_LABELS[value] }));

interface Props {
  view: ReturnType<typeof useLogFilter>;
  /** Labels of the run's targets. */
  labels: readonly string[];
  /** The number of shown lines, in words. */
  count: string;
  onClear: () => void;
}

export function LogFilters({ view: { filter, text, isFiltered, setKinds, setTargets, setText, clear }, labels, count, onClear }: Props) {
  const [open, setOpen] = useState(false);
  const isNarrowed = text !== "" || filter.targets.length > 0;
  const chosen = filter.kinds.length + filter.targets.length;
  // On a phone the filters would leave no room for the lines.
  const folded = open ? "" : "max-sm:hidden";
  return (
    <div className="flex flex-col gap-2 border-b border-line px-4 py-2">
      <div className="flex flex-wrap items-end gap-2">
        <SearchField className="flex-1 basis-40" label="Search the log" placeholder="Search texts and tasks" value={text} onSearch={setText} />
        <Button className="sm:hidden" aria-expanded={open} onClick={() => setOpen(!open)}>Filters{chosen > 0 && ` (${chosen})`}</Button>
        {labels.length > 1 && (
          <Suspense fallback={<Skeleton className={`h-14 flex-1 basis-40 ${folded}`} />}>
            <MultiSelect className={`min-w-0 flex-1 basis-40 max-sm:basis-full ${folded}`} label="Targets" placeholder="All" choices={labels.map((one) => ({ value: one, label: harmless(one) }))} selected={filter.targets} onChange={setTargets} />
          </Suspense>
        )}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className={folded}><FilterChips label="Filter the log by kind" options={KINDS} selected={filter.kinds} onChange={setKinds} onAll={isNarrowed ? clear : undefined} /></div>
        <div className="flex min-h-8 items-center gap-2">
          <p className="text-xs text-ink-2">{count}</p>
          {isFiltered && <Button kind="ghost" icon="cross" onClick={onClear}>Clear</Button>}
        </div>
      </div>
    </div>
  );
}
