import { useCallback, useId, useMemo } from "react";
import { useSearchParams } from "react-router";
import type { RunGroupOut, RunSummary } from "@/api/generated/orchestrator";
import { useGroupPagesInfiniteQuery, useRunPagesInfiniteQuery, type RunFilter } from "@/api/runs";
import { Button } from "@/components/Button";
import { Icon } from "@/components/Icon";
import { ProblemNote } from "@/components/Problem";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { writeSet } from "@/lib/url-state";
import { formatDay, ownZone } from "@/lib/when";
import { GROUPS, type Grouped } from "./run-order";
import { RunsTable, RunsTableSkeleton } from "./RunsTable";
import { useRunsLive } from "./useRunsLive";

/** The first groups are open unless they were shut; the others are shut until they are opened. */
const OPEN_AT_FIRST = 3;

interface Chosen {
  selected: ReadonlyMap<string, RunSummary>;
  onSelect: (chosen: ReadonlyMap<string, RunSummary>) => void;
  onDelete: (run: RunSummary) => void;
}

/** The runs under the headings of their groups. A group loads its runs when it is open. */
export function GroupedRuns({ by, filter, ...chosen }: { by: Grouped; filter: RunFilter } & Chosen) {
  const [search, setSearch] = useSearchParams();
  const groups = useMemo(() => {
    const { sort: _sort, order: _order, ...rest } = filter;
    return { ...rest, by, timeZone: ownZone() };
  }, [filter, by]);
  const query = useGroupPagesInfiniteQuery(groups, { refetchOnMountOrArgChange: true });
  const shown = query.data?.pages.flatMap((page) => page.items) ?? [];
  const toggle = (key: string, isOpen: boolean, isFirst: boolean) => {
    // Only what differs from the usual is written.
    const name = isFirst ? "shut" : "open";
    const isUsual = isFirst === isOpen;
    setSearch((now) => writeSet(now, name, isUsual ? [...now.getAll(name), key] : now.getAll(name).filter((one) => one !== key)), { replace: true, preventScrollReset: true });
  };
  if (query.data === undefined) return query.isError ? <ProblemNote error={query.error} /> : <RunsTableSkeleton />;
  return (
    <div className="flex flex-col gap-3">
      {shown.map((group, place) => {
        const key = group.key ?? "";
        const isFirst = place < OPEN_AT_FIRST;
        const isOpen = isFirst ? !search.getAll("shut").includes(key) : search.getAll("open").includes(key);
        return <Group key={key} by={by} group={group} filter={filter} isOpen={isOpen} onToggle={() => toggle(key, isOpen, isFirst)} {...chosen} />;
      })}
      {query.isError && <ProblemNote error={query.error} />}
      {query.hasNextPage && <Button className="self-center" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>{query.isFetchingNextPage ? "Loading…" : "More groups"}</Button>}
    </div>
  );
}

const NOTHING: readonly string[] = [];

/** The filter that selects the runs of a group, on top of the list's own filter. */
function within(filter: RunFilter, by: Grouped, { key, created_from: from, created_before: before }: RunGroupOut): RunFilter {
  if (by === "day") return { ...filter, createdFrom: latest(filter.createdFrom, from), createdBefore: earliest(filter.createdBefore, before) };
  if (by === "suite") return key === null ? { ...filter, hasSuite: false } : { ...filter, suite: key };
  return key === null ? { ...filter, hasTag: false } : { ...filter, tag: [...new Set([...(filter.tag ?? NOTHING), key])] };
}

type Bound = string | null | undefined;
const latest = (a: Bound, b: Bound): Bound => (a && b ? (Date.parse(a) > Date.parse(b) ? a : b) : (a ?? b));
const earliest = (a: Bound, b: Bound): Bound => (a && b ? (Date.parse(a) < Date.parse(b) ? a : b) : (a ?? b));

interface GroupProps extends Chosen {
  by: Grouped;
  group: RunGroupOut;
  filter: RunFilter;
  isOpen: boolean;
  onToggle: () => void;
}

function Group({ by, group, filter, isOpen, onToggle, ...chosen }: GroupProps) {
  const id = useId();
  const none = GROUPS.find((one) => one.by === by)!.none;
  return (
    <section aria-labelledby={id} className="card overflow-hidden">
      <h2 id={id}>
        <button type="button" aria-expanded={isOpen} onClick={onToggle} className="flex w-full items-center gap-2 px-4 py-2.5 text-left hover:bg-hover">
          <Icon name="next" className={`size-3.5 shrink-0 text-ink-3 transition-transform ${isOpen ? "rotate-90" : ""}`} />
          <span className={`min-w-0 truncate font-semibold ${group.key === null ? "text-ink-2" : ""}`}>{group.key === null ? none : by === "day" ? formatDay(group.key) : harmless(group.key)}</span>
          <span className="ml-auto shrink-0 text-xs text-ink-2">{plural(group.runs, "run")}</span>
        </button>
      </h2>
      {isOpen && <div className="border-t border-line"><GroupRuns by={by} group={group} filter={filter} {...chosen} /></div>}
    </section>
  );
}

function GroupRuns({ by, group, filter, ...chosen }: Omit<GroupProps, "isOpen" | "onToggle">) {
  const ofGroup = useMemo(() => within(filter, by, group), [filter, by, group]);
  const query = useRunPagesInfiniteQuery(ofGroup, { refetchOnMountOrArgChange: true });
  const { refetch } = query;
  useRunsLive(ofGroup, useCallback(() => refetch(), [refetch]));
  if (query.data === undefined) return query.isError ? <ProblemNote error={query.error} /> : <RunsTableSkeleton />;
  return (
    <>
      <RunsTable runs={query.data.pages.flatMap((page) => page.items)} {...chosen} />
      {query.isError && <ProblemNote error={query.error} />}
      {query.hasNextPage && (
        <p className="border-t border-line py-2 text-center">
          <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>{query.isFetchingNextPage ? "Loading…" : "Load more"}</Button>
        </p>
      )}
    </>
  );
}
