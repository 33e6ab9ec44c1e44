import type { ReactNode } from "react";
import { Link } from "react-router";

export interface Bar {
  count: number;
  /** The meaning of the bar as a sentence: its tooltip and its accessible name. */
  title: string;
  /** The target of a click. */
  to?: string;
}

interface Props {
  label: string;
  bars: readonly Bar[];
  /** The count that fills the height; histograms to be compared share it. */
  full: number;
  /** Ticks at positions from 0 to 1 along the axis. */
  marks?: readonly { at: number; title: string }[];
  axis: readonly [ReactNode, ReactNode] | readonly [ReactNode, ReactNode, ReactNode];
  tone?: "info" | "mute";
}

/** A bar chart over an axis. Empty bins are not drawn, named or clickable. */
export function Histogram({ label, bars, full, marks = [], axis, tone = "info" }: Props) {
  return (
    <div className="min-w-0">
      <div className="relative">
        <ul aria-label={label} className="flex h-16 items-end gap-px border-b border-line-strong">
          {bars.map((bar, index) => (
            // A bin is identified by its position only.
            <li key={index} className="flex h-full flex-1 items-end" aria-hidden={bar.count === 0}>
              {bar.count > 0 && <Column bar={bar} height={full === 0 ? 0 : bar.count / full} tone={tone} />}
            </li>
          ))}
        </ul>
        {marks.map((mark) => (
          <span key={mark.title} title={mark.title} aria-hidden="true" className="absolute inset-y-0 w-px border-l border-dashed border-ink-2" style={{ left: `${mark.at * 100}%` }} />
        ))}
      </div>
      <div aria-hidden="true" className="mt-1 flex justify-between text-2xs text-ink-3">
        {axis.map((text, index) => <span key={index}>{text}</span>)}
      </div>
    </div>
  );
}

const FILLS = { info: "bg-info-fill", mute: "bg-line-strong" } as const;

function Column({ bar, height, tone }: { bar: Bar; height: number; tone: keyof typeof FILLS }) {
  const drawn = <span className={`block w-full rounded-t-xs ${FILLS[tone]}`} style={{ height: `max(2px, ${height * 100}%)` }} />;
  if (bar.to === undefined) return <span role="img" aria-label={bar.title} title={bar.title} className="flex h-full w-full items-end">{drawn}</span>;
  return (
    <Link to={bar.to} aria-label={bar.title} title={bar.title} className="flex h-full w-full items-end outline-offset-[-2px] hover:bg-hover">
      {drawn}
    </Link>
  );
}
