/** Words for schedules, their times and their firings. */

import type { CreateRun, FiringOut, ScheduleOut, StartBenchmark } from "@/api/generated/orchestrator";
import type { ChipLook } from "@/components/Chip";
import { localDate, plural } from "@/lib/format";
import { ownZone } from "@/lib/when";

const days = localDate({ weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "UTC" });

/** Format a local time with its offset (`2026-11-25T02:00:00+01:00`) as it is on the clocks of its zone. */
export function localText(local: string): string {
  return days.format(new Date(`${local.slice(0, 19)}Z`));
}

/** Return the offset of a local time: `+01:00`. */
export const offsetOf = (local: string) => local.slice(19);

export const CRONS = [
  { value: "0 2 * * *", label: "0 2 * * *", detail: "every day at 02:00" },
  { value: "0 2 * * 1-5", label: "0 2 * * 1-5", detail: "Monday to Friday at 02:00" },
  { value: "0 6 * * MON", label: "0 6 * * MON", detail: "Mondays at 06:00" },
  { value: "0 * * * *", label: "0 * * * *", detail: "every hour" },
  { value: "0 0 1 * *", label: "0 0 1 * *", detail: "the first day of each month" },
] as const;

export function zones(): { value: string; label: string }[] {
  return [...new Set(["UTC", ownZone(), ...Intl.supportedValuesOf("timeZone")])].map((name) => ({ value: name, label: name }));
}

const GOING = { QUEUED: "Queued", PENDING: "Pending", RUNNING: "Running", PAUSING: "Pausing", PAUSED: "Paused" } as const;

/** Return the look of a firing: the state of its run, or why there is none. */
export function firingLook(firing: FiringOut): ChipLook {
  const { status, run } = firing;
  if (status === "STARTING") return { label: "Starting", tone: "info", icon: "clock" };
  if (status === "SKIPPED") return { label: "Skipped", tone: "neutral", icon: "ban" };
  if (status === "FAILED") return { label: "Not started", tone: "bad", icon: "cross" };
  if (run === null) return { label: "Run deleted", tone: "neutral", icon: "trash" };
  if (run.status === "CANCELLED") return { label: "Cancelled", tone: "neutral", icon: "ban" };
  if (run.status !== "FINISHED") return { label: GOING[run.status], tone: run.status === "PAUSED" ? "warn" : "info", icon: run.status === "QUEUED" ? "clock" : "play" };
  if (run.outcome === "complete") return { label: "Finished", tone: "good", icon: "check" };
  return run.outcome === "partial" ? { label: "Finished, partial", tone: "warn", icon: "alert" } : { label: "Failed", tone: "bad", icon: "cross" };
}

export function missedText({ missed }: FiringOut): string {
  return missed === 0 ? "" : missed >= 100 ? "and 100 or more later times, which were missed too" : `and ${plural(missed, "later time")}, missed too`;
}

/** The thing that a schedule starts: a run, or a suite. */
export type What = { kind: "run"; request: CreateRun } | { kind: "suite"; request: StartBenchmark };

/** Return what a schedule starts; the form of its request is checked by the server. */
export const whatOf = ({ what }: Pick<ScheduleOut, "what">) => what as unknown as What;

/** Describe what is run: the models, and the suite or how many sources of cases. */
export function whatText(what: What): string {
  if (what.kind === "run") return requestText(what.request);
  const { model, models } = what.request;
  return `${few((model ? [model] : (models ?? [])).map((one) => one.label ?? one.name))} on a suite`;
}

const few = (models: readonly string[]) => `${models.slice(0, 3).join(", ")}${models.length > 3 ? ` and ${models.length - 3} more` : ""}`;

function requestText(request: CreateRun): string {
  const models = request.targets.map((one) => one.label ?? one.model);
  const sources = [
    (request.collection_ids?.length ?? 0) > 0 && plural(request.collection_ids!.length, "collection"),
    (request.dataset_version_ids?.length ?? 0) > 0 && plural(request.dataset_version_ids!.length, "dataset version"),
  ].filter(Boolean);
  return `${few(models)} on ${sources.join(" and ")}`;
}
