import { Link } from "react-router";
import type { ExportFormatOut, RunSummary } from "@/api/generated/orchestrator";
import { exportFormatsOf, exportUrl, useListExportFormatsQuery } from "@/api/results";
import { Chip } from "@/components/Chip";
import { Icon } from "@/components/Icon";
import { Menu, type MenuEntry } from "@/components/Menu";
import { Skeleton } from "@/components/Message";
import { Moment } from "@/components/Moment";
import { clickRowLink } from "@/components/row-link";
import { ProgressBar } from "@/components/ProgressBar";
import { formatCount, formatDuration, knownCost, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { scoredBy } from "@/lib/scored-by";
import { usdColumn } from "@/lib/usd-column";
import { againEntry } from "../again";
import { verdictLook } from "../gates/gate-look";
import { askedCount, overCount, phaseProgress, progressSegments } from "../progress-segments";
import { toggled, useRunOrder, type SortKey } from "./run-order";
import { TargetBars } from "./TargetBars";
import { EVALUATION_LABELS, isOver, PHASE_LABELS, runLook, sampleText } from "../run-words";

const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-3 align-top first:pl-4 last:pr-4";

interface Props {
  runs: readonly RunSummary[];
  /** The chosen runs by id. */
  selected: ReadonlyMap<string, RunSummary>;
  onSelect: (chosen: ReadonlyMap<string, RunSummary>) => void;
  onDelete: (run: RunSummary) => void;
}

/** The list of runs. On small screens the columns fold into the line under the name. */
export function RunsTable({ runs, selected, onSelect, onDelete }: Props) {
  const formats = useListExportFormatsQuery().data?.items ?? [];
  const choose = (of: readonly RunSummary[], isChosen: boolean) => {
    const next = new Map(selected);
    for (const run of of) if (isChosen) next.set(run.id, run);
    else next.delete(run.id);
    onSelect(next);
  };
  const all = runs.length > 0 && runs.every((run) => selected.has(run.id));
  const some = !all && runs.some((run) => selected.has(run.id));
  const formatCost = usdColumn(runs.map(knownCost));
  return (
    <table className="w-full table-fixed">
      <thead className="border-b border-line bg-sunken text-xs text-ink-2">
        <tr>
          <th scope="col" className="w-10 pl-4 text-left">
            <input
              type="checkbox" aria-label="Choose all shown" checked={all} onChange={() => choose(runs, !all)} className="block size-4 accent-accent"
              ref={(box) => {
                if (box) box.indeterminate = some;
              }}
            />
          </th>
          <SortHead by="name" className="pl-1!">Run</SortHead>
          <SortHead by="created_at" className="hidden w-30 lg:table-cell">Created</SortHead>
          <th scope="col" className={`${HEAD} hidden w-34 2xl:table-cell`}>Judge</th>
          <SortHead by="best_score" className="hidden w-60 md:table-cell lg:w-72">Targets and scores</SortHead>
          <SortHead by="cases" className="hidden w-36 xl:table-cell">Test data</SortHead>
          <SortHead by="status" className="w-38 sm:w-42">Status</SortHead>
          <SortHead by="failed" className="hidden w-40 lg:table-cell" title="Sorts by failures">Progress</SortHead>
          <SortHead by="took_s" className="hidden w-24 text-right 2xl:table-cell">Duration</SortHead>
          <SortHead by="cost_usd" className="hidden w-24 text-right xl:table-cell">Cost</SortHead>
          <th scope="col" className="w-11"><span className="sr-only">Actions</span></th>
        </tr>
      </thead>
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <tbody className="divide-y divide-line" onClick={clickRowLink}>
        {runs.map((run) => (
          <RunLine key={run.id} run={run} formats={formats} chosen={selected.has(run.id)} formatCost={formatCost} onToggle={() => choose([run], !selected.has(run.id))} onDelete={() => onDelete(run)} />
        ))}
      </tbody>
    </table>
  );
}

/** A heading that sorts: the first click in the direction that is wanted most, the second in the other. */
function SortHead({ by, className, title, children }: { by: SortKey; className: string; title?: string; children: string }) {
  const { sort, order, sortBy } = useRunOrder();
  const isSorted = sort === by;
  return (
    <th scope="col" aria-sort={isSorted ? (order === "asc" ? "ascending" : "descending") : undefined} title={title} className={`${HEAD} ${className}`}>
      <button type="button" onClick={() => sortBy(by, toggled({ sort, order }, by))} className={`inline-flex items-center gap-0.5 rounded hover:text-ink ${isSorted ? "text-ink" : ""}`}>
        {children}
        {isSorted && <Icon name={order === "asc" ? "up" : "down"} className="size-3" />}
      </button>
    </th>
  );
}

interface LineProps {
  formatCost: (cost: number | null) => string;
  run: RunSummary;
  formats: readonly ExportFormatOut[];
  chosen: boolean;
  onToggle: () => void;
  onDelete: () => void;
}

function RunLine({ run, formats, chosen, formatCost, onToggle, onDelete }: LineProps) {
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
        <div className="mt-1 text-xs text-ink-2 lg:hidden"><Moment at={run.created_at} /></div>
        <div className="mt-1 text-xs md:hidden"><TargetBars run={run} /></div>
      </td>
      <td className={`${CELL} hidden text-ink-2 lg:table-cell`}>
        <Moment at={run.created_at} />
        {run.finished_at && <div className="text-xs text-ink-3 2xl:hidden">took {formatDuration(run.took_s)}</div>}
      </td>
      <td className={`${CELL} hidden 2xl:table-cell`}>
        <div className="truncate" title={harmless(scoredBy(run))}>{harmless(scoredBy(run))}</div>
        <div className="truncate text-xs text-ink-3">{harmless(run.judge?.provider_name ?? "without a judge")}</div>
      </td>
      <td className={`${CELL} hidden md:table-cell`}><TargetBars run={run} /></td>
      <td className={`${CELL} hidden xl:table-cell`}>
        <Several names={[...run.collections.map((one) => one.name), ...run.dataset_versions.map((one) => `${one.name}, version ${one.version_number}`)]} />
        {(run.cases ?? 0) > 0 && <div className="text-xs text-ink-3">{plural(run.cases ?? 0, "case")}</div>}
      </td>
      <td className={CELL}>
        <Chip {...runLook(run.status, run.outcome)} />
        {run.gate && (
          <div className="mt-1" title={harmless(run.gate.sentence ?? "")}>
            <Chip {...verdictLook(run.gate)} />
          </div>
        )}
        <div className="mt-1 text-xs text-ink-2">{run.queue ? `Number ${run.queue.position}` : isOver(run.status) ? "" : PHASE_LABELS[run.phase]}</div>
        <div className="mt-1 text-xs text-ink-2 lg:hidden">
          {formatCount(done)} of {formatCount(asked)} {verb}
          {failed > 0 && <span className="text-bad"> · {formatCount(failed)} failed</span>}
        </div>
      </td>
      <td className={`${CELL} hidden lg:table-cell`}>
        <ProgressBar className="mt-2 h-1.5" label={`Progress of ${harmless(run.name)}`} segments={progressSegments(run.counts)} total={items} done={overCount(run.counts)} />
        <div className="mt-1.5 text-xs text-ink-2">
          {formatCount(done)} of {formatCount(asked)} {verb}
          {skipped > 0 && ` · ${formatCount(skipped)} skipped`}
          {failed > 0 && <span className="text-bad"> · {formatCount(failed)} failed</span>}
        </div>
      </td>
      <td className={`${CELL} hidden text-right 2xl:table-cell`}>{formatDuration(run.finished_at ? run.took_s : null)}</td>
      <td className={`${CELL} hidden text-right xl:table-cell`}>{formatCost(knownCost(run))}</td>
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
    ...(run.type === "BENCHMARK" ? [againEntry(run)] : []),
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
        <div key={index} className="truncate" title={harmless(name)}>
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
