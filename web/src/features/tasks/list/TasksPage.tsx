import { skipToken } from "@reduxjs/toolkit/query/react";
import { useMemo, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { TASK_FORMATS, taskExportUrl, useListCategoriesQuery, useTaskPagesInfiniteQuery } from "@/api/tasks";
import { useGetCollectionQuery } from "@/api/collections";
import type { Category, CollectionOut } from "@/api/generated/config-api";
import { Button, ButtonLink } from "@/components/Button";
import { Menu } from "@/components/Menu";
import { Message } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useShortcuts } from "@/lib/shortcuts";
import { useTitle } from "@/lib/use-title";
import { nextSort, useTaskView, type ShownFilter } from "./task-view";
import { SelectionBar } from "./SelectionBar";
import { TaskFilters } from "./TaskFilters";
import { TasksTable, TasksTableSkeleton } from "./TasksTable";

export default function TasksPage() {
  useTitle("Tasks");
  const navigate = useNavigate();
  useShortcuts("On this screen", [{ keys: ["n"], label: "New task", right: "tasks:create", run: () => void navigate("/tasks/new") }]);
  const { filter, sort, first, change, remember } = useTaskView();
  const [search] = useSearchParams();
  const query = useTaskPagesInfiniteQuery({ filter, sort, first }, { refetchOnMountOrArgChange: true });
  const categories = useListCategoriesQuery(undefined, { refetchOnMountOrArgChange: true });
  const collection = useGetCollectionQuery(filter.collectionId ? { id: filter.collectionId } : skipToken);
  const tasks = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  // The selection is limited to visible rows: another filter starts with an empty one.
  const filterKey = JSON.stringify(filter);
  const [chosen, setChosen] = useState<{ key: string; ids: ReadonlySet<string> }>({ key: filterKey, ids: new Set() });
  const selected = chosen.key === filterKey ? chosen.ids : new Set<string>();
  const select = (ids: ReadonlySet<string>) => setChosen({ key: filterKey, ids });

  const isFiltered = Object.keys(filter).length > 0;
  const isEmpty = query.data !== undefined && tasks.length === 0 && !isFiltered;
  const total = knownTotal(filter, categories.data?.items, collection.currentData);
  const more = async () => {
    const answer = await query.fetchNextPage();
    if (answer.data) remember(answer.data.pages.reduce((sum, page) => sum + page.items.length, 0));
  };

  return (
    <div className="mx-auto flex w-full max-w-screen-2xl flex-col gap-4 px-4 py-6 sm:px-6">
      <PageHead
        title="Tasks"
        note={query.data && tasks.length > 0 && countText(tasks.length, Boolean(query.hasNextPage), total)}
        actions={
          <>
            {!isEmpty && (
              <Menu
                label={isFiltered ? "Export these" : "Export"}
                icon="download"
                entries={TASK_FORMATS.map(({ format, name, detail }) => ({ label: name, detail, download: taskExportUrl(format, filter) }))}
              />
            )}
            <ButtonLink right="tasks:create" to="/import" icon="up">Import</ButtonLink>
            <ButtonLink right="tasks:create" to="/tasks/new" icon="plus" kind="primary">New task</ButtonLink>
          </>
        }
      />
      {!isEmpty && <TaskFilters filter={filter} sort={sort} categories={categories.data?.items ?? []} onChange={change} onSort={(next) => change({ sort: next })} />}
      {selected.size > 0 && (
        <SelectionBar selected={selected} filter={filter} shown={tasks.length} hasMore={Boolean(query.hasNextPage)} collection={collection.currentData} onSelect={select} />
      )}
      {query.data && query.isError && <ProblemNote error={query.error} />}
      <div className={`card overflow-hidden ${query.isFetching && !query.isFetchingNextPage && query.data ? "opacity-70" : ""}`}>
        {query.data ? (
          tasks.length > 0 ? (
            <TasksTable
              tasks={tasks}
              from={search.toString()}
              sort={sort}
              isInCollectionOrder={filter.collectionId !== undefined && sort === undefined}
              onSort={(column) => change({ sort: nextSort(sort, column) ?? null })}
              selected={selected}
              onSelect={select}
            />
          ) : isEmpty ? (
            <NoTasks />
          ) : (
            <NoMatch filter={filter} collection={collection.currentData?.name} onClear={() => change({ q: null, category: null, collectionId: null })} />
          )
        ) : query.isError ? (
          <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <TasksTableSkeleton />
        )}
      </div>
      {query.hasNextPage && (
        <Button className="self-center" disabled={query.isFetchingNextPage} onClick={() => void more()}>
          {query.isFetchingNextPage ? "Loading…" : "Load more"}
        </Button>
      )}
    </div>
  );
}

/** Return the total of a filter if the counts of categories and collections contain it. */
function knownTotal(filter: ShownFilter, categories: readonly Category[] | undefined, collection: CollectionOut | undefined): number | undefined {
  if (filter.q || (filter.collectionId && filter.category)) return undefined;
  if (filter.collectionId) return collection?.task_count;
  if (!filter.category) return categories?.reduce((sum, one) => sum + one.task_count, 0);
  const category = categories?.find((one) => one.category === filter.category);
  return filter.subcategory ? category?.subcategories.find((one) => one.subcategory === filter.subcategory)?.task_count : category?.task_count;
}

function countText(shown: number, hasMore: boolean, total: number | undefined): string {
  if (!hasMore) return plural(shown, "task");
  return total === undefined ? `${plural(shown, "task")} so far` : `${formatCount(shown)} of ${plural(total, "task")}`;
}

function NoTasks() {
  return (
    <Message icon="spark" title="No tasks yet">
      <p>A task is a question with references for good answers. Import a file of tasks (CSV, JSON, JSON Lines, YAML, promptfoo, OpenAI Evals), or write the first one.</p>
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        <ButtonLink right="tasks:create" to="/import" icon="up" kind="primary">Import a file</ButtonLink>
        <ButtonLink right="tasks:create" to="/tasks/new" icon="plus">Write a task</ButtonLink>
      </div>
    </Message>
  );
}

function NoMatch({ filter, collection, onClear }: { filter: ShownFilter; collection: string | undefined; onClear: () => void }) {
  const isOnlyCollection = filter.collectionId !== undefined && !filter.q && !filter.category;
  return (
    <Message icon="search" title={isOnlyCollection ? `${collection ? harmless(collection) : "This collection"} has no tasks yet` : "No task matches"}>
      <p>{isOnlyCollection ? "Add tasks, so that a run has something to ask." : "The search and the filters hide the other tasks."}</p>
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        {isOnlyCollection && <ButtonLink right="collections:update" to={`/collections/${filter.collectionId}`} icon="plus" kind="primary">Add tasks to it</ButtonLink>}
        <Button onClick={onClear}>Show all tasks</Button>
      </div>
    </Message>
  );
}
