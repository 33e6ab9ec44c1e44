import { useEffect } from "react";
import type { RunDetail } from "@/api/generated/orchestrator";
import { useGetRunQuery } from "@/api/runs";
import { ErrorMessage } from "@/components/Problem";
import { formatInterval, formatPercent } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { FiguresTable } from "../results/FiguresTable";
import { isOver } from "../run-words";

const POLL_MS = 5000;

/** The results by tag of the cases. They are fetched when shown: the server reads every item to compute them. */
export function TagTable({ run }: { run: RunDetail }) {
  const over = isOver(run.status);
  const { data, error, isError, refetch } = useGetRunQuery({ runId: run.id, include: ["case_tags"] }, { pollingInterval: over ? 0 : POLL_MS, refetchOnMountOrArgChange: true });
  // The end of the run changes the figures once more.
  useEffect(() => {
    if (over) void refetch();
  }, [over, refetch]);
  if (!data) return isError ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : <p className="px-4 py-8 text-center text-ink-2">Loading…</p>;
  const tags = data.case_tags ?? [];
  if (tags.length === 0) return <p className="px-4 py-8 text-center text-ink-2">No case of this run has tags. A dataset gives them in the column metadata.tags.</p>;
  return (
    <>
      <p className="border-b border-line px-4 py-2 text-xs text-ink-2">A case counts for each of its tags, so the rows do not add up to the run.</p>
      <FiguresTable
        label="Results by tag"
        what="Tag"
        rows={tags.map((one) => ({
          key: one.tag,
          figures: one,
          filter: { tag: one.tag },
          name: (
            <>
              <div className="truncate font-medium">{harmless(one.tag)}</div>
              {one.targets.length > 1 && one.targets.map((target) => (
                <div key={target.target_id} className="truncate text-xs text-ink-2">{harmless(target.label)}: {formatPercent(target.mean_score)} {formatInterval(target.mean_score_interval)}</div>
              ))}
            </>
          ),
        }))}
      />
    </>
  );
}
