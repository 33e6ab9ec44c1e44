import { lazy, Suspense, useState } from "react";
import { Link, useParams } from "react-router";
import type { SuiteOut } from "@/api/generated/config-api";
import { useGetSuiteQuery, useListSuiteVersionsQuery, usePublishSuiteMutation } from "@/api/suites";
import { Button } from "@/components/Button";
import { Chip } from "@/components/Chip";
import { AlertDialog } from "@/components/Dialog";
import { FactStrip } from "@/components/FactStrip";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { PlainText } from "@/components/PlainText";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { toast } from "@/components/Toast";
import { formatCount, formatDate, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useTitle } from "@/lib/use-title";
import { loadCode } from "@/live/reach";
import { Baselines } from "./Baselines";
import { AGGREGATIONS, caseCount, statusLook, tasksOf } from "./suite-words";
import { TaskGraph } from "./TaskGraph";
import { TaskList } from "./TaskList";

const RunSuite = lazy(() => loadCode(async () => ({ default: (await import("./RunSuite")).RunSuite })));

const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-2.5 align-top first:pl-4 last:pr-4";

/** `/suites/:suiteId`: one version of a suite. */
export default function SuitePage() {
  const { suiteId = "" } = useParams();
  const query = useGetSuiteQuery({ id: suiteId }, { refetchOnMountOrArgChange: true });
  useTitle(query.currentData?.name ?? "Suite");
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      {query.currentData ? (
        <Loaded key={suiteId} suite={query.currentData} />
      ) : !query.isError ? (
        <Skeleton className="h-96" />
      ) : [404, 422].includes(toProblem(query.error).status ?? 0) ? (
        <>
          <PageHead title="Suite" parent={{ to: "/suites", label: "All suites" }} />
          <Message icon="ring" title="There is no such version of a suite">
            <p>It may have been deleted, or the link is incomplete. All suites are in the list.</p>
          </Message>
        </>
      ) : (
        <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
      )}
    </div>
  );
}

function Loaded({ suite }: { suite: SuiteOut }) {
  const [asked, setAsked] = useState<"publish" | "run" | null>(null);
  const draft = suite.status === "DRAFT";
  const tasks = tasksOf(suite);
  const [aggregation, meaning] = AGGREGATIONS[suite.aggregation];
  const close = () => setAsked(null);
  return (
    <>
      <PageHead
        title={harmless(suite.name)}
        parent={{ to: "/suites", label: "All suites" }}
        note={<span className="inline-flex items-center gap-2">Version {suite.version_number} <Chip {...statusLook(suite.status)} /></span>}
        actions={
          draft ? (
            <Button kind="primary" icon="up" right="suites:create" onClick={() => setAsked("publish")}>Publish</Button>
          ) : (
            <Button kind="primary" icon="play" right="runs:create" onClick={() => setAsked("run")}>Run it</Button>
          )
        }
      />
      {suite.description && <PlainText text={suite.description} maxLines={4} className="max-w-4xl text-ink-2" />}
      <FactStrip
        label="The suite"
        facts={[
          ["Tasks", formatCount(suite.task_count), plural(suite.categories.length, "category", "categories")],
          ["Cases", formatCount(caseCount(suite)), `${plural(suite.total_items, "item")} per model`],
          ["Its score", aggregation, meaning],
          ["Judge", suite.needs_judge ? "Needed" : "Not needed"],
          draft ? ["Changed", formatDate(suite.updated_at)] : ["Published", formatDate(suite.published_at)],
        ]}
      />
      <Section title="Tasks">
        <TaskGraph tasks={tasks} />
        <div className="border-t border-line">
          <TaskList tasks={tasks} aggregation={suite.aggregation} />
        </div>
      </Section>
      <Baselines suite={suite} />
      <Versions suite={suite} />
      {asked === "publish" && <PublishDialog suite={suite} onClose={close} />}
      <Suspense>{asked === "run" && <RunSuite suite={suite} onClose={close} />}</Suspense>
    </>
  );
}

function PublishDialog({ suite, onClose }: { suite: SuiteOut; onClose: () => void }) {
  const [publish, publishing] = usePublishSuiteMutation();
  const confirm = async () => {
    const answer = await publish({ id: suite.id });
    if (!answer.data) return;
    toast(`Version ${answer.data.version_number} is published.`);
    onClose();
  };
  return (
    <AlertDialog open onClose={onClose} title={`Publish version ${suite.version_number}?`}>
      <p className="mt-2 text-ink-2">A published version can run, and it never changes: a later change makes the next version. A dataset cannot be deleted while the version uses it.</p>
      {publishing.error !== undefined && <div className="mt-3"><ProblemNote error={publishing.error} /></div>}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Not now</Button>
        <Button kind="primary" disabled={publishing.isLoading} data-autofocus onClick={() => void confirm()}>
          {publishing.isLoading ? "Publishing…" : "Publish it"}
        </Button>
      </div>
    </AlertDialog>
  );
}

function Versions({ suite }: { suite: SuiteOut }) {
  const query = useListSuiteVersionsQuery({ id: suite.id }, { refetchOnMountOrArgChange: true });
  return (
    <Section title="Versions">
      {query.isError && !query.data ? (
        <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <p className="px-4 py-3 text-ink-2">Loading…</p>
      ) : (
        <table className="w-full table-fixed">
          <thead className="border-b border-line bg-sunken text-xs text-ink-2">
            <tr>
              <th scope="col" className={HEAD}>Version</th>
              <th scope="col" className={`${HEAD} w-32`}>Status</th>
              <th scope="col" className={`${HEAD} hidden w-24 text-right sm:table-cell`}>Tasks</th>
              <th scope="col" className={`${HEAD} w-36 sm:w-48`}>Published</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {query.data.items.map((one) => (
              <tr key={one.id}>
                <td className={CELL}>
                  {one.id === suite.id ? (
                    <span className="font-medium">{one.version_number} <span className="font-normal text-ink-2">(shown)</span></span>
                  ) : (
                    <Link to={`/suites/${one.id}`} aria-label={`Version ${one.version_number}`} className="font-medium text-accent hover:underline">{one.version_number}</Link>
                  )}
                </td>
                <td className={CELL}><Chip {...statusLook(one.status)} /></td>
                <td className={`${CELL} hidden text-right sm:table-cell`}>{formatCount(one.task_count)}</td>
                <td className={`${CELL} text-ink-2`}>{formatDate(one.published_at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
