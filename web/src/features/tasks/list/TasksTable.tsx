import { useRef, type MouseEvent } from "react";
import { Link } from "react-router";
import type { TaskSort } from "@/api/tasks";
import type { TaskOut } from "@/api/generated/config-api";
import { Icon } from "@/components/Icon";
import { Skeleton } from "@/components/Message";
import { Moment } from "@/components/Moment";
import { MISSING, plural } from "@/lib/format";
import { excerpt, harmless } from "@/lib/plain-text";
import { gradesOf } from "../task-words";
import type { SortedBy } from "./task-view";

const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-2.5 align-top first:pl-4 last:pr-4";

interface Props {
  tasks: readonly TaskOut[];
  /** The view of this list, for the link back from a task. */
  from: string;
  sort: TaskSort | undefined;
  isInCollectionOrder: boolean;
  onSort: (column: SortedBy) => void;
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
}

/** The list of tasks. On small screens the columns fold into the line under the id. */
export function TasksTable({ tasks, from, sort, isInCollectionOrder, onSort, selected, onSelect }: Props) {
  const last = useRef<number | null>(null);
  const all = tasks.every((one) => selected.has(one.id));
  const some = !all && tasks.some((one) => selected.has(one.id));
  const shown: TaskSort | undefined = sort ?? (isInCollectionOrder ? undefined : "task_id");

  /** Shift selects the range from the last click to this one. */
  const toggle = (index: number, event: MouseEvent<HTMLInputElement>) => {
    const on = event.currentTarget.checked;
    const start = event.shiftKey && last.current !== null ? last.current : index;
    const next = new Set(selected);
    for (const one of tasks.slice(Math.min(start, index), Math.max(start, index) + 1)) if (on) next.add(one.id); else next.delete(one.id);
    last.current = index;
    onSelect(next);
  };

  return (
    <table className="w-full table-fixed">
      <thead className="border-b border-line bg-sunken text-xs text-ink-2">
        <tr>
          <th scope="col" className={`${HEAD} w-11`}>
            <input
              type="checkbox"
              aria-label="Choose all that are shown"
              className="block size-4 accent-accent"
              checked={all}
              ref={(box) => {
                if (box) box.indeterminate = some;
              }}
              onChange={() => onSelect(new Set(all ? [...selected].filter((id) => !tasks.some((one) => one.id === id)) : [...selected, ...tasks.map((one) => one.id)]))}
            />
          </th>
          <SortHead column="task_id" label="Task" sort={shown} onSort={onSort} className="" />
          <SortHead column="category" label="Category" sort={shown} onSort={onSort} className="hidden w-44 sm:table-cell" />
          <th scope="col" className={`${HEAD} hidden w-44 lg:table-cell`}>References</th>
          <th scope="col" className={`${HEAD} hidden w-32 lg:table-cell`}>Collections</th>
          <SortHead column="updated_at" label="Changed" sort={shown} onSort={onSort} className="hidden w-36 md:table-cell" />
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {tasks.map((one, index) => (
          <tr key={one.id} className={selected.has(one.id) ? "bg-selected" : "hover:bg-hover"}>
            <td className={CELL}>
              <input type="checkbox" aria-label={`Choose ${harmless(one.task_id)}`} className="mt-0.5 block size-4 accent-accent" checked={selected.has(one.id)} onClick={(event) => toggle(index, event)} readOnly />
            </td>
            <td className={CELL}>
              <Link to={`/tasks/${one.id}`} state={{ from }} className="font-medium wrap-anywhere hover:text-accent">
                {harmless(one.task_id)}
              </Link>
              <p dir="auto" className="line-clamp-2 text-ink-2 wrap-anywhere">{harmless(excerpt(one.question, 240, 3).text)}</p>
              <p className="text-xs text-ink-3 wrap-anywhere sm:hidden">{categoryText(one)}</p>
            </td>
            <td className={`${CELL} hidden sm:table-cell`}>
              <div className="truncate" title={one.category}>{harmless(one.category)}</div>
              {one.subcategory && <div className="truncate text-xs text-ink-3" title={one.subcategory}>{harmless(one.subcategory)}</div>}
            </td>
            <td className={`${CELL} hidden text-ink-2 lg:table-cell`}>{gradesOf(one).join(", ") || MISSING}</td>
            <td className={`${CELL} hidden text-ink-2 lg:table-cell`}>{one.collection_count > 0 ? plural(one.collection_count, "collection") : MISSING}</td>
            <td className={`${CELL} hidden text-ink-2 md:table-cell`}><Moment at={one.updated_at} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const categoryText = (task: TaskOut) => harmless(task.subcategory ? `${task.category} · ${task.subcategory}` : task.category);

interface SortProps {
  column: SortedBy;
  label: string;
  sort: TaskSort | undefined;
  onSort: (column: SortedBy) => void;
  className: string;
}

function SortHead({ column, label, sort, onSort, className }: SortProps) {
  const direction = sort === column ? "ascending" : sort === `-${column}` ? "descending" : undefined;
  return (
    <th scope="col" aria-sort={direction} className={`${HEAD} ${className}`}>
      <button type="button" onClick={() => onSort(column)} className="inline-flex items-center gap-1 rounded hover:text-ink">
        {label}
        <Icon name={direction === "descending" ? "down" : "up"} className={`size-3 ${direction ? "" : "invisible"}`} />
      </button>
    </th>
  );
}

export function TasksTableSkeleton() {
  return (
    <div role="status" aria-label="Loading tasks" className="divide-y divide-line">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className="flex h-14 items-center gap-6 px-4">
          <Skeleton className="size-4" />
          <Skeleton className="h-4 w-1/2" />
          <Skeleton className="ml-auto h-4 w-24" />
        </div>
      ))}
    </div>
  );
}
