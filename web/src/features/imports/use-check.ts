import { useEffect, useMemo, useState } from "react";
import { useCheckFileMutation } from "@/api/datasets";
import type { CollectionOut } from "@/api/generated/config-api";
import { useImportTasksMutation } from "@/api/tasks";
import { useSettled } from "@/lib/use-settled";
import { ofCases, ofTasks, type Checked } from "./checked";
import { toCases, toTasks, type ImportPlan } from "./import-plan";
import { BYTES, readHead, type Head } from "./read-head";

export interface Source {
  /** Each chosen file has another number: a corrected copy may have the same name. */
  turn: number;
  name: string;
  bytes: number;
  /** All rows: in memory if they are few, so that the rows that were checked are those that are imported. */
  whole: Blob;
  head: Head;
}

export async function sourceOf(file: File, turn: number): Promise<Source> {
  const head = await readHead(file);
  const whole = head.isWhole && head.rows ? head.rows : file.slice(0, file.size, BYTES);
  return { turn, name: file.name, bytes: file.size, whole, head };
}

interface Check {
  /** The last result; it may belong to the plan before. */
  checked: Checked | undefined;
  error: unknown;
  isCurrent: boolean;
  /** All rows were checked, not only the first. */
  isWhole: boolean;
  checkAll: () => void;
}

/** Let the server check the first rows after every change of the plan, and all rows on request. Nothing is stored. */
export function useCheck({ name, whole, head }: Source, plan: ImportPlan, collections: readonly CollectionOut[] | undefined): Check {
  const [tryTasks, tasks] = useImportTasksMutation();
  const [tryCases, cases] = useCheckFileMutation();
  const [all, setAll] = useState<object | null>(null);
  // The description and the like change nothing about the rows.
  const { to, format, mapping, onConflict, skipBadRows, collection, category } = plan;
  const asked = useMemo(() => ({ to, format, mapping, onConflict, skipBadRows, collection, category }), [to, format, mapping, onConflict, skipBadRows, collection, category]);
  const settled = useSettled(asked);
  const isAll = all === asked;
  const rows = isAll ? whole : head.rows;
  useEffect(() => {
    if (!rows || !collections) return;
    const wanted = { ...plan, ...settled };
    if (settled.to === "tasks") void tryTasks(toTasks(rows, name, wanted, collections, true));
    else void tryCases(toCases(rows, name, wanted));
    // `settled` has every part of `plan` that affects the rows.
    // eslint-disable-next-line react/exhaustive-deps
  }, [tryTasks, tryCases, name, rows, settled, collections]);

  const used = to === "tasks" ? tasks : cases;
  const checked = useMemo(() => {
    if (used.error !== undefined) return undefined;
    return to === "tasks" ? tasks.data && ofTasks(tasks.data) : cases.data && ofCases(cases.data);
  }, [to, used.error, tasks.data, cases.data]);
  const sent = to === "tasks" ? tasks.originalArgs?.body : cases.originalArgs?.file;
  return {
    checked,
    error: used.error,
    isCurrent: settled === asked && !used.isLoading && (sent === rows || rows === null),
    isWhole: head.isWhole || isAll,
    checkAll: () => setAll(asked),
  };
}
