import { Link } from "react-router";
import type { RunSummary } from "@/api/generated/orchestrator";
import { Chip } from "@/components/Chip";
import { Skeleton } from "@/components/Message";
import { ProgressBar } from "@/components/ProgressBar";
import { formatCount, formatDate, formatPercent } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { phaseProgress, progressSegments } from "../progress-segments";
import { isOver, PHASE_LABELS, runLook } from "../run-words";

const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-3 align-top first:pl-4 last:pr-4";

/** On small screens the columns fold into the line under the name. */
export function RunsTable({ runs }: { runs: readonly RunSummary[] }) {
  return (
    <table className="w-full table-fixed">
      <thead className="border-b border-line bg-sunken text-xs text-ink-2">
        <tr>
          <th scope="col" className={HEAD}>Run</th>
          <th scope="col" className={`${HEAD} hidden w-36 lg:table-cell`}>Created</th>
          <th scope="col" className={`${HEAD} hidden w-40 xl:table-cell`}>Judge</th>
          <th scope="col" className={`${HEAD} hidden w-44 lg:table-cell`}>Targets</th>
          <th scope="col" className={`${HEAD} hidden w-40 xl:table-cell`}>Collections</th>
          <th scope="col" className={`${HEAD} w-38 sm:w-42`}>Status</th>
          <th scope="col" className={`${HEAD} hidden w-52 sm:table-cell`}>Progress</th>
          <th scope="col" className={`${HEAD} hidden w-28 text-right sm:table-cell`}>Mean score</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {runs.map((run) => (
          <RunLine key={run.id} run={run} />
        ))}
      </tbody>
    </table>
  );
}

function RunLine({ run }: { run: RunSummary }) {
  const { judged, failed, items } = run.counts;
  const { done, verb } = phaseProgress(run.phase, run.counts);
  return (
    <tr className="relative hover:bg-hover">
      <td className={CELL}>
        <Link to={`/runs/${run.id}`} className="font-medium wrap-anywhere after:absolute after:inset-0 hover:text-accent">
          {harmless(run.name)}
        </Link>
        <div className="mt-0.5 truncate font-mono text-2xs text-ink-3" title={run.id}>
          {run.id}
        </div>
        <div className="mt-1 text-xs text-ink-2 lg:hidden">{formatDate(run.created_at)}</div>
        <div className="truncate text-xs text-ink-2 lg:hidden">{run.targets.map((one) => harmless(one.label)).join(", ")}</div>
      </td>
      <td className={`${CELL} hidden text-ink-2 lg:table-cell`}>{formatDate(run.created_at)}</td>
      <td className={`${CELL} hidden xl:table-cell`}>
        <div className="truncate" title={run.judge.model}>{harmless(run.judge.model)}</div>
        <div className="truncate text-xs text-ink-3">{harmless(run.judge.provider_name)}</div>
      </td>
      <td className={`${CELL} hidden lg:table-cell`}>
        <Several names={run.targets.map((one) => one.label)} />
      </td>
      <td className={`${CELL} hidden xl:table-cell`}>
        <Several names={run.collections.map((one) => one.name)} />
      </td>
      <td className={CELL}>
        <Chip {...runLook(run.status, run.outcome)} />
        <div className="mt-1 text-xs text-ink-2">{isOver(run.status) ? "" : PHASE_LABELS[run.phase]}</div>
        <div className="mt-1 text-xs text-ink-2 sm:hidden">
          {formatCount(done)} of {formatCount(items)} {verb}
        </div>
      </td>
      <td className={`${CELL} hidden sm:table-cell`}>
        <ProgressBar className="mt-2 h-1.5" label={`Progress of ${run.name}`} segments={progressSegments(run.counts)} total={items} done={judged + failed} />
        <div className="mt-1.5 text-xs text-ink-2">
          {formatCount(done)} of {formatCount(items)} {verb}
          {failed > 0 && <span className="text-bad"> · {formatCount(failed)} failed</span>}
        </div>
      </td>
      <td className={`${CELL} hidden text-right font-medium sm:table-cell`}>{formatPercent(run.mean_score)}</td>
    </tr>
  );
}

/** The first names, then how many more. */
function Several({ names }: { names: readonly string[] }) {
  const shown = names.slice(0, 2);
  return (
    <>
      {shown.map((name, index) => (
        <div key={index} className="truncate" title={name}>
          {harmless(name)}
        </div>
      ))}
      {names.length > shown.length && <div className="text-xs text-ink-3">and {names.length - shown.length} more</div>}
    </>
  );
}

export function RunsTableSkeleton() {
  return (
    <div role="status" aria-label="Loading runs" className="divide-y divide-line">
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} className="flex h-18 items-center gap-6 px-4">
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-4 w-1/5" />
          <Skeleton className="ml-auto h-5 w-24" />
        </div>
      ))}
    </div>
  );
}
