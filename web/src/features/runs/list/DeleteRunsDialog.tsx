import type { RunSummary } from "@/api/generated/orchestrator";
import { useDeleteRunsMutation } from "@/api/runs";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { toast } from "@/components/Toast";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";

const MOST_NAMED = 8;

interface Props {
  runs: readonly RunSummary[];
  onClose: () => void;
  /** Takes runs out of the selection. */
  onLeaveOut: (ids: ReadonlySet<string>) => void;
  onDeleted: () => void;
}

/** Delete the chosen runs: all of them, or none if the server refuses one. */
export function DeleteRunsDialog({ runs, onClose, onLeaveOut, onDeleted }: Props) {
  const [remove, removing] = useDeleteRunsMutation();
  const refused = refusedIds(removing.error).filter((id) => runs.some((one) => one.id === id));
  const items = runs.reduce((sum, one) => sum + one.counts.items, 0);
  const confirm = async () => {
    const answer = await remove({ deleteRuns: { run_ids: runs.map((one) => one.id) } });
    if (answer.error) return;
    toast(`${plural(runs.length, "run")} deleted.`);
    onDeleted();
    onClose();
  };
  const leaveOut = () => {
    removing.reset();
    onLeaveOut(new Set(refused));
    if (refused.length === runs.length) onClose();
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${plural(runs.length, "run")}?`}
      action={`Delete ${plural(runs.length, "run")}`}
      word={runs.length === 1 ? "delete" : `delete ${runs.length}`}
      busy={removing.isLoading}
      error={removing.error}
      onConfirm={() => void confirm()}
    >
      <ul aria-label="Runs to delete" className="mb-2 max-h-40 list-disc overflow-y-auto pl-5 text-ink">
        {runs.slice(0, MOST_NAMED).map((one) => <li key={one.id} className="truncate">{harmless(one.name)}</li>)}
        {runs.length > MOST_NAMED && <li>and {formatCount(runs.length - MOST_NAMED)} more</li>}
      </ul>
      <p>Their {plural(items, "item")}, answers, scores and logs are deleted permanently. If one of the runs is active or a baseline, none is deleted.</p>
      {refused.length > 0 && <Button className="mt-3" onClick={leaveOut}>Leave {refused.length === 1 ? "that run" : `these ${refused.length} runs`} out</Button>}
    </ConfirmDialog>
  );
}

/** The runs that the server refused to delete. */
function refusedIds(error: unknown): string[] {
  if (error === undefined) return [];
  const { refused } = toProblem(error).body;
  return Array.isArray(refused) ? refused.flatMap((one: unknown) => (typeof one === "object" && one !== null && "run_id" in one && typeof one.run_id === "string" ? [one.run_id] : [])) : [];
}
