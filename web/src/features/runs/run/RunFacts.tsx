import { Link } from "react-router";
import type { RunDetail } from "@/api/generated/orchestrator";
import { Icon } from "@/components/Icon";
import { Moment } from "@/components/Moment";
import { PlainText } from "@/components/PlainText";
import { compareRunsHref } from "@/lib/compare-link";
import { formatDuration, kindBefore, secondsBetween } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useNow } from "@/lib/use-now";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { firstOf, scoredBy } from "@/lib/scored-by";
import { clusteredBy, EVALUATION_LABELS, isOver, sampleText } from "../run-words";
import { PhaseSteps } from "./PhaseSteps";

/** More datasets than these are those of a suite, whose definition links them. */
const MOST_LINKS = 5;

/** The facts about a run: how it was made, what it consists of, and what to be careful about. */
export function RunFacts({ run, store }: { run: RunDetail; store: RunStore }) {
  const head = useValue(store.head);
  const { status, phase } = head ?? run;
  return (
    <section aria-label="About the run" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 text-xs text-ink-2">
        {run.type === "BENCHMARK" ? <PhaseSteps status={status} phase={phase} /> : <span>{EVALUATION_LABELS[run.type]}</span>}
        <Elapsed run={run} over={isOver(status)} />
        <span>
          {run.judge ? "Judge" : "Scored by"} <span className="font-medium text-ink">{harmless(scoredBy(run))}</span>
        </span>
        {run.suite && (
          <span>
            {kindBefore("Suite", run.suite.name)}
            <Link to={`/suites/${run.suite.suite_id}`} className="font-medium wrap-anywhere text-ink hover:text-accent hover:underline">
              {harmless(run.suite.name)}, version {run.suite.version_number}
            </Link>
          </span>
        )}
        {run.collections.length > 0 && (
          <span>
            {run.collections.length === 1 ? kindBefore("Collection", run.collections[0]!.name) : "Collections "}
            <span className="font-medium text-ink" title={run.collections.map((one) => harmless(one.name)).join(", ")}>{firstOf(run.collections.map((one) => harmless(one.name)))}</span>
          </span>
        )}
        {run.dataset_versions.length > MOST_LINKS && (
          <span>
            Datasets <span className="font-medium text-ink" title={run.dataset_versions.map((one) => `${harmless(one.name)}, version ${one.version_number}`).join("\n")}>{firstOf(run.dataset_versions.map((one) => harmless(one.name)))}</span>
          </span>
        )}
        {run.dataset_versions.length <= MOST_LINKS && run.dataset_versions.map((one) => (
          <span key={one.version_id}>
            {kindBefore("Dataset", one.name)}
            <Link to={`/datasets/${one.dataset_id}/versions/${one.version_number}`} className="font-medium text-ink hover:text-accent hover:underline">
              {harmless(one.name)}, version {one.version_number}
            </Link>
          </span>
        ))}
        {run.cluster_level !== "case" && (
          <span>
            Clustered by <span className="font-medium text-ink">{clusteredBy(run)}</span>
          </span>
        )}
        {run.subject?.kind === "preset" && (
          <span>
            {kindBefore("Preset", run.subject.name)}<Link to={`/presets/${run.subject.id}`} className="font-medium wrap-anywhere text-accent hover:underline">{harmless(run.subject.name)}</Link>
          </span>
        )}
        {run.sample && (
          <span>
            Sample <span className="font-medium text-ink">{sampleText(run.sample)}</span>
          </span>
        )}
        {run.schedule && (
          <span>
            {kindBefore("Schedule", run.schedule.name)}<Link to={`/runs/schedules/${run.schedule.id}`} className="font-medium wrap-anywhere text-accent hover:underline">{harmless(run.schedule.name)}</Link>
          </span>
        )}
        {run.experiment && (
          <span>
            {kindBefore("Experiment", run.experiment.name)}<Link to={`/experiments/${run.experiment.id}`} className="font-medium wrap-anywhere text-accent hover:underline">{harmless(run.experiment.name)}</Link>
          </span>
        )}
        <span>Created <Moment at={run.created_at} /></span>
      </div>
      {run.description && <PlainText text={run.description} maxLines={4} className="max-w-4xl text-ink-2" />}
      {(run.tags.length > 0 || run.baseline_run_id) && (
        <div className="flex flex-wrap items-center gap-2 text-xs">
          {run.tags.map((tag) => (
            <Link key={tag} to={`/runs?${new URLSearchParams({ tag })}`} className="max-w-full truncate rounded bg-mute-soft px-1.5 py-0.5 text-ink-2 hover:text-ink">
              {harmless(tag)}
            </Link>
          ))}
          {run.baseline_run_id && (
            <>
              <Link to={`/runs/${run.baseline_run_id}`} className="font-medium text-accent hover:underline">
                Its baseline
              </Link>
              <Link to={compareRunsHref([run.baseline_run_id, run.id])} className="font-medium text-accent hover:underline">
                Compare with it
              </Link>
            </>
          )}
        </div>
      )}
      {run.warnings.length > 0 && (
        <ul id="warnings" aria-label="Warnings" className="flex scroll-mt-16 flex-col gap-1 rounded-md bg-warn-soft px-3 py-2 text-warn">
          {run.warnings.map((one) => (
            <li key={one.message} className="flex items-start gap-2">
              <Icon name="alert" className="mt-0.5" />
              <span className="min-w-0 wrap-anywhere">{harmless(one.message)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The wall-clock time of all working periods, including pauses but not the time between an end and a retry. */
function Elapsed({ run, over }: { run: RunDetail; over: boolean }) {
  const now = useNow(!over && run.started_at !== null);
  if (!run.started_at) return <span>Not started</span>;
  const began = run.reopened_at ?? run.started_at;
  const tookS = run.took_s + (run.finished_at ? 0 : secondsBetween(began, now));
  return (
    <span>
      {over ? "Took" : "Elapsed"}{" "}
      <span className="font-medium text-ink">{formatDuration(tookS)}</span>
    </span>
  );
}
