import type { Tone } from "./Chip";

const FILLS: Record<Tone, string> = {
  neutral: "bg-line-strong",
  info: "bg-info-fill",
  good: "bg-good-fill",
  warn: "bg-warn-fill",
  bad: "bg-bad-fill",
};

export interface Segment {
  name: string;
  value: number;
  tone: Tone;
}

interface Props {
  label: string;
  segments: readonly Segment[];
  total: number;
  /** The accessible name, which says what counts as done. */
  done: number;
  className?: string;
}

export function ProgressBar({ label, segments, total, done, className = "h-2" }: Props) {
  const share = (value: number) => `${total === 0 ? 0 : (100 * value) / total}%`;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      aria-valuetext={`${done} of ${total}: ${segments.map((one) => `${one.value} ${one.name}`).join(", ")}`}
      className={`flex w-full overflow-hidden rounded-full bg-mute-soft ${className}`}
    >
      {segments.map((segment) => (
        <span key={segment.name} className={`${FILLS[segment.tone]} transition-[width] duration-300`} style={{ width: share(segment.value) }} />
      ))}
    </div>
  );
}
