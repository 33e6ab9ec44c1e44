import { lazy, Suspense, useState } from "react";
import type { RunSummary } from "@/api/generated/orchestrator";
import { Button, ButtonLink } from "@/components/Button";
import { compareRunsHref, MOST_COLUMNS } from "@/lib/compare-link";
import { formatCount } from "@/lib/format";
import { loadCode } from "@/live/reach";

const DeleteRunsDialog = lazy(() => loadCode(async () => ({ default: (await import("./DeleteRunsDialog")).DeleteRunsDialog })));
const TagRunsDialog = lazy(() => loadCode(async () => ({ default: (await import("./TagRunsDialog")).TagRunsDialog })));

/** The API's maximum number of runs in one request. */
const MOST_RUNS = 100;

interface Props {
  chosen: ReadonlyMap<string, RunSummary>;
  /** The tags of the shown runs, as suggestions. */
  tags: readonly string[];
  onChange: (chosen: ReadonlyMap<string, RunSummary>) => void;
}

/**
 * The actions on the chosen runs: tag, delete, compare. The oldest of them becomes the baseline. The bar lies over the
 * end of the list, so that no row moves.
 */
export function BulkBar({ chosen, tags, onChange }: Props) {
  const [asking, setAsking] = useState<"tag" | "delete" | null>(null);
  const runs = [...chosen.values()].toSorted((a, b) => a.created_at.localeCompare(b.created_at));
  const targets = runs.reduce((sum, one) => sum + one.targets.length, 0);
  const tooMany = runs.length > MOST_RUNS;
  const close = () => setAsking(null);
  return (
    <section aria-label="Chosen runs" className="sticky bottom-4 z-20 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-accent bg-selected px-4 py-2 shadow-panel">
      <p role="status" className="font-medium">{formatCount(runs.length)} chosen</p>
      <Button kind="ghost" onClick={() => onChange(new Map())}>Clear the selection</Button>
      <span className="flex-1 text-xs text-ink-2">
        {tooMany
          ? `Up to ${MOST_RUNS} runs are tagged or deleted at once. Choose fewer.`
          : targets < 2
            ? "Choose another run to compare it with."
            : targets > MOST_COLUMNS
              ? `The first ${MOST_COLUMNS} of ${formatCount(targets)} targets are compared.`
              : ""}
      </span>
      <Button icon="pencil" right="runs:update" disabled={tooMany} onClick={() => setAsking("tag")}>Tags</Button>
      <Button icon="trash" kind="danger" right="runs:delete" disabled={tooMany} onClick={() => setAsking("delete")}>Delete</Button>
      {targets >= 2 && (
        <ButtonLink kind="primary" icon="scale" to={compareRunsHref(runs.slice(0, MOST_COLUMNS).map((one) => one.id))}>
          {runs.length === 1 ? "Compare its targets" : "Compare"}
        </ButtonLink>
      )}
      <Suspense>
        {asking === "tag" && <TagRunsDialog runs={runs} tags={tags} onClose={close} />}
        {asking === "delete" && <DeleteRunsDialog runs={runs} onClose={close} onLeaveOut={(ids) => onChange(new Map([...chosen].filter(([id]) => !ids.has(id))))} onDeleted={() => onChange(new Map())} />}
      </Suspense>
    </section>
  );
}
