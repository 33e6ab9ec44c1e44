/** Estimate the remaining time of a run, over all models and both phases. */

import type { GroupOut, RunDetail, TargetOut, TargetResult } from "@/api/generated/orchestrator";
import type { Paces } from "@/live/pace-meter";

/** Seconds, from and to. */
export interface Span {
  low: number;
  high: number;
}

export interface Remaining {
  /** The range for the active phase; null until it can be estimated. */
  now: Span | null;
  /** The number of groups not started, which are estimated from the others. */
  toCome: number;
  /** The next step: nothing, the scores of programs, or a judge whose pace is unknown. */
  next: "nothing" | "programs" | "judge";
  /** Answers or verdicts a minute, of the groups that are open. */
  perMinute: number | null;
}

type Run = Pick<RunDetail, "phase"> & {
  groups: readonly Pick<GroupOut, "id" | "phase" | "provider_id" | "model" | "status" | "concurrency" | "total" | "done" | "failed">[];
  targets: readonly Pick<TargetOut, "id" | "provider_id" | "model">[];
  results: readonly Pick<TargetResult, "target_id" | "mean_time_ms" | "timed">[];
};

const OVER = new Set(["CLOSED", "FAILED"]);
/** The factor by which an estimate from a single measurement may be off. */
const UNSURE = 2;

export function remaining(run: Run, paces: Paces): Remaining {
  const groups = run.groups.filter((one) => one.phase === run.phase);
  const open = groups.filter((one) => !OVER.has(one.status) && leftOf(one) > 0);
  const own = new Map(groups.map((one) => [one.id, secondsEach(run, one, paces)]));
  const known = [...own.values()].filter((one) => one !== null);
  const usual: Span | null = known.length === 0 ? null : { low: Math.min(...known.map((one) => one.low)), high: Math.max(...known.map((one) => one.high)) };
  const parts = open.map((one) => times(own.get(one.id) ?? widened(usual, known.length), leftOf(one)));
  // Hosted models may be asked side by side: the longest of them, or all of them shared out, whichever takes longer.
  const lanes = Math.max(1, groups.filter((one) => one.status === "OPEN" && leftOf(one) > 0).length);
  const measured = open.flatMap((one) => paces.get(one.id)?.perMinute ?? []);
  return {
    now: parts.some((one) => one === null) ? null : { low: together(parts.map((one) => one?.low ?? 0), lanes), high: together(parts.map((one) => one?.high ?? 0), lanes) },
    toCome: open.filter((one) => own.get(one.id) === null).length,
    next: run.phase === "JUDGING" ? "nothing" : whatFollows(run),
    perMinute: measured.length === 0 ? null : measured.reduce((sum, one) => sum + one, 0),
  };
}

const leftOf = ({ total, done, failed }: Pick<GroupOut, "total" | "done" | "failed">) => Math.max(0, total - done - failed);

const times = (each: Span | null, count: number): Span | null => each && { low: each.low * count, high: each.high * count };

const together = (parts: readonly number[], lanes: number) => Math.max(0, ...parts, parts.reduce((sum, one) => sum + one, 0) / lanes);

/**
 * Widen the estimate for a group that has not begun if it rests on a single other group. Otherwise the range is from
 * the fastest to the slowest group.
 */
function widened(usual: Span | null, known: number): Span | null {
  return usual && known === 1 ? { low: usual.low / UNSURE, high: usual.high * UNSURE } : usual;
}

/**
 * Return the seconds per item, from the measured pace, else from the mean time of answers. The range narrows with the
 * number of measurements.
 */
function secondsEach(run: Run, group: Run["groups"][number], paces: Paces): Span | null {
  const pace = paces.get(group.id);
  if (pace) return around(60 / pace.perMinute, pace.counted);
  if (run.phase !== "BENCHMARKING") return null;
  const targets = new Set(run.targets.filter((one) => one.provider_id === group.provider_id && one.model === group.model).map((one) => one.id));
  const timed = run.results.filter((one) => targets.has(one.target_id) && one.timed > 0 && one.mean_time_ms !== null);
  const answers = timed.reduce((sum, one) => sum + one.timed, 0);
  if (answers === 0) return null;
  const meanS = timed.reduce((sum, one) => sum + one.timed * (one.mean_time_ms ?? 0), 0) / answers / 1000;
  return around(meanS / group.concurrency, answers);
}

/** Random counts scatter by their square root. */
function around(seconds: number, counted: number): Span {
  const part = Math.min(1 - 1 / UNSURE, 1 / Math.sqrt(counted));
  return { low: seconds / (1 + part), high: seconds / (1 - part) };
}

function whatFollows(run: Run): Remaining["next"] {
  const judging = run.groups.filter((one) => one.phase === "JUDGING");
  if (judging.length === 0) return "nothing";
  return judging.some((one) => one.provider_id !== null) ? "judge" : "programs";
}
