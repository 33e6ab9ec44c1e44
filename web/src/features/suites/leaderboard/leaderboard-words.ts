/** Words and URL state of a suite's leaderboard. */

import type { Difference } from "@/api/generated/orchestrator";

export const DIFFERS: Record<Difference, string> = {
  version: "another version of the suite",
  cases: "other cases",
  judge: "another judge",
  evaluators: "other evaluators",
};

/** Return the ranks that an entry may have: `1`, or `2 to 4`. */
export const rankText = (low: number, high: number): string => (low === high ? String(low) : `${low} to ${high}`);

/** Return the filter that the address has. Values that the server would refuse are left out. */
export function readFilter(search: URLSearchParams) {
  const version = search.get("version") ?? "";
  const since = search.get("since") ?? "";
  const [year, month, day] = since.split("-").map(Number);
  const midnight = /^\d{4}-\d{2}-\d{2}$/.test(since) ? new Date(year!, month! - 1, day) : null;
  return {
    version: /^[1-9]\d{0,8}$/.test(version) ? Number(version) : undefined,
    providerId: search.getAll("provider"),
    since: midnight && !Number.isNaN(midnight.valueOf()) ? midnight.toISOString() : undefined,
    category: search.get("category") || undefined,
    tag: search.getAll("tag"),
  };
}
