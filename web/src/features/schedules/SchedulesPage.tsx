import { Link, useLocation, useNavigate } from "react-router";
import type { ScheduleOut } from "@/api/generated/orchestrator";
import { useListSchedulesQuery } from "@/api/schedules";
import { ButtonLink } from "@/components/Button";
import { Chip } from "@/components/Chip";
import { Message, Skeleton } from "@/components/Message";
import { Moment } from "@/components/Moment";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { clickRowLink } from "@/components/row-link";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useTitle } from "@/lib/use-title";
import { ScheduleDialog } from "./ScheduleDialog";
import { firingLook, localText, whatOf, whatText, type What } from "./schedule-words";

/** Firings happen while the page is open. */
const POLL_MS = 15_000;
const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-3 align-top first:pl-4 last:pr-4";

/** Return the run or suite that another page hands over. */
function handedOver(state: unknown): What | null {
  return typeof state === "object" && state !== null && "what" in state ? (state as { what: What }).what : null;
}

export default function SchedulesPage() {
  useTitle("Schedules");
  const navigate = useNavigate();
  const { state } = useLocation() as { state: unknown };
  const what = handedOver(state);
  const query = useListSchedulesQuery(undefined, { refetchOnMountOrArgChange: true, pollingInterval: POLL_MS });
  const schedules = query.data?.items ?? [];
  // It is in the history's state, so the dialog outlives a reload, and Back closes it.
  const close = () => void navigate(".", { replace: true, state: null });

  return (
    <div className="mx-auto flex w-full max-w-screen-2xl flex-col gap-4 px-4 py-6 sm:px-6">
      <PageHead
        title="Schedules"
        note={schedules.length > 0 && plural(schedules.length, "schedule")}
        actions={schedules.length > 0 && <ButtonLink icon="plus" kind="primary" to="/runs/new" right="runs:create">New schedule</ButtonLink>}
      />
      {query.data && query.isError && <ProblemNote error={query.error} />}
      <div className="card overflow-hidden">
        {query.data ? (
          schedules.length > 0 ? <Table schedules={schedules} /> : <NoSchedules />
        ) : query.isError ? (
          <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <div role="status" aria-label="Loading schedules" className="p-4">
            <Skeleton className="h-4 w-1/3" />
          </div>
        )}
      </div>
      {what && <ScheduleDialog schedule={null} what={what} onClose={close} onSaved={(made) => void navigate(`/runs/schedules/${made.id}`)} />}
    </div>
  );
}

function Table({ schedules }: { schedules: readonly ScheduleOut[] }) {
  return (
    <table className="w-full table-fixed">
      <thead className="border-b border-line bg-sunken text-xs text-ink-2">
        <tr>
          <th scope="col" className={HEAD}>Schedule</th>
          <th scope="col" className={`${HEAD} hidden w-64 lg:table-cell`}>What it runs</th>
          <th scope="col" className={`${HEAD} hidden w-56 sm:table-cell`}>Next time</th>
          <th scope="col" className={`${HEAD} w-40 sm:w-56`}>Last time</th>
        </tr>
      </thead>
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <tbody className="divide-y divide-line" onClick={clickRowLink}>
        {schedules.map((one) => <Line key={one.id} schedule={one} />)}
      </tbody>
    </table>
  );
}

function Line({ schedule }: { schedule: ScheduleOut }) {
  const { last } = schedule;
  const next = schedule.paused ? "Paused" : schedule.next_times[0] ? localText(schedule.next_times[0].local) : "Never";
  return (
    <tr className="cursor-pointer hover:bg-hover">
      <td className={CELL}>
        <Link to={`/runs/schedules/${schedule.id}`} className="font-medium wrap-anywhere hover:text-accent hover:underline">{harmless(schedule.name)}</Link>
        <div className="mt-0.5 text-xs wrap-anywhere text-ink-2">
          <code className="font-mono">{schedule.cron}</code> {schedule.time_zone}
        </div>
        <div className="mt-0.5 text-xs text-ink-2 sm:hidden">{next}</div>
      </td>
      <td className={`${CELL} hidden text-ink-2 lg:table-cell`}>
        <div className="line-clamp-2 wrap-anywhere">{harmless(whatText(whatOf(schedule)))}</div>
      </td>
      <td className={`${CELL} hidden text-ink-2 sm:table-cell`}>{next}</td>
      <td className={CELL}>
        {last ? (
          <>
            <Chip {...firingLook(last)} />
            <div className="mt-1 text-xs text-ink-2"><Moment at={last.fired_at} /></div>
            {(last.reason ?? last.run?.reason) && <div className="mt-1 line-clamp-2 text-xs wrap-anywhere text-ink-2">{harmless(last.reason ?? last.run?.reason ?? "")}</div>}
          </>
        ) : (
          <span className="text-ink-3">Not yet</span>
        )}
      </td>
    </tr>
  );
}

function NoSchedules() {
  return (
    <Message icon="clock" title="No schedules yet">
      <p>A schedule starts a run again and again: every night, or each Monday. Compose a run first, or open a suite to run it. Then choose “Schedule it” instead of starting it.</p>
      <p className="mt-4 flex justify-center">
        <ButtonLink to="/runs/new" icon="plus" kind="primary" right="runs:create">Compose a run</ButtonLink>
      </p>
    </Message>
  );
}
