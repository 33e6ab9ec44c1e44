import { MISSING } from "@/lib/format";
import { useMinute } from "@/lib/use-now";
import { formatAgo, formatExactly } from "@/lib/when";

/** A time as its distance from now; the exact time is its tooltip. */
export function Moment({ at }: { at: string | null | undefined }) {
  const minute = useMinute();
  if (!at) return MISSING;
  // The minute has begun at `minute`: a time within it must not lie in the future.
  return <time dateTime={at} title={formatExactly(at)}>{formatAgo(at, Math.max(minute, Math.min(Date.parse(at), minute + 60_000)))}</time>;
}
