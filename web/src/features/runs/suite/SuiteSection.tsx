import { useEffect } from "react";
import { Link } from "react-router";
import type { RunDetail, SuiteOfRun, SuiteRef, SuiteResultOut, TaskResultOut } from "@/api/generated/orchestrator";
import { useGetSuiteOfRunQuery } from "@/api/suites";
import { Disclosure } from "@/components/Disclosure";
import { Icon } from "@/components/Icon";
import { zoomedAxis, type Axis } from "@/components/charts/axis";
import { AxisEnds, IntervalBar } from "@/components/IntervalBar";
import { Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { Section } from "@/components/Section";
import { formatCount, formatPart, MISSING, withKind } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import type { RunStore } from "@/live/run-store";
import { useItemsHref } from "../results/item-filter";
import { isOver } from "../run-words";
import { SuiteGraph } from "./SuiteGraph";
import { AGGREGATION_LABELS, categoriesOf, gateText, sentence, TASK_STATES } from "./suite-scores";

const POLL_MS = 5000;
const MOST_UNFOLDED = 12;
const HEAD = "px-3 py-2.5 text-right font-medium first:pl-4 first:text-left last:pr-4 align-bottom";
const CELL = "px-3 py-2.5 text-right align-top first:pl-4 first:text-left last:pr-4";

/** The scores of a run of a suite: of the suite, its categories and its tasks. */
export function SuiteSection({ run, suite, store }: { run: RunDetail; suite: SuiteRef; store: RunStore }) {
  const over = isOver(run.status);
  const { data, error, isError, refetch } = useGetSuiteOfRunQuery({ runId: run.id }, { pollingInterval: over ? 0 : POLL_MS, refetchOnMountOrArgChange: true });
  // The end of the run changes the scores once more.
  useEffect(() => {
    if (over) void refetch();
  }, [over, refetch]);
  return (
    <Section title={`${withKind("Suite", harmless(suite.name))}, version ${suite.version_number}`} aside={<Link to={`/suites/${suite.suite_id}`} className="text-accent hover:underline">Its definition</Link>}>
      {data && !over && <div className="border-b border-line"><SuiteGraph suite={data} items={run.counts.items} store={store} /></div>}
      {data ? <Scores suite={data} /> : isError ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : <div className="p-4"><Skeleton className="h-32" /></div>}
      {data && over && <GraphBelow suite={data} items={run.counts.items} store={store} />}
    </Section>
  );
}

/** The graph of a finished run. That of many tasks is folded, because it would fill several screens of a phone. */
function GraphBelow({ suite, items, store }: { suite: SuiteOfRun; items: number; store: RunStore }) {
  const graph = <SuiteGraph suite={suite} items={items} store={store} />;
  if (suite.tasks.length <= MOST_UNFOLDED) return <div className="border-t border-line">{graph}</div>;
  return <Disclosure className="border-t border-line px-4 py-2" title="Tasks by level" summary={`${formatCount(suite.tasks.length)} tasks, and what each waits for`}>{graph}</Disclosure>;
}

function Scores({ suite }: { suite: SuiteOfRun }) {
  const axis = zoomedAxis(suite.targets.map((one) => ({ value: one.score, interval: one.interval })));
  const parts = zoomedAxis(suite.targets.flatMap((one) => [...one.categories, ...one.tasks]).map((one) => ({ value: one.score, interval: one.interval })));
  return (
    <>
      <ul aria-label="Scores of the suite" className="divide-y divide-line border-b border-line">
        {suite.targets.map((target) => <TargetScore key={target.target_id} target={target} axis={axis} aggregation={AGGREGATION_LABELS[suite.aggregation]} />)}
      </ul>
      <TasksTable suite={suite} axis={parts} />
    </>
  );
}

function TargetScore({ target, axis, aggregation }: { target: SuiteResultOut; axis: Axis; aggregation: string }) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1 px-4 py-3">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{harmless(target.label)}</p>
        <p className="text-xs text-ink-2">{aggregation} · {formatPart(target.scored, target.items)} answers scored{target.skipped > 0 && `, ${formatCount(target.skipped)} skipped`}</p>
        {target.completeness && (
          <p className="mt-1 flex items-start gap-1.5 text-warn">
            <Icon name="alert" className="mt-0.5" />
            <span className="min-w-0 wrap-anywhere">{sentence(harmless(target.completeness))}</span>
          </p>
        )}
        {target.note && <p className="mt-1 text-xs wrap-anywhere text-ink-2">{sentence(harmless(target.note))}</p>}
      </div>
      <div className="ml-auto text-base">{target.score === null ? <span className="text-ink-2">No score yet</span> : <><AxisEnds axis={axis} /><IntervalBar value={target.score} interval={target.interval} axis={axis} /></>}</div>
    </li>
  );
}

/** A column per target. Each category is a row above its tasks. */
function TasksTable({ suite, axis }: { suite: SuiteOfRun; axis: Axis }) {
  const itemsHref = useItemsHref();
  // A note such as "all clusters have the same score" holds for many tasks: it stands once below the table.
  const notes = [...new Set(suite.targets.flatMap((target) => target.tasks.flatMap((one) => (one.score !== null && one.note) || [])))];
  return (
    <>
      <div tabIndex={0} role="group" aria-label="Scores of the tasks" className="overflow-x-auto outline-offset-[-2px]">
        <table className="w-full">
          <thead className="border-b border-line bg-sunken text-xs text-ink-2">
            <tr>
              <th scope="col" className={HEAD}>Task</th>
              {suite.targets.map((target) => <th key={target.target_id} scope="col" className={HEAD}><span className="inline-block max-w-60 wrap-anywhere">{harmless(target.label)}</span><AxisEnds axis={axis} /></th>)}
            </tr>
          </thead>
          {categoriesOf(suite).map(({ category, tasks }) => (
            <tbody key={category} className="divide-y divide-line border-b border-line last:border-b-0">
              <tr className="bg-sunken/60">
                <th scope="rowgroup" className={`${CELL} min-w-32 text-xs font-medium text-ink-2`}><span className="wrap-anywhere">{harmless(category)}</span></th>
                {suite.targets.map((target) => {
                  const score = target.categories.find((one) => one.category === category);
                  return <td key={target.target_id} className={CELL}><IntervalBar value={score?.score ?? null} interval={score?.interval ?? null} axis={axis} /></td>;
                })}
              </tr>
              {tasks.map((task) => (
                <tr key={task} className="hover:bg-hover">
                  <th scope="row" className={`${CELL} min-w-32 font-normal`}>
                    <Link to={itemsHref({ suite_task: task })} className="font-medium wrap-anywhere hover:text-accent hover:underline">{harmless(task)}</Link>
                  </th>
                  {suite.targets.map((target) => (
                    <td key={target.target_id} className={CELL}>
                      <TaskScore
                        axis={axis}
                        result={target.tasks.find((one) => one.task === task)}
                        notes={notes}
                        missing={target.missing.find((one) => one.task === task)?.reason}
                        href={itemsHref({ suite_task: task, target_id: target.target_id })}
                        failedHref={itemsHref({ suite_task: task, target_id: target.target_id, status: "FAILED" })}
                        skippedHref={itemsHref({ suite_task: task, target_id: target.target_id, status: "SKIPPED" })}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
      {notes.length > 0 && (
        <ol aria-label="Notes on the scores of the tasks" className="flex flex-col gap-1 border-t border-line px-4 py-3 text-xs text-ink-2">
          {notes.map((note, index) => <li key={note} className="wrap-anywhere"><sup>{index + 1}</sup> {sentence(harmless(note))}</li>)}
        </ol>
      )}
    </>
  );
}

interface TaskScoreProps {
  axis: Axis;
  result: TaskResultOut | undefined;
  /** The notes below the table, numbered from 1. */
  notes: readonly string[];
  missing: string | undefined;
  href: string;
  failedHref: string;
  skippedHref: string;
}

function TaskScore({ axis, result, notes, missing, href, failedHref, skippedHref }: TaskScoreProps) {
  const reason = missing && <p className="ml-auto max-w-60 text-xs wrap-anywhere text-ink-2">{harmless(missing)}</p>;
  if (!result) return <>{MISSING}{reason}</>;
  const note = result.score === null || result.note === null ? 0 : notes.indexOf(result.note) + 1;
  return (
    <>
      <IntervalBar value={result.score} interval={result.interval} axis={axis} />
      <p className="text-xs text-ink-2">
        {result.state !== "COMPLETED" && `${TASK_STATES[result.state]} · `}
        <Link to={href} className="whitespace-nowrap hover:text-accent hover:underline">{formatPart(result.scored, result.items)} scored</Link>
        {note > 0 && <sup className="ml-0.5" title={sentence(harmless(result.note ?? ""))}>{note}</sup>}
        {result.skipped > 0 && <> · <Link to={skippedHref} className="hover:text-accent hover:underline">{formatCount(result.skipped)} skipped</Link></>}
        {result.failed > 0 && <> · <Link to={failedHref} className="text-bad hover:underline">{formatCount(result.failed)} failed</Link></>}
      </p>
      {result.gates.filter((gate) => gate.status !== "FAILED").map((gate) => (
        <p key={gate.task} className="ml-auto max-w-60 text-xs wrap-anywhere text-ink-2">{gateText(gate)}</p>
      ))}
      {reason}
    </>
  );
}
