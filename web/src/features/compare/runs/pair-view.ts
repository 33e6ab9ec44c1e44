/** The URL state of a comparison of two runs: pairs chosen by hand and the shown cases. */

import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";
import type { PairChoice } from "@/api/generated/orchestrator";
import { writeOne, writeSet } from "@/lib/url-state";
import { isUuid } from "@/lib/uuid";

/** `pair=<target of the baseline>:<target of the other run>`, repeated. A target is in one pair: the first counts. */
export function readPairs(search: URLSearchParams): PairChoice[] {
  const pairs: PairChoice[] = [];
  for (const [one = "", other = "", ...rest] of search.getAll("pair").map((pair) => pair.split(":"))) {
    const taken = pairs.some((pair) => pair.baseline_target_id === one || pair.target_id === other);
    if (isUuid(one) && isUuid(other) && rest.length === 0 && !taken) pairs.push({ baseline_target_id: one, target_id: other });
  }
  return pairs;
}

/** Return the pairs with this choice, which removes both targets from other pairs; `null` pairs the target automatically. */
export function withPair(pairs: readonly PairChoice[], baselineId: string, targetId: string | null): PairChoice[] {
  const others = pairs.filter((pair) => pair.baseline_target_id !== baselineId && pair.target_id !== targetId);
  return targetId === null ? others : [...others, { baseline_target_id: baselineId, target_id: targetId }];
}

export function usePairView() {
  const [search, setSearch] = useSearchParams();
  const key = JSON.stringify(readPairs(search));
  const pairs = useMemo(() => JSON.parse(key) as PairChoice[], [key]);
  const setPairs = useCallback(
    (next: readonly PairChoice[]) =>
      setSearch((now) => writeSet(now, "pair", next.map((pair) => `${pair.baseline_target_id}:${pair.target_id}`)), { preventScrollReset: true }),
    [setSearch],
  );
  const setTarget = useCallback(
    (next: string) => setSearch((now) => writeOne(writeOne(now, "target", next), "case", null), { replace: true, preventScrollReset: true }),
    [setSearch],
  );
  const swap = useCallback(
    () =>
      setSearch((now) => {
        const turned = readPairs(now).map((pair) => `${pair.target_id}:${pair.baseline_target_id}`);
        return writeOne(writeSet(writeSet(now, "run", [...new Set(now.getAll("run"))].toReversed()), "pair", turned), "target", null);
      }, { preventScrollReset: true }),
    [setSearch],
  );
  return { pairs, setPairs, target: search.get("target"), setTarget, swap };
}
