/** A gate in plain words, in the units of the screen: points of scores and rates, percent of cost and latency. */

import type { GateOut, GatePairOut, GateState } from "@/api/generated/orchestrator";
import type { ChipLook } from "@/components/Chip";
import { formatCount } from "@/lib/format";
import { formatPoints } from "../words";

const LOOKS: Record<GateState, ChipLook> = {
  fine: { label: "Fine", tone: "good", icon: "check" },
  worse: { label: "Worse", tone: "bad", icon: "down" },
  undecided: { label: "Undecided", tone: "warn", icon: "scale" },
  "low coverage": { label: "Low coverage", tone: "warn", icon: "alert" },
};

export function gateLook(state: GateState): ChipLook {
  return LOOKS[state];
}

/** "5 points" of scores and rates, "5%" of cost and latency. */
export function amount(gate: { relative: boolean }, margin: number): string {
  const size = Number((margin * 100).toFixed(2));
  return gate.relative ? `${size}%` : size === 1 ? "1 point" : `${size} points`;
}

function change(gate: GateOut, pair: GatePairOut): string {
  if (pair.mean === null) return "unknown";
  const unit = gate.relative ? "%" : " points";
  const bounds = pair.interval ? `${formatPoints(pair.interval.low)} to ${formatPoints(pair.interval.high)}` : "not known";
  return `${formatPoints(pair.mean)}${unit} (90% two-sided: ${bounds})`;
}

/** Return a pair's finding and verdict and, if it is undecided, what would decide. */
export function gateWords(gate: GateOut, pair: GatePairOut): string {
  // Only the server knows which task of a suite is the least covered one.
  if (pair.state === "low coverage") return pair.sentence;
  const loss = `a ${gate.relative ? "rise" : "loss"} of ${amount(gate, gate.margin)}`;
  const finding = `The ${gate.title} changed by ${change(gate, pair)}: ${loss}`;
  if (pair.state === "fine") return `${finding} is ruled out.`;
  if (pair.state === "worse") return `${finding} or more is certain.`;
  const sure = pair.lower_than_baseline ? ` It is ${gate.lower_is_better ? "higher" : "lower"} than the baseline for certain.` : "";
  return `${finding} is neither ruled out nor certain.${sure}${wouldDecide(gate, pair)}`;
}

function wouldDecide(gate: GateOut, pair: GatePairOut): string {
  const noun = pair.cases === pair.clusters ? "cases" : "clusters";
  const ways = [pair.clusters_needed && `${formatCount(pair.clusters_needed)} ${noun}`, pair.margin_needed && `a margin of ${amount(gate, pair.margin_needed)}`].filter(Boolean);
  return ways.length > 0 ? ` ${ways.join(" or ")} would decide, if the mean stays.` : "";
}
