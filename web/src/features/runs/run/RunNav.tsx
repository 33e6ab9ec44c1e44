import { useState } from "react";
import { Link, useLocation } from "react-router";
import type { RunDetail } from "@/api/generated/orchestrator";
import { formatCount } from "@/lib/format";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { isOver } from "../run-words";
import { ConnectionStatus } from "./ConnectionStatus";
import { RUN_VIEWS, runHref, VIEW_LABELS, type RunView } from "./run-views";

/** The views of a run. It stays at the top while a view scrolls, and a link leads back to the view as it was left. */
export function RunNav({ run, store, view }: { run: RunDetail; store: RunStore; view: RunView }) {
  const { search } = useLocation();
  const { items, failed } = useValue(store.progress) ?? run.counts;
  const over = isOver(useValue(store.head)?.status ?? run.status);
  const [left, setLeft] = useState<Partial<Record<RunView, string>>>({});
  if (left[view] !== search) setLeft({ ...left, [view]: search });
  const here = view === "read" ? "items" : view;
  const counts: Partial<Record<RunView, number>> = { items, failures: failed };
  return (
    <div className="sticky top-0 z-20 -mx-4 flex items-center justify-between gap-4 border-b border-line bg-page px-4 sm:-mx-6 sm:px-6 print:hidden">
      <nav aria-label="Views of the run" className="flex min-w-0 gap-x-4 overflow-x-auto sm:gap-x-5">
        {RUN_VIEWS.map((one) => (
          <Link
            key={one}
            to={runHref(run.id, one, one === here && view === one ? search : (left[one] ?? ""))}
            aria-current={one === here ? "page" : undefined}
            className={`border-b-2 py-2 whitespace-nowrap outline-offset-[-2px] ${one === here ? "border-accent font-medium text-ink" : "border-transparent text-ink-2 hover:border-line-strong hover:text-ink"}`}
          >
            {VIEW_LABELS[one]}
            {(counts[one] ?? 0) > 0 && <span className={`ml-1.5 text-xs ${one === "failures" ? "font-medium text-bad" : "text-ink-3"}`}>{formatCount(counts[one])}</span>}
          </Link>
        ))}
      </nav>
      <span className="hidden text-xs text-ink-2 md:block"><ConnectionStatus over={over} /></span>
    </div>
  );
}
