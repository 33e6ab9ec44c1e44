import { Link, useNavigate } from "react-router";
import { TASKS_PER_PAGE, useListAnnotationTasksQuery } from "@/api/annotation";
import type { AnnotationTaskOut } from "@/api/generated/config-api";
import { Button, ButtonLink } from "@/components/Button";
import { Chip } from "@/components/Chip";
import { INPUT } from "@/components/Field";
import { Message, Skeleton } from "@/components/Message";
import { Moment } from "@/components/Moment";
import { PageHead } from "@/components/PageHead";
import { Pager } from "@/components/Pager";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { ProgressBar } from "@/components/ProgressBar";
import { clickRowLink } from "@/components/row-link";
import { SearchField } from "@/components/SearchField";
import { formatCount, plural } from "@/lib/format";
import { usePagedView } from "@/lib/paged-view";
import { harmless } from "@/lib/plain-text";
import { useShortcuts } from "@/lib/shortcuts";
import { useTitle } from "@/lib/use-title";
import { TASK_LOOKS, TASK_STATES } from "../words";

const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-3 align-top first:pl-4 last:pr-4";
const FILTERS = ["q", "status"] as const;
/** People label while the page is open. */
const POLL_MS = 5_000;

/** `/annotation`: the annotation tasks with their progress. */
export default function TasksPage() {
  useTitle("Annotation");
  const navigate = useNavigate();
  const view = usePagedView();
  const status = TASK_STATES.find((one) => one === view.text("status")) ?? null;
  useShortcuts("On this screen", [{ keys: ["n"], label: "New task", right: "annotation-tasks:create", run: () => void navigate("/annotation/new") }]);
  const query = useListAnnotationTasksQuery(
    { limit: TASKS_PER_PAGE, offset: (view.page - 1) * TASKS_PER_PAGE, q: view.text("q") || null, status },
    { refetchOnMountOrArgChange: true, pollingInterval: POLL_MS },
  );
  const { data } = query;
  const isEmpty = data?.total === 0 && FILTERS.every((name) => view.text(name) === "");
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      <PageHead
        title="Annotation"
        note={data && data.total > 0 && plural(data.total, "task")}
        actions={<ButtonLink kind="primary" icon="plus" right="annotation-tasks:create" to="/annotation/new">New task</ButtonLink>}
      />
      {!isEmpty && (
        <div role="search" aria-label="Annotation tasks" className="flex flex-wrap gap-2">
          <SearchField label="Search by name" value={view.text("q")} onSearch={(text) => view.filter("q", text)} className="sm:max-w-72" />
          <select aria-label="Status" value={status ?? ""} onChange={(event) => view.filter("status", event.target.value)} className={`${INPUT} h-8 sm:w-auto ${status ? "border-accent" : ""}`}>
            <option value="">All states</option>
            {TASK_STATES.map((one) => <option key={one} value={one}>{TASK_LOOKS[one].label}</option>)}
          </select>
        </div>
      )}
      {data && query.isError && <ProblemNote error={query.error} />}
      <div className="card overflow-hidden">
        {data ? (
          data.tasks.length > 0 ? (
            <Table tasks={data.tasks} />
          ) : isEmpty ? (
            <NoTasks />
          ) : (
            <Message icon="search" title="No task matches">
              <Button className="mt-2" onClick={() => view.clear(...FILTERS)}>Show all tasks</Button>
            </Message>
          )
        ) : query.isError ? (
          <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <div role="status" aria-label="Loading annotation tasks" className="p-4">
            <Skeleton className="h-4 w-1/3" />
          </div>
        )}
        {data && <Pager label="Pages of tasks" page={view.page} perPage={TASKS_PER_PAGE} total={data.total} onPage={view.toPage} />}
      </div>
    </div>
  );
}

function Table({ tasks }: { tasks: readonly AnnotationTaskOut[] }) {
  return (
    <table className="w-full table-fixed">
      <thead className="border-b border-line bg-sunken text-xs text-ink-2">
        <tr>
          <th scope="col" className={HEAD}>Task</th>
          <th scope="col" className={`${HEAD} w-32 sm:w-56`}>Progress</th>
          <th scope="col" className={`${HEAD} hidden w-40 sm:table-cell`}>Created</th>
          <th scope="col" className={`${HEAD} w-30`}>Status</th>
        </tr>
      </thead>
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <tbody className="divide-y divide-line" onClick={clickRowLink}>
        {tasks.map((one) => (
          <tr key={one.task_id} className="cursor-pointer hover:bg-hover">
            <td className={CELL}>
              <Link to={`/annotation/${one.task_id}`} className="font-medium wrap-anywhere hover:text-accent hover:underline">{harmless(one.name)}</Link>
              {one.description && <div className="mt-0.5 line-clamp-2 text-xs wrap-anywhere text-ink-2">{harmless(one.description)}</div>}
            </td>
            <td className={CELL}>
              <ProgressBar label={`Items of ${harmless(one.name)} that have their labels`} done={one.completed_items} total={one.total_items} segments={[{ name: "labelled", value: one.completed_items, tone: "good" }]} />
              <div className="mt-1 text-xs text-ink-2">{formatCount(one.completed_items)} of {plural(one.total_items, "item")}</div>
            </td>
            <td className={`${CELL} hidden text-ink-2 sm:table-cell`}><Moment at={one.created_at} /></td>
            <td className={CELL}><Chip {...TASK_LOOKS[one.status]} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NoTasks() {
  return (
    <Message icon="pencil" title="No annotation tasks yet">
      <p>People label the cases of a dataset. What they agree on becomes its ground truth, and shows how far a judge can be trusted.</p>
      <div className="mt-4 flex justify-center"><ButtonLink kind="primary" icon="plus" right="annotation-tasks:create" to="/annotation/new">New task</ButtonLink></div>
    </Message>
  );
}
