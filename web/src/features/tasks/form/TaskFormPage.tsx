import { useState } from "react";
import { useLocation, useParams, useSearchParams } from "react-router";
import { useGetTaskQuery } from "@/api/tasks";
import { Allowed } from "@/components/Allowed";
import { CreatedBy } from "@/components/CreatedBy";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage } from "@/components/Problem";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useRead } from "@/lib/use-read";
import { useTitle } from "@/lib/use-title";
import { TaskForm } from "./TaskForm";

/** The address of an item of a run: in the list of items, or in the reading view. */
const ITEM = /^\/runs\/[\w-]+(\/items|\/read)?\?/;

/** `/tasks/new` and `/tasks/:taskId`. It leads back to the view of the list from which it was opened, or with
 * `?back=<address>` to the item of a run. */
export default function TaskFormPage() {
  const { taskId } = useParams();
  const { state } = useLocation() as { state: { from?: unknown } | null };
  const [search] = useSearchParams();
  const back = search.get("back") ?? "";
  const list = ITEM.test(back) ? back : typeof state?.from === "string" ? `/tasks?${state.from}` : "/tasks";
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-5 sm:px-6">
      {taskId === undefined ? <NewTask list={list} /> : <StoredTask key={taskId} id={taskId} list={list} />}
    </div>
  );
}

const isItem = (address: string) => !address.startsWith("/tasks");

function NewTask({ list }: { list: string }) {
  useTitle("New task");
  return (
    <>
      <PageHead title="New task" parent={{ to: list, label: "All tasks" }} />
      <TaskForm task={null} list={list} />
    </>
  );
}

function StoredTask({ id, list }: { id: string; list: string }) {
  const query = useGetTaskQuery({ id }, { refetchOnMountOrArgChange: true });
  const isRead = useRead(query);
  // The form is reset only when the user loads another version.
  const [reloads, setReloads] = useState(0);
  const title = query.data ? harmless(query.data.task_id) : "Task";
  useTitle(title);
  return (
    <>
      <PageHead title={title} parent={{ to: list, label: list === "/tasks" ? "All tasks" : isItem(list) ? "Back to the item" : "Back to the list" }} note={<CreatedBy id={query.data?.created_by} />} />
      {isRead && query.data ? (
        <Allowed readOnly right="tasks:update">
          <TaskForm key={reloads} task={query.data} list={list} saved={isItem(list) ? "Saved. The run keeps what it was judged by until its answers are judged again." : null} onReload={() => void query.refetch().then(() => setReloads((times) => times + 1))} />
        </Allowed>
      ) : query.isError && [404, 422].includes(toProblem(query.error).status ?? 0) ? (
        <Message icon="ring" title="There is no such task">
          <p>It may have been deleted, or the link is incomplete. All tasks are in the list.</p>
        </Message>
      ) : query.isError ? (
        <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton className="h-96" />
      )}
    </>
  );
}
