/** Format times and days relative to now, or in full. */

import { formatCount, formatDate, localDate, plural } from "./format";

/** A non-breaking space keeps a number and its unit on one line. */
const NBSP = "\u00a0";
const calendarDays = localDate({ weekday: "short", month: "short", day: "numeric", year: "numeric", timeZone: "UTC" });
const exactly = localDate({ dateStyle: "full", timeStyle: "long", hourCycle: "h23" });

/** Format a local time in full, for a tooltip. */
export const formatExactly = (iso: string): string => exactly.format(new Date(iso));

/** Format a calendar day such as `2026-03-29`. */
export const formatDay = (day: string): string => calendarDays.format(new Date(`${day}T00:00:00Z`));

/** Return the name of this browser's time zone, such as `Europe/Vienna`. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** Format how long ago a time is: `12 min ago`, `in 3 h`; one of more than 30 days is a date. */
export function formatAgo(iso: string, now: number): string {
  const seconds = (now - Date.parse(iso)) / 1000;
  const size = Math.abs(seconds);
  if (size < MINUTE_S) return "just now";
  if (size >= 30 * DAY_S) return formatDate(iso);
  const ago = size < HOUR_S ? `${formatCount(Math.floor(size / MINUTE_S))}${NBSP}min` : size < DAY_S ? `${formatCount(Math.floor(size / HOUR_S))}${NBSP}h` : plural(Math.floor(size / DAY_S), "day");
  return seconds > 0 ? `${ago} ago` : `in ${ago}`;
}
