/** Format figures for display. A missing figure is an en dash, never a zero. */

export const MISSING = "–";
/** A non-breaking space keeps a number and its unit, or "24 of 30", on one line. */
const NBSP = "\u00a0";

type Maybe = number | null | undefined;

/** Digits and separators follow the reader's language. Words stay English, like the rest of the app. */
const LOCALE = globalThis.navigator?.language || "en";
/** A month's name is a word: only an English reader's own order of day and month is taken over. */
const WORDS = LOCALE.startsWith("en") ? LOCALE : "en";

/** Return a format of numbers in the reader's digits, for what has no function below. */
export const localNumber = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(LOCALE, options);

/** Return a format of dates in English words. */
export const localDate = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(WORDS, options);

const digits = (least: number, most = least, more: Intl.NumberFormatOptions = {}) => new Intl.NumberFormat(LOCALE, { minimumFractionDigits: least, maximumFractionDigits: most, ...more });
const DOLLARS = { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" } as const;

const integers = digits(0);
const oneDigit = digits(1);
const twoDigits = digits(2);
const threeDigits = digits(3);
const percents = digits(1, 1, { style: "percent" });
const shares = digits(0, 1, { style: "percent" });
const twoSignificant = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 2 });
const smallDollars = new Intl.NumberFormat(LOCALE, { ...DOLLARS, maximumSignificantDigits: 2 });
const dollars = { 0: digits(0, 0, DOLLARS), 2: digits(2, 2, DOLLARS), 4: digits(4, 4, DOLLARS) } as const;
const MOMENT = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const datesThisYear = new Intl.DateTimeFormat(WORDS, MOMENT);
const dates = new Intl.DateTimeFormat(WORDS, { ...MOMENT, year: "numeric" });
const clock = new Intl.DateTimeFormat(WORDS, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

export function formatCount(value: Maybe): string {
  return value == null ? MISSING : integers.format(value);
}

/** Format a part of a total: `24 of 30`. */
export function formatPart(part: Maybe, total: Maybe): string {
  return `${formatCount(part)}${NBSP}of${NBSP}${formatCount(total)}`;
}

/** Format the time of a model call: `84 ms`, `1.24 s`, `2 min 5 s`. */
export function formatLatency(ms: Maybe): string {
  if (ms == null) return MISSING;
  if (ms < 1000) return `${Math.round(ms)}${NBSP}ms`;
  if (ms < 9_995) return `${twoDigits.format(ms / 1000)}${NBSP}s`;
  if (ms < 59_950) return `${oneDigit.format(ms / 1000)}${NBSP}s`;
  return formatDuration(ms / 1000);
}

const two = (value: number) => String(value).padStart(2, "0");

/** Format a duration in its two largest units: `42 s`, `3 min 05 s`, `2 h 10 min`, `1 d 4 h`. */
export function formatDuration(seconds: Maybe): string {
  if (seconds == null) return MISSING;
  const rounded = Math.max(0, Math.round(seconds));
  const [days, hours, minutes] = [Math.floor(rounded / 86_400), Math.floor(rounded / 3600) % 24, Math.floor(rounded / 60) % 60];
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${two(minutes)} min`;
  if (minutes > 0) return `${minutes} min ${two(rounded % 60)} s`;
  return `${rounded}${NBSP}s`;
}

/** Format a normalised figure (0…1) in percent: `49.6%`. A mean score of a run or a target is shown in this form only. */
export function formatPercent(value: Maybe): string {
  return value == null ? MISSING : percents.format(value);
}

/** Format a share (0…1) as a tick of an axis, in percent without needless decimals: `40%`, `47.5%`. */
export function formatShare(value: number): string {
  return shares.format(value);
}

/** Format a probability as a number of 100; an uncertain one is never shown as 0 or 100. */
export function formatChance(probability: number): string {
  const rounded = Math.round(probability * 100);
  if (rounded === 100 && probability < 1) return "more than 99";
  return rounded === 0 ? "fewer than 1" : String(rounded);
}

/** Format an interval of a normalised figure in percent: `48.2 – 57.9`. */
export function formatInterval(interval: { low: number; high: number } | null | undefined): string {
  return interval ? `${oneDigit.format(interval.low * 100)} – ${oneDigit.format(interval.high * 100)}` : "";
}

/** Format the score of one answer on its evaluator's own scale; integers have no decimals. */
export function formatScore(value: Maybe): string {
  if (value == null) return MISSING;
  return Number.isInteger(value) ? integers.format(value) : formatFixed(value, 2);
}

/** Format a number with a fixed number of decimals, such as a correlation: `−0.42`. */
export function formatFixed(value: Maybe, decimals: 1 | 2 | 3): string {
  if (value == null) return MISSING;
  return (decimals === 1 ? oneDigit : decimals === 2 ? twoDigits : threeDigits).format(value).replace("-", "−");
}

export function formatRate(value: Maybe): string {
  if (value == null) return MISSING;
  return value >= 100 ? integers.format(value) : oneDigit.format(value);
}

/** Format a rate per second, with more digits below one. */
export function formatRequests(value: Maybe): string {
  if (value == null) return MISSING;
  return value >= 10 ? formatRate(value) : twoSignificant.format(value);
}

/** Format US dollars with enough digits for small sums: `$12.40`, `$0.0031`, `$0.000042`. */
export function formatUsd(value: Maybe): string {
  if (value == null) return MISSING;
  if (value === 0) return dollars[0].format(0);
  if (value < LEAST_USD) return `< ${smallDollars.format(LEAST_USD)}`;
  if (value < 0.001) return smallDollars.format(value);
  return dollars[value < 0.1 ? 4 : 2].format(value);
}

export const LEAST_USD = 0.000001;

/** Return a sum of costs, or null where no call has a known price: then the sum is unknown, not zero. */
export const knownCost = ({ cost_usd: cost, unpriced_calls: unpriced }: { cost_usd: number | null; unpriced_calls: number }) => (cost === 0 && unpriced > 0 ? null : cost);

/** Return the kind of a thing as the word before its name; nothing if the name itself begins with that word. */
export const kindBefore = (kind: string, name: string): string => (name.toLowerCase().startsWith(kind.toLowerCase()) ? "" : `${kind} `);

/** Return a name with its kind before it: `Suite Nightly`, `Suite of sums`. */
export const withKind = (kind: string, name: string): string => `${kindBefore(kind, name)}${name}`;

/** Format a local time, with the year if it is not the current one. */
export function formatDate(iso: string | null | undefined): string {
  if (!iso) return MISSING;
  const date = new Date(iso);
  return (date.getFullYear() === new Date().getFullYear() ? datesThisYear : dates).format(date);
}

export function formatClock(iso: string | null | undefined): string {
  return iso ? clock.format(new Date(iso)) : MISSING;
}

export function secondsBetween(startIso: string, endMs: number): number {
  return Math.max(0, (endMs - Date.parse(startIso)) / 1000);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

const GIB = 1024 ** 3;

/** Format a file size: `840 bytes`, `12 KiB`, `3.4 MiB`, `10.0 GiB`. */
export function formatBytes(bytes: number): string {
  if (bytes >= GIB) return `${oneDigit.format(bytes / GIB)} GiB`;
  return bytes < 1024 ? plural(bytes, "byte") : bytes < 1024 * 1024 ? `${formatCount(bytes / 1024)} KiB` : `${oneDigit.format(bytes / 1024 / 1024)} MiB`;
}
