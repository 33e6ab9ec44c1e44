/** The view of the usage page in the address, and the days of its chart. */

import type { UsageRow } from "@/api/usage";
import { knownCost } from "@/lib/format";

export const GROUPS = ["day", "person", "model"] as const;
export type Group = (typeof GROUPS)[number];

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

/** Return the day in the address; null unless it is a day. */
export const dayOf = (text: string | null): string | null => (text !== null && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : null);

export function groupOf(text: string | null): Group {
  return GROUPS.find((group) => group === text) ?? "day";
}

/** Return every day from the first to the last one, both included, as YYYY-MM-DD in UTC. */
export function daysBetween(since: string, until: string): string[] {
  const days = [];
  for (let at = Date.parse(since); at <= Date.parse(until); at += DAY_MS) days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

export interface ChartDay {
  day: string;
  /** Null if no call has a known price. */
  cost: number | null;
  calls: number;
}

/** Return the cost and the calls of every day of the period, also of days without any. */
export function chartDays(since: string, until: string, rows: readonly UsageRow[]): ChartDay[] {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return daysBetween(since, until).map((day) => {
    const row = byDay.get(day);
    return { day, cost: row ? knownCost(row) : 0, calls: row?.calls ?? 0 };
  });
}
