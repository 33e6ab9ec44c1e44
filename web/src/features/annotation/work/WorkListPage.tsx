import { useState } from "react";
import { Link } from "react-router";
import { useListWorkQuery } from "@/api/annotation";
import { Button } from "@/components/Button";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage } from "@/components/Problem";
import { ProgressBar } from "@/components/ProgressBar";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { session } from "@/lib/rights";
import { useTitle } from "@/lib/use-title";
import { useValue } from "@/live/hooks";
import { chooseAnnotator, chosenAnnotator } from "./entries";

/** `/annotation/work`: the active tasks, for those who label. */
export default function WorkListPage() {
  useTitle("To label");
  const signsIn = useValue(session)?.auth === "on";
  const [annotator, setAnnotator] = useState(chosenAnnotator);
  const query = useListWorkQuery({ annotatorId: signsIn ? null : annotator }, { refetchOnMountOrArgChange: true });
  const tasks = query.data?.tasks ?? [];
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      <PageHead
        title="To label" note={tasks.length > 0 && plural(tasks.length, "task")}
        actions={
          !signsIn && annotator !== null && (
            <Button
              kind="ghost"
              onClick={() => {
                chooseAnnotator(null);
                setAnnotator(null);
              }}
            >
              Somebody else labels
            </Button>
          )
        }
      />
      {query.isError ? (
        <div className="card"><ErrorMessage error={query.error} onRetry={() => void query.refetch()} /></div>
      ) : !query.data ? (
        <Skeleton className="h-24" />
      ) : tasks.length === 0 ? (
        <div className="card"><Message icon="check" title="There is nothing to label"><p>No task is active now. The people who create tasks activate them.</p></Message></div>
      ) : (
        <ul aria-label="Active tasks" className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {tasks.map((one) => (
            <li key={one.task_id} className="card flex flex-col gap-2 px-4 py-3">
              <Link to={`/annotation/${one.task_id}/label`} className="font-medium wrap-anywhere text-accent hover:underline">{harmless(one.name)}</Link>
              {one.description && <p className="line-clamp-3 text-xs wrap-anywhere text-ink-2">{harmless(one.description)}</p>}
              <ProgressBar label={`Items of ${harmless(one.name)} that have their labels`} done={one.completed_items} total={one.total_items} segments={[{ name: "labelled", value: one.completed_items, tone: "good" }]} />
              <p className="text-xs text-ink-2">{formatCount(one.completed_items)} of {plural(one.total_items, "item")} done; {formatCount(one.own_annotations)} by you</p>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
