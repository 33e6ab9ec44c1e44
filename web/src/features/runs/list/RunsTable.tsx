import { Link } from "react-router";
import type { ExportFormatOut, RunSummary } from "@/api/generated/orchestrator";
import { exportFormatsOf, exportUrl, useListExportFormatsQuery } from "@/api/results";
import { Chip } from "@/components/Chip";
import { Menu, type MenuEntry } from "@/components/Menu";
import { Skeleton } from "@/components/Message";
import { clickRowLink } from "@/components/row-link";
import { ProgressBar } from "@/components/ProgressBar";
import { formatCount, formatDate, formatPercent, formatUsd, knownCost } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { scoredBy } from "@/lib/scored-by";
import { verdictLook } from "../gates/gate-look";
import { askedCount, overCount, phaseProgress, progressSegments } from "../progress-segments";
import { EVALUATION_LABELS, isOver, PHASE_LABELS, runLook, sampleText } from "../run-words";

const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-3 align-top first:pl-4 last:pr-4";

interface Props {
  runs: readonly RunSummary[];
  /** The runs chosen for comparison. */
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
  onDelete: (run: RunSummary) => void;
}

/** The list of runs. On small screens the columns fold into the line under the name. */
export function RunsTable({ runs, selected, onSelect, onDelete }: Props) {
  const formats = useListExportFormatsQuery().data?.items ?? [];
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  return (
    <table className="w-full table-fixed">
      <thead className="border-b border-line bg-sunken text-xs text-ink-2">
        <tr>
          <th scope="col" className="w-10"><span className="sr-only">Choose</span></th>
          <th scope="col" className={`${HEAD} pl-1!`}>Run</th>
          <th scope="col" className={`${HEAD} hidden w-30 lg:table-cell`}>Created</th>
          <th scope="col" className={`${HEAD} hidden w-38 xl:table-cell`}>Judge</th>
          <th scope="col" className={`${HEAD} hidden w-40 lg:table-cell`}>Targets</th>
          <th scope="col" className={`${HEAD} hidden w-36 xl:table-cell`}>Test data</th>
          <th scope="col" className={`${HEAD} w-38 sm:w-42`}>Status</th>
          <th scope="col" className={`${HEAD} hidden w-44 sm:table-cell`}>Progress</th>
          <th scope="col" className={`${HEAD} hidden w-26 text-right md:table-cell`}>Mean score</th>
          <th scope="col" className={`${HEAD} hidden w-20 text-right xl:table-cell`}>Cost</th>
          <th scope="col" className="w-11"><span className="sr-only">Actions</span></th>
        </tr>
      </thead>
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <tbody className="divide-y divide-line" onClick={clickRowLink}>
        {runs.map((run) => (
          <RunLine key={run.id} run={run} formats={formats} chosen={selected.has(run.id)} onToggle={() => toggle(run.id)} onDelete={() => onDelete(run)} />
        ))}
      </tbody>
    </table>
  );
}

interface LineProps {
  run: RunSummary;
  formats: readonly ExportFormatOut[];
  chosen: boolean;
  onToggle: () => void;
  onDelete: () => void;
}

function RunLine({ run, formats, chosen, onToggle, onDelete }: LineProps) {
  const { failed, items, skipped = 0 } = run.counts;
  const asked = askedCount(run.counts);
  const { done, verb } = phaseProgress(run.phase, run.counts);
  return (
    <tr className={`cursor-pointer ${chosen ? "bg-selected" : "hover:bg-hover"}`}>
      <td className="pt-3 pl-4 align-top">
        <input type="checkbox" aria-label={`Choose ${harmless(run.name)}`} checked={chosen} onChange={onToggle} className="mt-0.5 block size-4 accent-accent" />
      </td>
      <td className={`${CELL} pl-1!`}>
        <Link to={`/runs/${run.id}`} className="font-medium wrap-anywhere hover:text-accent hover:underline">
          {harmless(run.name)}
        </Link>
        <div className="mt-0.5 truncate font-mono text-2xs text-ink-3 max-sm:hidden" title={run.id}>
          {run.id}
        </div>
        {run.schedule && (
          <div className="mt-1 truncate text-xs text-ink-2">
            Schedule: <Link to={`/runs/schedules/${run.schedule.id}`} className="hover:text-accent hover:underline">{harmless(run.schedule.name)}</Link>
          </div>
        )}
        {run.suite && (
          <div className="mt-1 truncate text-xs text-ink-2">
            Suite: <Link to={`/suites/${run.suite.suite_id}`} className="hover:text-accent hover:underline">{harmless(run.suite.name)}, version {run.suite.version_number}</Link>
          </div>
        )}
        {run.sample && <div className="mt-1 text-xs text-ink-2">Sample: {sampleText(run.sample)}</div>}
        {run.type !== "BENCHMARK" && <div className="mt-1 text-xs text-ink-2">{EVALUATION_LABELS[run.type]}</div>}
        {run.tags.length > 0 && (
          <ul aria-label="Tags" className="mt-1 flex flex-wrap gap-1">
            {run.tags.map((tag) => <li key={tag} className="max-w-full truncate rounded bg-mute-soft px-1.5 text-xs text-ink-2">{harmless(tag)}</li>)}
          </ul>
        )}
        <div className="mt-1 text-xs text-ink-2 lg:hidden">{formatDate(run.created_at)}</div>
        <div className="truncate text-xs text-ink-2 lg:hidden">{run.targets.map((one) => harmless(one.label)).join(", ")}</div>
      </td>
      <td className={`${CELL} hidden text-ink-2 lg:table-cell`}>{formatDate(run.created_at)}</td>
      <td className={`${CELL} hidden xl:table-cell`}>
        <div className="truncate" title={scoredBy(run)}>{harmless(scoredBy(run))}</div>
        <div className="truncate text-xs text-ink-3">{harmless(run.judge?.provider_name ?? "without a judge")}</div>
      </td>
      <td className={`${CELL} hidden lg:table-cell`}>
        <Several names={run.targets.map((one) => one.label)} />
      </td>
      <td className={`${CELL} hidden xl:table-cell`}>
        <Several names={[...run.collections.map((one) => one.name), ...run.dataset_versions.map((one) => `${one.name}, version ${one.version_number}`)]} />
      </td>
      <td className={CELL}>
        <Chip {...runLook(run.status, run.outcome)} />
        {run.gate && (
          <div className="mt-1" title={harmless(run.gate.sentence ?? "")}>
            <Chip {...verdictLook(run.gate)} />
          </div>
        )}
        <div className="mt-1 text-xs text-ink-2">{run.queue ? `Number ${run.queue.position}` : isOver(run.status) ? "" : PHASE_LABELS[run.phase]}</div>
        <div className="mt-1 text-xs text-ink-2 sm:hidden">
          {formatCount(done)} of {formatCount(asked)} {verb}
        </div>
      </td>
      <td className={`${CELL} hidden sm:table-cell`}>
        <ProgressBar className="mt-2 h-1.5" label={`Progress of ${run.name}`} segments={progressSegments(run.counts)} total={items} done={overCount(run.counts)} />
        <div className="mt-1.5 text-xs text-ink-2">
          {formatCount(done)} of {formatCount(asked)} {verb}
          {skipped > 0 && ` · ${formatCount(skipped)} skipped`}
          {failed > 0 && <span className="text-bad"> · {formatCount(failed)} failed</span>}
        </div>
      </td>
      <td className={`${CELL} hidden text-right font-medium md:table-cell`}>{formatPercent(run.mean_score)}</td>
      <td className={`${CELL} hidden text-right xl:table-cell`}>{formatUsd(knownCost(run))}</td>
      <td className="pt-2 pr-2 align-top">
        <Menu label={`Actions for ${harmless(run.name)}`} icon="more" iconOnly entries={actions(run, formats, onDelete)} />
      </td>
    </tr>
  );
}

function actions(run: RunSummary, formats: readonly ExportFormatOut[], onDelete: () => void): MenuEntry[] {
  const active = run.status === "RUNNING" || run.status === "PAUSING";
  return [
    { label: "View", icon: "next", to: `/runs/${run.id}` },
    ...(run.type === "BENCHMARK" ? [{ label: "Clone", icon: "copy" as const, right: "runs:create" as const, to: `/runs/new?clone=${run.id}` }] : []),
    ...exportFormatsOf(formats, run).map(({ name, title }) => ({ label: `Export ${title}`, icon: "download" as const, download: exportUrl(run.id, name) })),
    { label: "Delete", icon: "trash", danger: true, right: "runs:delete", disabled: active, onSelect: onDelete, ...(active && { detail: "Pause or cancel it first." }) },
  ];
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
