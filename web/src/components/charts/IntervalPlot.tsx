import { Fragment } from "react";
import { Link } from "react-router";
import { useWidth } from "@/lib/use-width";
import { cut, labelStep, NAME_CHARACTER_PX, placeOn, type Axis, type Span } from "./axis";
import { ROW, rowLayout } from "./row-layout";

export interface IntervalRow {
  key: string;
  label: string;
  value: number;
  interval: Span | null;
  /** The figure and its interval in words. */
  words: string;
  /** The target of a click. */
  to: string;
  tone?: "good" | "bad";
}

interface Props {
  label: string;
  rows: readonly IntervalRow[];
  /** The common axis of all rows. */
  axis: Axis;
  format: (tick: number) => string;
  /** A line at this value, such as "no difference". */
  line?: number;
}

const FOOT = 22;
const RIGHT = 14;
const STROKES = { good: "stroke-good-fill", bad: "stroke-bad-fill", plain: "stroke-info-fill" } as const;

/** Figures with their intervals, one below another on one axis. */
export function IntervalPlot({ label, rows, axis, format, line }: Props) {
  const [box, width] = useWidth();
  const { isAbove, left, height: tall, room } = rowLayout(width, rows.map((one) => one.label));
  const height = rows.length * tall + FOOT;
  const x = (value: number) => left + placeOn(axis, value) * (width - left - RIGHT);
  const labels = axis.ticks.map(format);
  const step = labelStep(labels, (width - left - RIGHT) / (labels.length - 1));
  return (
    <svg ref={box} viewBox={`0 0 ${width} ${height}`} height={height} role="group" aria-label={`${label}, from ${format(axis.low)} to ${format(axis.high)}`} className="block w-full">
      <g aria-hidden="true">
        {axis.ticks.map((tick, index) => (
          <g key={tick}>
            <line x1={x(tick)} x2={x(tick)} y1="0" y2={height - FOOT} className="stroke-line" />
            {index % step === 0 && <text x={x(tick)} y={height - 6} textAnchor={index === labels.length - 1 ? "end" : "middle"} className="fill-ink-3 text-2xs">{labels[index]}</text>}
          </g>
        ))}
        {line !== undefined && <line x1={x(line)} x2={x(line)} y1="0" y2={height - FOOT} className="stroke-ink-2" strokeWidth="1.25" />}
      </g>
      {rows.map((row, index) => {
        const top = index * tall;
        const y = top + tall - ROW / 2;
        const name = isAbove ? { x: 0, y: top + 13 } : { x: left - 12, y: y + 4 };
        return (
          <Fragment key={row.key}>
            <Link to={row.to} preventScrollReset aria-label={`${row.label}: ${row.words}`}>
              <title>{`${row.label}: ${row.words}`}</title>
              <rect x="0" y={top} width={width} height={tall} fill="transparent" className="hover:fill-hover" />
              <g className="pointer-events-none">
                {row.interval && <Whisker from={x(row.interval.low)} to={x(row.interval.high)} y={y} stroke={STROKES[row.tone ?? "plain"]} />}
                <circle cx={x(row.value)} cy={y} r="4.5" className="fill-ink stroke-surface" strokeWidth="1.5" />
              </g>
            </Link>
            {/* Outside the link: a label that is cut would not be a part of the link's name. */}
            <text aria-hidden="true" x={name.x} y={name.y} textAnchor={isAbove ? "start" : "end"} className="pointer-events-none fill-ink text-xs">{cut(row.label, room, NAME_CHARACTER_PX)}</text>
          </Fragment>
        );
      })}
    </svg>
  );
}

function Whisker({ from, to, y, stroke }: { from: number; to: number; y: number; stroke: string }) {
  return (
    <>
      <line x1={from} x2={to} y1={y} y2={y} strokeWidth="3" className={stroke} />
      {[from, to].map((end, index) => <line key={index} x1={end} x2={end} y1={y - 5} y2={y + 5} strokeWidth="1.5" className={stroke} />)}
    </>
  );
}
