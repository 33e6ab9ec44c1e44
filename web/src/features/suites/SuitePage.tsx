import { lazy, Suspense, useState } from "react";
import { Link, useParams } from "react-router";
import type { SuiteOut } from "@/api/generated/config-api";
import { useCreator } from "@/api/creator";
import { useGetSuiteQuery } from "@/api/suites";
import { Baselines } from "@/components/baselines/Baselines";
import { Button, ButtonLink } from "@/components/Button";
import { Chip } from "@/components/Chip";
import { FactStrip } from "@/components/FactStrip";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { PlainText } from "@/components/PlainText";
import { ErrorMessage } from "@/components/Problem";
import { Section } from "@/components/Section";
import { TaskGraph } from "@/components/TaskGraph";
import { formatCount, formatDate, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useTitle } from "@/lib/use-title";
import { loadCode } from "@/live/reach";
import { AGGREGATIONS, caseCount, graphOf, statusLook, tasksOf } from "./suite-words";
import { NewVersion } from "./NewVersion";
import { TaskList } from "./TaskList";
import { Versions } from "./Versions";

const PublishDialog = lazy(() => loadCode(async () => ({ default: (await import("./PublishDialog")).PublishDialog })));
const RunSuite = lazy(() => loadCode(async () => ({ default: (await import("./RunSuite")).RunSuite })));

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
  const creator = useCreator(suite.created_by);
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
          <>
            <Link to={`/suites/${suite.id}/leaderboard`} className="text-accent hover:underline">Leaderboard</Link>
            <Link to={`/trends?suite=${encodeURIComponent(suite.name)}`} className="text-accent hover:underline">Trend</Link>
            {draft ? (
              <>
                <ButtonLink icon="pencil" right="suites:update" to={`/suites/${suite.id}/edit`}>Edit</ButtonLink>
                <Button kind="primary" icon="up" right="suites:create" onClick={() => setAsked("publish")}>Publish</Button>
              </>
            ) : (
              <>
                <NewVersion suite={suite} />
                <Button kind="primary" icon="play" right="runs:create" onClick={() => setAsked("run")}>Run it</Button>
              </>
            )}
          </>
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
          ...creator,
        ]}
      />
      <Section title="Tasks">
        <TaskGraph tasks={graphOf(tasks)} />
        <div className="border-t border-line">
          <TaskList tasks={tasks} aggregation={suite.aggregation} />
        </div>
      </Section>
      <Baselines subject={{ kind: "suite", id: suite.family_id, tasks: suite.definition.tasks.map(({ name }) => name) }} />
      <Versions suite={suite} />
      <Suspense>{asked === "publish" && <PublishDialog suite={suite} onClose={close} />}</Suspense>
      <Suspense>{asked === "run" && <RunSuite suite={suite} onClose={close} />}</Suspense>
    </>
  );
}
