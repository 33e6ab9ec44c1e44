/** A sentence about the outcome of a retry. */

import { formatCount } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import type { Outcome } from "@/live/retry-watch";
import { failureLabel } from "../run-words";
import { causesOf } from "./causes";

/** Return `Tried again: 2 answered, 1 still fails: context overflow.` */
export function outcomeWords({ before, after }: Outcome): { text: string; tone: "good" | "bad" } {
  const judging = new Set(before.filter((row) => row.failure?.phase === "JUDGING").map((row) => row.id));
  const completed = after.filter((row) => row.status === "COMPLETED");
  const judged = completed.filter((row) => judging.has(row.id)).length;
  const skipped = after.filter((row) => row.status === "SKIPPED").length;
  const failed = after.filter((row) => row.status === "FAILED").length;
  const parts = ([[completed.length - judged, "answered"], [judged, "judged"], [skipped, "skipped"], [after.length - completed.length - skipped - failed, "not finished"]] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${formatCount(count)} ${word}`);
  if (failed > 0) {
    const causes = causesOf(after);
    const why = causes.map(({ cause, ids }) => `${causes.length > 1 ? `${formatCount(ids.length)} ` : ""}${harmless(failureLabel(cause))}`).join(", ");
    parts.push(`${formatCount(failed)} still ${failed === 1 ? "fails" : "fail"}${why === "" ? "" : `: ${why}`}`);
  }
  return { text: `Tried again: ${parts.join(", ")}.`, tone: completed.length === after.length ? "good" : "bad" };
}
