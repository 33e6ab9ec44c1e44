/** A virtualised table: a hundred thousand rows, some forty in the document. Rows have one height;
 * each reads its own entry from the store, so that a live update draws one row and nothing else.
 * A link in the first cell may stretch over its row (`after:absolute after:inset-0`). */

import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useEffect, useEffectEvent, useRef, type ReactNode } from "react";
import type { KeyedStore } from "@/live/observable";
import { Icon } from "./Icon";
import { useEntry } from "@/live/hooks";

export interface GridColumn<T> {
  id: string;
  header: string;
  /** What the header's abbreviation stands for. */
  title?: string;
  width: number;
  /** The columns that take what space is left, in these proportions. */
  grow?: number;
  align?: "right";
  /** The key that the rows can be sorted by. */
  sort?: string;
  render: (row: T) => ReactNode;
}

export interface Sorting {
  key: string;
  order: "asc" | "desc";
}

interface Props<T> {
  label: string;
  columns: readonly GridColumn<T>[];
  ids: readonly string[];
  rows: KeyedStore<T>;
  selected: string | null;
  /** How many rows there are, where `ids` are only the first of them. */
  total?: number | undefined;
  /** The reader is near the end of `ids`. Undefined while there is nothing more to ask for, or it is being asked for. */
  onEnd?: (() => void) | undefined;
  sorting?: Sorting;
  onSort?: (key: string) => void;
}

/** So many rows before the end the next ones are asked for. */
const END_ROWS = 20;
const ROW_PX = 38;
const HEAD_PX = 36;

export function DataGrid<T>({ label, columns, ids, rows, selected, total = ids.length, onEnd, sorting, onSort }: Props<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: ids.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => ids[index] ?? index,
    scrollPaddingStart: HEAD_PX,
    paddingStart: HEAD_PX,
    overscan: 8,
  });
  // Only another selection scrolls: rows that move must not pull the reader along.
  const reveal = useEffectEvent((id: string | null) => {
    const index = id === null ? -1 : ids.indexOf(id);
    if (index >= 0) virtualizer.scrollToIndex(index, { align: "auto" });
  });
  useEffect(() => reveal(selected), [selected]);
  const lastDrawn = virtualizer.getVirtualItems().at(-1)?.index ?? 0;
  const wanted = onEnd !== undefined && lastDrawn >= ids.length - END_ROWS;
  const reachEnd = useEffectEvent(() => onEnd?.());
  useEffect(() => {
    if (wanted) reachEnd();
  }, [wanted]);
  const template = columns.map((one) => (one.grow ? `minmax(${one.width}px, ${one.grow}fr)` : `${one.width}px`)).join(" ");
  const minWidth = columns.reduce((sum, one) => sum + one.width, 0);

  return (
    <div ref={scroller} tabIndex={0} role="table" aria-label={label} aria-rowcount={total + 1} aria-colcount={columns.length}
      className="max-h-[min(42rem,75vh)] overflow-auto overscroll-x-contain rounded-b-[0.625rem] outline-offset-[-2px]">
      <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize(), minWidth }}>
        <div role="rowgroup" className="sticky top-0 z-10">
          <div role="row" aria-rowindex={1} className="grid border-b border-line bg-sunken text-xs font-medium text-ink-2" style={{ gridTemplateColumns: template, height: HEAD_PX }}>
            {columns.map((column) => (
              <Header key={column.id} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </div>
        </div>
        <div role="rowgroup">
          {virtualizer.getVirtualItems().map((item) => (
            <Row key={item.key} id={String(item.key)} index={item.index} top={item.start} template={template}
              columns={columns} rows={rows} selected={item.key === selected} />
          ))}
        </div>
      </div>
    </div>
  );
}

type HeaderProps<T> = Pick<Props<T>, "sorting" | "onSort"> & { column: GridColumn<T> };

function Header<T>({ column, sorting, onSort }: HeaderProps<T>) {
  const key = onSort && column.sort;
  const sorted = key !== undefined && sorting?.key === key ? sorting.order : null;
  return (
    <div
      role="columnheader"
      title={column.title}
      aria-sort={sorted === "asc" ? "ascending" : sorted === "desc" ? "descending" : undefined}
      className={`self-center truncate px-2 first:pl-4 last:pr-4 ${column.align === "right" ? "text-right" : ""}`}
    >
      {key === undefined ? (
        column.header
      ) : (
        <button type="button" onClick={() => onSort?.(key)} className={`inline-flex max-w-full items-center gap-0.5 outline-offset-[-2px] hover:text-ink ${sorted ? "text-ink" : ""}`}>
          <span className="truncate">{column.header}</span>
          {sorted && <Icon name={sorted === "asc" ? "up" : "down"} className="size-3" />}
        </button>
      )}
    </div>
  );
}

interface RowProps<T> {
  id: string;
  index: number;
  top: number;
  template: string;
  columns: readonly GridColumn<T>[];
  rows: KeyedStore<T>;
  selected: boolean;
}

function GridRow<T>({ id, index, top, template, columns, rows, selected }: RowProps<T>) {
  const row = useEntry(rows, id);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={`absolute inset-x-0 top-0 grid contain-strict border-b border-line ${selected ? "bg-selected" : "hover:bg-hover"}`}
      style={{ gridTemplateColumns: template, height: ROW_PX, transform: `translateY(${top}px)` }}
    >
      {row !== undefined &&
        columns.map((column) => (
          // Clipped, not hidden: a focused link would scroll what is hidden into view.
          <div key={column.id} role="cell" className={`self-center overflow-clip px-2 text-ellipsis whitespace-nowrap first:pl-4 last:pr-4 ${column.align === "right" ? "text-right" : ""}`}>
            {column.render(row)}
          </div>
        ))}
    </div>
  );
}

const Row = memo(GridRow) as typeof GridRow;
