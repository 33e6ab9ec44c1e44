/** Compute which rows of a long table are in the document. */

import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useRef, type RefObject } from "react";

export const ROW_PX = 38;
export const HEAD_PX = 36;
/** Rows rendered beyond the visible ones, on either side. */
const OVERSCAN = 4;
export interface WindowRow {
  /** The React key, stable while the row stays. */
  key: number;
  index: number;
  top: number;
}

interface RowWindow {
  rows: WindowRow[];
  height: number;
  reveal: (index: number) => void;
}

export function useRowWindow(scroller: RefObject<HTMLElement | null>, count: number, rowPx = ROW_PX): RowWindow {
  // Keep the same function at every render: a new one would measure every row again.
  const rowHeight = useCallback(() => rowPx, [rowPx]);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: rowHeight,
    scrollPaddingStart: HEAD_PX,
    paddingStart: HEAD_PX,
    overscan: OVERSCAN,
  });
  const items = virtualizer.getVirtualItems();
  const keys = useRef<KeyOffset>({ first: 0, by: 0 });
  keys.current = nextOffset(keys.current, items[0]?.index ?? 0, items.length);
  const { by } = keys.current;
  return {
    rows: items.map(({ index, start }) => ({ key: index - by, index, top: start })),
    height: virtualizer.getTotalSize(),
    reveal: (index) => virtualizer.scrollToIndex(index, { align: "auto" }),
  };
}

export interface KeyOffset {
  /** The first row drawn. */
  first: number;
  /** A row's key is its index minus this. */
  by: number;
}

/**
 * Return the offset from a row's index to its key. After a jump that changes most rows, existing elements get the new
 * contents: removing and creating rows at every frame makes fast scrolling slow. Keys rise with the index, so no
 * element moves, and Tab and screen readers find the rows in order.
 */
export function nextOffset(before: KeyOffset, first: number, length: number): KeyOffset {
  const moved = first - before.first;
  return { first, by: Math.abs(moved) * 2 > length ? before.by + moved : before.by };
}
