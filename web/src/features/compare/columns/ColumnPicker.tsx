import { useState } from "react";
import { useListRunsQuery } from "@/api/runs";
import { Button } from "@/components/Button";
import { Combobox } from "@/components/Combobox";
import { FormDialog } from "@/components/Dialog";
import { Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import type { ColumnRef } from "@/lib/compare-link";
import { formatCount, formatDate, formatPercent } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { scoredBy } from "@/lib/scored-by";
import { useViewSetters, type CompareView } from "../compare-view";

/** The position of the picked column; null appends it. */
export interface Picking {
  at: number | null;
}

interface Props {
  view: CompareView;
  picking: Picking;
  onClose: () => void;
}

const MOST_RUNS = 200;

/** Choose a run, then one of its targets. */
export function ColumnPicker({ view, picking: { at }, onClose }: Props) {
  const { data, error, isError, refetch } = useListRunsQuery({ limit: MOST_RUNS }, { refetchOnMountOrArgChange: true });
  const { setColumns } = useViewSetters();
  const [chosen, setChosen] = useState<string | null>(null);
  const runs = data?.items ?? [];
  // The default is the run of the replaced column or of the baseline: related columns usually share a run.
  const runId = chosen ?? view.columns[at ?? view.baseline]?.runId ?? runs[0]?.id ?? "";
  const run = runs.find((one) => one.id === runId);
  const taken = (ref: ColumnRef) => view.columns.some((one) => one.runId === ref.runId && one.targetId === ref.targetId);
  const pick = (ref: ColumnRef) => {
    setColumns(at === null ? [...view.columns, ref] : view.columns.with(at, ref), view.baseline);
    onClose();
  };
  return (
    <FormDialog open onClose={onClose} title={at === null ? "Add a column" : "Replace the column"}>
      <div className="mt-4 flex flex-col gap-4">
        {isError ? (
          <ErrorMessage error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <div role="status" aria-label="Loading the runs"><Skeleton className="h-24" /></div>
        ) : runs.length === 0 ? (
          <p className="text-ink-2">There are no runs yet. Start one first, then compare its models.</p>
        ) : (
          <>
            <Combobox
              label="Run"
              hint={data.next_cursor ? `The newest ${MOST_RUNS} runs. Choose older ones in the list of runs.` : undefined}
              choices={runs.map((one) => ({ value: one.id, label: harmless(one.name), detail: formatDate(one.created_at) }))}
              value={runId}
              onChange={setChosen}
            />
            <fieldset>
              <legend className="text-xs font-medium text-ink-2">Target</legend>
              <ul className="mt-1 divide-y divide-line rounded-md border border-line">
                {run?.targets.map((target) => {
                  const ref = { runId: run.id, targetId: target.id };
                  return (
                    <li key={target.id}>
                      <button type="button" disabled={taken(ref)} onClick={() => pick(ref)} className="flex w-full items-center justify-between gap-3 px-3 py-2 text-left enabled:hover:bg-hover disabled:text-ink-3">
                        <span className="min-w-0">
                          <span className="block truncate font-medium">{harmless(target.label)}</span>
                          <span className="block truncate text-xs text-ink-3">{harmless(target.model)} · {harmless(target.provider_name)}</span>
                        </span>
                        {taken(ref) && <span className="text-xs whitespace-nowrap">already compared</span>}
                      </button>
                    </li>
                  );
                })}
                {!run && <li className="px-3 py-2 text-ink-2">Choose a run first.</li>}
              </ul>
              {run && (
                <p className="mt-1 text-xs text-ink-3">
                  {formatCount(run.counts.items)} items, judged by {harmless(scoredBy(run))}, mean score {formatPercent(run.mean_score)}
                </p>
              )}
            </fieldset>
          </>
        )}
        <div className="flex justify-end">
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </FormDialog>
  );
}
