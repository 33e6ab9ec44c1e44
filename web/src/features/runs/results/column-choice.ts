/** The columns of the items, their order and widths, and the height of a row: all part of the URL. */

import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";
import type { GridColumn } from "@/components/DataGrid";
import { writeOne } from "@/lib/url-state";

export const DEFAULT_COLUMNS = ["task", "status", "score", "target", "answer", "reason", "category", "time", "tokens", "cost"] as const;

export const DENSITIES = [
  { value: "compact", label: "Compact", rowPx: 28, lines: 1 },
  { value: "normal", label: "Normal", rowPx: 38, lines: 1 },
  { value: "tall", label: "Tall", rowPx: 76, lines: 3 },
] as const;
export type Density = (typeof DENSITIES)[number]["value"];

export interface ChosenColumn {
  id: string;
  width?: number | undefined;
}

/** Read `task,answer:320,cost`; null if the parameter is absent or names no column. */
export function readColumns(text: string | null): ChosenColumn[] | null {
  if (!text) return null;
  const chosen = text.split(",").flatMap((part): ChosenColumn[] => {
    const [, id = "", width] = /^(.+?)(?::(\d{2,3}))?$/.exec(part) ?? [];
    return id === "" ? [] : [{ id, width: width === undefined ? undefined : Number(width) }];
  });
  return chosen.length > 0 ? chosen : null;
}

export const writeColumns = (chosen: readonly ChosenColumn[]) => chosen.map(({ id, width }) => (width === undefined ? id : `${id}:${width}`)).join(",");

/** Return the chosen columns in their order. Unknown ones, such as those of another run's evaluators, are left out; the task stays. */
export function arrange<T>(all: readonly GridColumn<T>[], chosen: readonly ChosenColumn[]): GridColumn<T>[] {
  const arranged = chosen.flatMap(({ id, width }) => {
    const column = all.find((one) => one.id === id);
    return column ? [width === undefined ? column : { ...column, width, grow: undefined }] : [];
  });
  return arranged.some(({ id }) => id === "task") ? arranged : [...all.filter(({ id }) => id === "task"), ...arranged];
}

const QUIET = { replace: true, preventScrollReset: true } as const;

export function useColumnChoice() {
  const [search, setSearch] = useSearchParams();
  const text = search.get("cols");
  const chosen = useMemo(() => readColumns(text) ?? DEFAULT_COLUMNS.map((id): ChosenColumn => ({ id })), [text]);
  const density: Density = DENSITIES.find(({ value }) => value === search.get("rows"))?.value ?? "normal";
  const choose = useCallback((next: readonly ChosenColumn[] | null) => setSearch((now) => writeOne(now, "cols", next && writeColumns(next)), QUIET), [setSearch]);
  const setDensity = useCallback((next: Density) => setSearch((now) => writeOne(now, "rows", next === "normal" ? null : next), QUIET), [setSearch]);
  const resize = useCallback((id: string, width: number) => choose(chosen.map((one) => (one.id === id ? { id, width } : one))), [choose, chosen]);
  return { chosen, isDefault: text === null, density, choose, setDensity, resize };
}
