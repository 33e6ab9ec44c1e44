import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { useCreator } from "@/api/creator";
import type { FiringOut, ScheduleOut } from "@/api/generated/orchestrator";
import { useDeleteScheduleMutation, useGetScheduleQuery, useListFiringsQuery, usePauseScheduleMutation, useResumeScheduleMutation, useRunScheduleMutation } from "@/api/schedules";
import { Button } from "@/components/Button";
import { Chip } from "@/components/Chip";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { FactStrip } from "@/components/FactStrip";
import { Skeleton } from "@/components/Message";
import { Moment } from "@/components/Moment";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { toast } from "@/components/Toast";
import { harmless } from "@/lib/plain-text";
import { uniqueKey } from "@/lib/unique-key";
import { useTitle } from "@/lib/use-title";
import { NextTimes } from "./NextTimes";
import { ScheduleDialog } from "./ScheduleDialog";
import { firingLook, missedText, whatOf, whatText } from "./schedule-words";

/** Firings happen while the page is open. */
const POLL_MS = 5_000;
const MOST_FIRINGS = 100;
const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-2.5 align-top first:pl-4 last:pr-4";

export default function SchedulePage() {
  const { scheduleId = "" } = useParams();
  const query = useGetScheduleQuery({ scheduleId }, { refetchOnMountOrArgChange: true, pollingInterval: POLL_MS });
  useTitle(query.data?.name ?? "Schedule");
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      {query.currentData ? (
        <Loaded schedule={query.currentData} />
      ) : query.isError ? (
        <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton className="h-96" />
      )}
    </div>
  );
}

function Loaded({ schedule }: { schedule: ScheduleOut }) {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"edit" | "delete" | null>(null);
  const [pause, pausing] = usePauseScheduleMutation();
  const [resume, resuming] = useResumeScheduleMutation();
  const [run, running] = useRunScheduleMutation();
  const [remove, removing] = useDeleteScheduleMutation();
  const { id: scheduleId } = schedule;
  const creator = useCreator(schedule.created_by);
  const error = pausing.error ?? resuming.error ?? running.error;
  const close = () => setAsked(null);
  const runNow = async () => {
    const answer = await run({ scheduleId, "Idempotency-Key": uniqueKey() });
    if (answer.data?.run) toast(`The run ${answer.data.run.name} is created.`);
  };
  const confirmDelete = async () => {
    const answer = await remove({ scheduleId });
    if (answer.error) return;
    toast(`${schedule.name} is deleted.`);
    void navigate("/runs/schedules");
  };
  return (
    <>
      <PageHead
        title={harmless(schedule.name)}
        parent={{ to: "/runs/schedules", label: "All schedules" }}
        note={schedule.paused && "Paused"}
        actions={
          <>
            <Button icon="play" right="runs:create" disabled={running.isLoading} onClick={() => void runNow()}>Run now</Button>
            {schedule.paused ? (
              <Button icon="clock" right="runs:create" disabled={resuming.isLoading} onClick={() => void resume({ scheduleId })}>Resume</Button>
            ) : (
              <Button icon="pause" right="runs:create" disabled={pausing.isLoading} onClick={() => void pause({ scheduleId })}>Pause</Button>
            )}
            <Button icon="pencil" right="runs:update" onClick={() => setAsked("edit")}>Change</Button>
            <Button icon="trash" kind="danger" right="runs:delete" onClick={() => setAsked("delete")}>Delete</Button>
          </>
        }
      />
      {error && <ProblemNote error={error} />}
      <FactStrip
        label="The schedule"
        facts={[
          ["Cron expression", schedule.cron],
          ["Time zone", schedule.time_zone],
          ["What it runs", harmless(whatText(whatOf(schedule)))],
          ["While the last run is not over", schedule.skip_if_running ? "Skips the time" : "Starts another run"],
          ...creator,
        ]}
      />
      <div className="grid items-start gap-4 lg:grid-cols-[19rem_minmax(0,1fr)]">
        <Section title="Next times" aside={<p className="text-xs text-ink-2">{schedule.time_zone}</p>}>
          <div className="px-4 py-3">
            {schedule.next_times.length > 0 ? <NextTimes times={schedule.next_times} /> : <p className="text-ink-2">{schedule.paused ? "None while it is paused. What is due meanwhile does not run later." : "It is not due any more."}</p>}
          </div>
        </Section>
        <History scheduleId={scheduleId} />
      </div>
      {asked === "edit" && <ScheduleDialog schedule={schedule} what={whatOf(schedule)} onClose={close} />}
      <ConfirmDialog open={asked === "delete"} onClose={close} title="Delete this schedule?" name={schedule.name} action="Delete the schedule" busy={removing.isLoading} error={removing.error} onConfirm={() => void confirmDelete()}>
        <p>Its history is deleted with it. Its runs are kept.</p>
      </ConfirmDialog>
    </>
  );
}

function History({ scheduleId }: { scheduleId: string }) {
  const query = useListFiringsQuery({ scheduleId, limit: MOST_FIRINGS }, { refetchOnMountOrArgChange: true, pollingInterval: POLL_MS });
  const firings = query.data?.items ?? [];
  return (
    <Section title="History" aside={<p className="text-xs text-ink-2">The last {MOST_FIRINGS} times are kept.</p>}>
      {query.isError && !query.data ? (
        <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
      ) : firings.length === 0 ? (
        <p className="px-4 py-3 text-ink-2">{query.data ? "It has not started anything yet." : "Loading…"}</p>
      ) : (
        <table className="w-full table-fixed">
          <thead className="border-b border-line bg-sunken text-xs text-ink-2">
            <tr>
              <th scope="col" className={`${HEAD} w-34 sm:w-44`}>Due</th>
              <th scope="col" className={`${HEAD} sm:w-40`}>Result</th>
              <th scope="col" className={`${HEAD} max-sm:hidden`}>Run</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {firings.map((firing) => <Line key={firing.id} firing={firing} />)}
          </tbody>
        </table>
      )}
    </Section>
  );
}

/** Show a firing as a row of the table. On small screens the run stands below the result. */
function Line({ firing }: { firing: FiringOut }) {
  return (
    <tr>
      <td className={CELL}>
        <Moment at={firing.due_at} />
        <div className="text-xs text-ink-2">{firing.cause === "REQUESTED" ? "Run now" : missedText(firing)}</div>
      </td>
      <td className={CELL}>
        <Chip {...firingLook(firing)} />
        <div className="mt-1 sm:hidden"><Run firing={firing} /></div>
      </td>
      <td className={`${CELL} max-sm:hidden`}><Run firing={firing} /></td>
    </tr>
  );
}

function Run({ firing: { run, reason } }: { firing: FiringOut }) {
  const why = reason ?? run?.reason;
  return (
    <>
      {run && <Link to={`/runs/${run.id}`} className="font-medium wrap-anywhere text-accent hover:underline">{harmless(run.name)}</Link>}
      {why && <p className="text-xs wrap-anywhere text-ink-2">{harmless(why)}</p>}
    </>
  );
}
