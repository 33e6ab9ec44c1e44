import type { RunSummary } from "@/api/generated/orchestrator";
import { Button, ButtonLink } from "@/components/Button";
import { compareRunsHref, MOST_COLUMNS } from "@/lib/compare-link";
import { formatCount } from "@/lib/format";

interface Props {
  runs: readonly RunSummary[];
  selected: ReadonlySet<string>;
  onClear: () => void;
}

/** Actions on the chosen runs. The oldest of them becomes the baseline. */
export function CompareBar({ runs, selected, onClear }: Props) {
  const chosen = runs.filter((one) => selected.has(one.id)).toSorted((a, b) => a.created_at.localeCompare(b.created_at));
  const targets = chosen.reduce((sum, one) => sum + one.targets.length, 0);
  return (
    <section aria-label="Chosen runs" className="sticky top-2 z-20 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-accent bg-selected px-4 py-2 shadow-panel">
      <p role="status" className="font-medium">{formatCount(selected.size)} chosen</p>
      <Button kind="ghost" onClick={onClear}>Clear the selection</Button>
      <span className="flex-1 text-xs text-ink-2">
        {targets < 2 ? "Choose another run to compare it with." : targets > MOST_COLUMNS ? `The first ${MOST_COLUMNS} of ${targets} targets are compared.` : ""}
      </span>
      {targets >= 2 && (
        <ButtonLink kind="primary" icon="scale" to={compareRunsHref(chosen.map((one) => one.id))}>
          {chosen.length === 1 ? "Compare its targets" : "Compare"}
        </ButtonLink>
      )}
    </section>
  );
}
