/** The filter of the log: its state in the URL, and the lines that it shows. */

import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";
import { patternOf } from "@/components/Marked";
import { harmless } from "@/lib/plain-text";
import { useUrlSet, useUrlText, writeSet } from "@/lib/url-state";
import type { LogEvent } from "@/live/event-schemas";
import { LOG_KINDS, type LogKind } from "../run-words";

/** The names differ from those of the items: the page would filter the items, too. */
const PARAMS = { kinds: "log", targets: "log_target", text: "log_q" } as const;

export interface LogFilter {
  kinds: readonly LogKind[];
  /** Labels of targets: lines name their target by its label. */
  targets: readonly string[];
  pattern: RegExp | null;
}

/** Return a test for lines that remembers its results, because most lines are tested again with every new line. */
export function lineTest({ kinds, targets, pattern }: LogFilter): (line: LogEvent) => boolean {
  const known = new WeakMap<LogEvent, boolean>();
  const test = (line: LogEvent) =>
    (kinds.length === 0 || kinds.includes(line.kind ?? "note")) &&
    (targets.length === 0 || targets.includes(line.target_label ?? "")) &&
    (pattern === null || pattern.test(harmless(line.text)) || (line.item_id != null && pattern.test(harmless(line.task_id ?? ""))));
  return (line) => {
    const result = known.get(line) ?? test(line);
    known.set(line, result);
    return result;
  };
}

/** Bind the filter of the log to the URL. `labels` are those of the run's targets. */
export function useLogFilter(labels: readonly string[]) {
  const [, setSearch] = useSearchParams();
  const [kinds, setKinds] = useUrlSet(PARAMS.kinds, LOG_KINDS);
  const [targets, setTargets] = useUrlSet(PARAMS.targets, labels);
  const [text, setText] = useUrlText(PARAMS.text);
  const filter = useMemo(() => ({ kinds, targets, pattern: patternOf(harmless(text)) }), [kinds, targets, text]);
  const isFiltered = kinds.length > 0 || targets.length > 0 || text !== "";
  const clear = useCallback(() => {
    const without = (now: URLSearchParams) => Object.values(PARAMS).reduce((next: URLSearchParams, name) => writeSet(next, name, []), now);
    setSearch(without, { replace: true, preventScrollReset: true });
  }, [setSearch]);
  return { filter, text, isFiltered, setKinds, setTargets, setText, clear };
}
