import { Link } from "react-router";
import { useWidth } from "@/lib/use-width";
import { cut, fits } from "./axis";

export interface Bar {
  count: number;
  /** The meaning of the bar as a sentence: its tooltip and its accessible name. */
  title: string;
  /** The target of a click. */
  to?: string;
}

export interface BarRow {
  /** The accessible name of the row. */
  name: string;
  /** The words above the row: on two lines where one is too narrow. */
  head?: { name: string; figures: string };
  bars: readonly Bar[];
  /** Dashed lines at positions from 0 to 1 along the axis. */
  marks?: readonly { at: number; title: string }[];
}

export interface Tick {
  /** The place along the axis, from 0 to 1. */
  at: number;
  text: string;
}

interface Props {
  /** The name of the horizontal axis. */
  axis: string;
  rows: readonly BarRow[];
  /** The ticks of the vertical axis, the first is 0: rows to be compared share them. */
  counts: readonly number[];
  format: (count: number) => string;
  ticks: readonly Tick[];
  tone?: "info" | "mute";
}

const HEAD = 20;
const LINE = 15;
const PLOT = 72;
const FOOT = 22;
const BOX = { left: 44, right: 10 };
const FILLS = { info: "fill-info-fill", mute: "fill-line-strong" } as const;

/** Bar charts below each other on one pair of axes. Empty bins are not drawn, named or clickable. */
export function BarRows({ axis, rows, counts, format, ticks, tone = "info" }: Props) {
  const [box, width] = useWidth();
  const inner = width - BOX.left - BOX.right;
  const heads = rows.flatMap((row) => (row.head ? [onOneLine(row.head)] : []));
  const isNarrow = !heads.every((one) => fits(one, inner));
  const top = heads.length === 0 ? 8 : isNarrow ? HEAD + LINE : HEAD;
  const rowHeight = top + PLOT + FOOT;
  const height = rows.length * rowHeight + 14;
  return (
    <svg ref={box} viewBox={`0 0 ${width} ${height}`} height={height} role="group" aria-label={axis} className="block w-full">
      {rows.map((row, index) => (
        <g key={row.name} transform={`translate(${BOX.left} ${index * rowHeight})`}>
          {row.head && (
            <text className="fill-ink text-2xs font-medium">
              <title>{onOneLine(row.head)}</title>
              {(isNarrow ? [row.head.name, row.head.figures] : [onOneLine(row.head)]).map((line, at) => <tspan key={at} x="0" y={13 + at * LINE}>{cut(line, inner)}</tspan>)}
            </text>
          )}
          <g transform={`translate(0 ${top})`}>
            <Grid counts={counts} format={format} ticks={ticks} inner={inner} />
            <Bars row={row} full={counts.at(-1) ?? 1} inner={inner} tone={tone} />
          </g>
        </g>
      ))}
      <text x={BOX.left + inner / 2} y={height - 3} textAnchor="middle" aria-hidden="true" className="fill-ink-2 text-2xs">{axis}</text>
    </svg>
  );
}

const onOneLine = ({ name, figures }: { name: string; figures: string }) => `${name} · ${figures}`;

function Grid({ counts, format, ticks, inner }: { counts: readonly number[]; format: (count: number) => string; ticks: readonly Tick[]; inner: number }) {
  const full = counts.at(-1) ?? 1;
  return (
    <g aria-hidden="true">
      {counts.map((count, index) => {
        const y = PLOT * (1 - count / full);
        return (
          <g key={count}>
            <line x1="0" x2={inner} y1={y} y2={y} className={count === 0 ? "stroke-line-strong" : "stroke-line"} />
            {(index % 2 === 0 || counts.length < 4) && <text x="-6" y={y + 4} textAnchor="end" className="fill-ink-3 text-2xs">{format(count)}</text>}
          </g>
        );
      })}
      {ticks.map(({ at, text }) => (
        <g key={at}>
          <line x1={at * inner} x2={at * inner} y1={PLOT} y2={PLOT + 4} className="stroke-line-strong" />
          <text x={at * inner} y={PLOT + 16} textAnchor={at < 0.02 ? "start" : at > 0.98 ? "end" : "middle"} className="fill-ink-3 text-2xs">{text}</text>
        </g>
      ))}
    </g>
  );
}

function Bars({ row, full, inner, tone }: { row: BarRow; full: number; inner: number; tone: keyof typeof FILLS }) {
  const wide = inner / Math.max(1, row.bars.length);
  return (
    <g role="group" aria-label={row.name}>
      {row.bars.map((bar, at) => {
        if (bar.count === 0) return null;
        const tall = Math.max(2, (PLOT * bar.count) / full);
        const drawn = (
          <>
            <title>{bar.title}</title>
            {/* The entire height can be hit, also above a low bar. */}
            <rect x={at * wide} y="0" width={wide} height={PLOT} fill="transparent" className="hover:fill-hover" />
            <rect x={at * wide + 0.5} y={PLOT - tall} width={Math.max(1, wide - 1)} height={tall} rx="1" className={`pointer-events-none ${FILLS[tone]}`} />
          </>
        );
        // A bin is identified by its position only.
        if (bar.to === undefined) return <g key={at} role="img" aria-label={bar.title}>{drawn}</g>;
        return <Link key={at} to={bar.to} aria-label={bar.title}>{drawn}</Link>;
      })}
      {row.marks?.map((mark) => (
        <line key={mark.title} x1={mark.at * inner} x2={mark.at * inner} y1="0" y2={PLOT} strokeDasharray="3 3" className="stroke-ink-2"><title>{mark.title}</title></line>
      ))}
    </g>
  );
}
