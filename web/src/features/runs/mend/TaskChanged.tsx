import { useGetTaskQuery } from "@/api/tasks";
import type { ItemDetail, RunDetail } from "@/api/generated/orchestrator";
import { ButtonLink } from "@/components/Button";
import { Chip } from "@/components/Chip";
import { DiffView } from "@/components/DiffView";
import { PlainText } from "@/components/PlainText";
import { changesOf, type Change } from "./changes";

/** A note on an item whose task was changed since the run: the old and new texts, and the way to judge again. */
export default function TaskChanged({ run, item }: { run: RunDetail; item: ItemDetail }) {
  const { currentData: task } = useGetTaskQuery({ id: item.case.id }, { refetchOnMountOrArgChange: true });
  if (!task) return null;
  const { asked, references } = changesOf(item.case, task);
  if (asked.length + references.length === 0) return null;
  const isCallable = run.targets.every((one) => one.provider_id !== null);
  return (
    <section aria-label="Changed since this run" className="flex flex-col gap-3 rounded-md border border-line-strong px-3 py-3">
      <div className="flex flex-wrap gap-2">
        {references.length > 0 && <Chip label="The reference has changed since this run" tone="warn" icon="alert" />}
        {asked.length > 0 && <Chip label="The question has changed since this run" tone="warn" icon="alert" />}
      </div>
      <dl className="flex flex-col gap-3">{[...references, ...asked].map((one) => <Changed key={one.name} change={one} />)}</dl>
      {run.suite ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <ButtonLink kind="primary" icon="play" right="runs:create" to={`/suites/${run.suite.suite_id}`}>Run the suite again</ButtonLink>
          <p className="min-w-0 flex-1 basis-56 text-xs text-ink-2">The new reference counts in the suite’s next run. Its tasks have settings and evaluators of their own, so this run has no copy.</p>
        </div>
      ) : isCallable ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <ButtonLink kind="primary" icon="scale" right="runs:create" to={`/runs/new?clone=${encodeURIComponent(run.id)}&mended=${encodeURIComponent(item.id)}`}>Judge the answers again</ButtonLink>
          <p className="min-w-0 flex-1 basis-56 text-xs text-ink-2">In a new run, so that this one stays as it is and the two can be compared.</p>
        </div>
      ) : (
        <p className="text-xs text-ink-2">The answers of this run were imported, so no new run can take them. Import them again to judge them by the new reference.</p>
      )}
    </section>
  );
}

function Changed({ change: { name, before, after } }: { change: Change }) {
  return (
    <div className="grid gap-x-4 gap-y-1 sm:grid-cols-[7rem_minmax(0,1fr)]">
      <dt className="text-xs leading-5 text-ink-2">{name}: in this run</dt>
      <dd className="min-w-0">{before === "" ? <NotSet /> : <PlainText text={before} maxLines={8} />}</dd>
      <dt className="text-xs leading-5 text-ink-2">{name}: now</dt>
      <dd className="min-w-0">{after === "" ? <NotSet /> : before === "" ? <PlainText text={after} maxLines={8} /> : <DiffView before={before} after={after} />}</dd>
    </div>
  );
}

const NotSet = () => <p className="text-ink-3">not set</p>;
