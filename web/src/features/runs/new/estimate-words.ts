import { formatCount, formatDuration, formatUsd, plural } from "@/lib/format";
import type { RunSize } from "./run-form";
import type { Estimate } from "./useEstimate";

/** Format an estimate: `about 3 min 20 s, $0.42`, or its known parts; a dash if nothing is known. */
export function sumText({ seconds, usd }: Estimate["answers"]): string {
  const time = seconds === null ? [] : [seconds < 1 ? "less than 1 s" : `about ${formatDuration(seconds)}`];
  const cost = usd === null ? [] : [formatUsd(usd)];
  return [...time, ...cost].join(", ") || "–";
}

const known = (sum: Estimate["answers"]) => (sum.seconds === null && sum.usd === null ? [] : [sumText(sum)]);

export interface StepNotes {
  what: string;
  who: string;
  how: string;
  end: string;
}

/** Return what each step has made of the run so far: its size, then its time and its price. */
export function stepNotes(size: RunSize, sampledFrom: number | null, targets: number, estimate: Estimate, byProgram: boolean): StepNotes {
  const of = sampledFrom === null ? "" : ` of ${formatCount(sampledFrom)}`;
  const total = { seconds: sumOf(estimate.answers.seconds, estimate.judging.seconds), usd: sumOf(estimate.answers.usd, estimate.judging.usd) };
  return {
    what: size.tasks === 0 ? "" : `${formatCount(size.tasks)}${of} ${size.tasks === 1 ? "case" : "cases"}`,
    who: targets === 0 ? "" : [plural(targets, "target"), ...(size.items === 0 ? [] : [plural(size.items, "answer"), ...known(estimate.answers)])].join(" · "),
    how: byProgram ? "by program" : size.items === 0 ? "" : known(estimate.judging).join(""),
    end: size.items === 0 ? "" : [`${plural(size.calls, "model call")}`, ...known(total)].join(" · "),
  };
}

/** Return the sum of what is known; null if nothing is. */
const sumOf = (a: number | null, b: number | null) => (a === null && b === null ? null : (a ?? 0) + (b ?? 0));
