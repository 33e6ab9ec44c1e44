import { useId, useMemo, useState, type ReactNode } from "react";
import { findTaskIds, useListCategoriesQuery, useTaskPagesInfiniteQuery, type TaskFilter } from "@/api/tasks";
import { useApiDispatch } from "@/api/dispatch";
import { Button } from "@/components/Button";
import { INPUT } from "@/components/Field";
import type { IconName } from "@/components/Icon";
import { Skeleton } from "@/components/Message";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { SearchField } from "@/components/SearchField";
import { Section } from "@/components/Section";
import { formatCount } from "@/lib/format";
import { excerpt, harmless } from "@/lib/plain-text";

interface Props {
  title: string;
  count: number | undefined;
  /** The filter of the offered tasks: those in the collection, or those outside it. */
  base: TaskFilter;
  /** The verb of the action on the chosen tasks. */
  verb: string;
  icon: IconName;
  /** Return the number of tasks in the collection after the action. */
  after: (chosen: number) => number;
  empty: ReactNode;
  /** Number the tasks: they have an order of their own. */
  numbered?: boolean;
  onAct: (ids: string[]) => Promise<boolean>;
}

/** Choose tasks from a list that the server searches: one by one, or all matches. */
export function TaskPicker({ title, count, base, verb, icon, after, empty, numbered = false, onAct }: Props) {
  const dispatch = useApiDispatch();
  const listId = useId();
  const [q, setQ] = useState("");
  const [category, setCategory] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const filter = useMemo<TaskFilter>(() => ({ ...base, ...(q !== "" && { q }), ...(category !== "" && { category }) }), [base, q, category]);
  const query = useTaskPagesInfiniteQuery({ filter }, { refetchOnMountOrArgChange: true });
  const categories = useListCategoriesQuery();
  const tasks = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const isFiltered = q !== "" || category !== "";

  const toggle = (id: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  const chooseFound = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const ids = query.hasNextPage ? await findTaskIds(dispatch, filter) : tasks.map((one) => one.id);
      setChosen(new Set([...chosen, ...ids]));
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  const act = async () => {
    setBusy(true);
    if (await onAct([...chosen])) setChosen(new Set());
    setBusy(false);
  };

  return (
    <Section title={title} aside={<span role="status" className="text-xs text-ink-2">{count !== undefined && formatCount(count)}</span>}>
      <div className="flex flex-wrap gap-2 border-b border-line px-4 py-2">
        <SearchField label={`Search: ${title}`} placeholder="Search id, question, category" value={q} onSearch={setQ} className="max-w-full flex-1 basis-44" />
        <select aria-label={`Category: ${title}`} value={category} onChange={(event) => setCategory(event.target.value)} className={`${INPUT} h-8 max-w-full flex-1 basis-36 ${category ? "border-accent" : ""}`}>
          <option value="">All categories</option>
          {categories.data?.items.map((one) => (
            <option key={one.category} value={one.category}>
              {harmless(one.category)}
            </option>
          ))}
        </select>
      </div>
      <div tabIndex={0} role="group" aria-label={title} className={`h-96 overflow-y-auto lg:h-[max(24rem,calc(100dvh-23rem))] outline-offset-[-2px] ${query.isFetching && query.data && !query.isFetchingNextPage ? "opacity-70" : ""}`}>
        {query.data ? (
          tasks.length > 0 ? (
            <ul className="divide-y divide-line">
              {tasks.map((one, index) => (
                <li key={one.id}>
                  <div className={`relative flex items-start gap-3 px-4 py-2 ${chosen.has(one.id) ? "bg-selected" : "hover:bg-hover"}`}>
                    <input id={`${listId}-${one.id}`} type="checkbox" checked={chosen.has(one.id)} onChange={(event) => toggle(one.id, event.target.checked)} className="relative z-10 mt-0.5 size-4 shrink-0 accent-accent" />
                    {numbered && !isFiltered && <span aria-label={`Place ${index + 1}`} role="note" className="w-7 shrink-0 text-right text-xs leading-5 text-ink-3">{index + 1}</span>}
                    <div className="min-w-0 flex-1">
                      <div className="flex items-baseline justify-between gap-3">
                        {/* The label spans the row, so that a click anywhere toggles the box. */}
                        <label htmlFor={`${listId}-${one.id}`} className="cursor-pointer font-medium wrap-anywhere after:absolute after:inset-0">{harmless(one.task_id)}</label>
                        <span className="max-w-36 truncate text-xs text-ink-3">{harmless(one.category)}</span>
                      </div>
                      <p dir="auto" className="truncate text-ink-2">{harmless(excerpt(one.question, 200, 1).text)}</p>
                    </div>
                  </div>
                </li>
              ))}
              {query.hasNextPage && (
                <li className="flex justify-center p-2">
                  <Button kind="ghost" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                    {query.isFetchingNextPage ? "Loading…" : "Load more"}
                  </Button>
                </li>
              )}
            </ul>
          ) : (
            <div className="grid h-full place-items-center px-6 text-center text-ink-2">
              <div>{isFiltered ? "No task matches. Change the search or the category." : empty}</div>
            </div>
          )
        ) : query.isError ? (
          <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <div role="status" aria-label="Loading tasks" className="flex flex-col gap-4 p-4">
            {Array.from({ length: 6 }, (_, index) => (
              <Skeleton key={index} className="h-8" />
            ))}
          </div>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-2.5">
        <Button kind="ghost" disabled={busy || tasks.length === 0} onClick={() => void chooseFound()}>
          Choose all{isFiltered ? " found" : ""}
        </Button>
        {chosen.size > 0 && <Button kind="ghost" onClick={() => setChosen(new Set())}>Clear the selection</Button>}
        <span className="flex-1" />
        <p role="status" className="text-xs text-ink-2">{chosen.size > 0 && `${formatCount(after(chosen.size))} afterwards`}</p>
        <Button right="collections:update" kind={chosen.size > 0 ? "primary" : "plain"} icon={icon} disabled={busy || chosen.size === 0} onClick={() => void act()}>
          {verb} {chosen.size > 0 ? formatCount(chosen.size) : ""}
        </Button>
      </div>
      {error !== undefined && (
        <div className="px-4 pb-3">
          <ProblemNote error={error} />
        </div>
      )}
    </Section>
  );
}
