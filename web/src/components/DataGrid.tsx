/**
 * A virtualised table: a hundred thousand rows, about thirty of them in the document. Rows have one height. Links in
 * cells are plain anchors, so that a row needs no router subscription; `onFollow` handles their clicks. A click
 * elsewhere in a row opens its first link.
 */

import { useEffect, useEffectEvent, useRef, useState, type MouseEvent, type ReactNode } from "react";
import type { KeyedStore } from "@/live/observable";
import { GridRow } from "./GridRow";
import { Icon } from "./Icon";
import { clickRowLink, isPlainClick } from "./row-link";
import { ResizeHandle } from "./ResizeHandle";
import { HEAD_PX, ROW_PX, useRowWindow } from "./use-row-window";

export interface GridColumn<T> {
  id: string;
  header: string;
  /** The long form of an abbreviated header. */
  title?: string;
  width: number;
  /** The share of the remaining width. */
  grow?: number | undefined;
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
  /** The number of rows, if `ids` holds only the first of them. */
  total?: number | undefined;
  /** Called near the end of `ids`. Undefined if there is no more data or it is being fetched. */
  onEnd?: (() => void) | undefined;
  sorting?: Sorting;
  onSort?: (key: string) => void;
  /** Called with the new width of a column, in pixels. */
  onResize?: (id: string, width: number) => void;
  /** The height of a row in pixels, and the lines in it. Another height needs another `key`. */
  rowPx?: number;
  lines?: number;
  /** Called when a link in a row is clicked to open in this tab. */
  onFollow?: (href: string) => void;
}

/** The next rows are requested when this many remain. */
const END_ROWS = 20;

export function DataGrid<T>({ label, columns, ids, rows, selected, total = ids.length, onEnd, sorting, onSort, onResize, rowPx = ROW_PX, lines = 1, onFollow }: Props<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const shown = useRowWindow(scroller, ids.length, rowPx);
  const [dragged, setDragged] = useState<{ id: string; width: number } | null>(null);
  // Only another selection scrolls: rows that move must not pull the reader along.
  const reveal = useEffectEvent((id: string | null) => {
    const index = id === null ? -1 : ids.indexOf(id);
    if (index >= 0) shown.reveal(index);
  });
  useEffect(() => reveal(selected), [selected]);
  const lastDrawn = shown.rows.at(-1)?.index ?? 0;
  const wanted = onEnd !== undefined && lastDrawn >= ids.length - END_ROWS;
  const reachEnd = useEffectEvent(() => onEnd?.());
  useEffect(() => {
    if (wanted) reachEnd();
  }, [wanted]);
  const widthOf = (one: GridColumn<T>) => (dragged?.id === one.id ? dragged.width : one.width);
  const template = columns.map((one) => (one.grow && dragged?.id !== one.id ? `minmax(${one.width}px, ${one.grow}fr)` : `${widthOf(one)}px`)).join(" ");
  const minWidth = columns.reduce((sum, one) => sum + widthOf(one), 0);
  const follow = (event: MouseEvent<HTMLElement>) => {
    if (onFollow) clickRowLink(event);
    const href = onFollow && isPlainClick(event) && (event.target as Element).closest("a")?.getAttribute("href");
    if (!href) return;
    event.preventDefault();
    onFollow(href);
  };

  return (
    <div ref={scroller} tabIndex={0} role="table" aria-label={label} aria-rowcount={total + 1} aria-colcount={columns.length}
      className="max-h-[min(42rem,75vh)] overflow-auto overscroll-x-contain rounded-b-[0.625rem] outline-offset-[-2px]">
      <div role="presentation" className="relative" style={{ height: shown.height, minWidth }}>
        <div role="rowgroup" className="sticky top-0 z-10">
          <div role="row" aria-rowindex={1} className="grid border-b border-line bg-sunken text-xs font-medium text-ink-2" style={{ gridTemplateColumns: template, height: HEAD_PX }}>
            {columns.map((column) => (
              <Header key={column.id} column={column} sorting={sorting} onSort={onSort}>
                {onResize && <ResizeHandle name={column.title ?? column.header} width={widthOf(column)} onDrag={(width) => setDragged({ id: column.id, width })} onResize={(width) => { setDragged(null); onResize(column.id, width); }} />}
              </Header>
            ))}
          </div>
        </div>
        {/* Enter on a link is a click, too. */}
        {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
        <div role="rowgroup" className={onFollow && "cursor-pointer"} onClick={follow}>
          {shown.rows.map(({ key, index, top }) => {
            const id = ids[index] ?? "";
            return <GridRow key={key} id={id} index={index} top={top} template={template} columns={columns} rows={rows} selected={id === selected} height={rowPx} lines={lines} />;
          })}
        </div>
      </div>
    </div>
  );
}

type HeaderProps<T> = Pick<Props<T>, "sorting" | "onSort"> & { column: GridColumn<T>; children?: ReactNode };

function Header<T>({ column, sorting, onSort, children }: HeaderProps<T>) {
  const key = onSort && column.sort;
  const sorted = key !== undefined && sorting?.key === key ? sorting.order : null;
  return (
    <div
      role="columnheader"
      // Without its handle, which has a name of its own.
      aria-label={column.header}
      title={column.title}
      aria-sort={sorted === "asc" ? "ascending" : sorted === "desc" ? "descending" : undefined}
      className={`relative self-center truncate px-2 first:pl-4 last:pr-4 ${column.align === "right" ? "text-right" : ""}`}
    >
      {key === undefined ? (
        column.header
      ) : (
        <button type="button" onClick={() => onSort?.(key)} className={`inline-flex max-w-full items-center gap-0.5 outline-offset-[-2px] hover:text-ink ${sorted ? "text-ink" : ""}`}>
          <span className="truncate">{column.header}</span>
          {sorted && <Icon name={sorted === "asc" ? "up" : "down"} className="size-3" />}
        </button>
      )}
      {children}
    </div>
  );
}
