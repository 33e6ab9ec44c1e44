import { memo } from "react";
import { useEntry } from "@/live/hooks";
import type { KeyedStore } from "@/live/observable";
import type { GridColumn } from "./DataGrid";

interface Props<T> {
  id: string;
  index: number;
  top: number;
  template: string;
  columns: readonly GridColumn<T>[];
  rows: KeyedStore<T>;
  selected: boolean;
  height: number;
  /** The number of lines that a cell may have. */
  lines: number;
}

function Row<T>({ id, index, top, template, columns, rows, selected, height, lines }: Props<T>) {
  const row = useEntry(rows, id);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={`absolute inset-x-0 grid contain-strict border-b border-line ${selected ? "bg-selected" : "hover:bg-hover"}`}
      style={{ gridTemplateColumns: template, height, top }}
    >
      {row !== undefined &&
        columns.map((column) => (
          // Use clip instead of hidden: a focused link would scroll hidden content into view.
          <div key={column.id} role="cell" className={`self-center overflow-clip px-2 text-ellipsis ${lines > 1 ? "max-h-full wrap-anywhere whitespace-normal" : "whitespace-nowrap"} first:pl-4 last:pr-4 ${column.align === "right" ? "text-right" : ""}`}>
            {lines > 1 ? <div className="line-clamp-3">{column.render(row)}</div> : column.render(row)}
          </div>
        ))}
    </div>
  );
}

/** Read its own entry from the store, so that a live update renders one row only. */
export const GridRow = memo(Row) as typeof Row;
