import { formatPercent, MISSING } from "@/lib/format";
import { cut, NAME_CHARACTER_PX } from "./axis";
import { HEAT_STEPS, heatStep } from "./heat";

interface Props {
  title: string;
  columns: readonly string[];
  rows: readonly { name: string; scores: readonly (number | null)[] }[];
}

const NAME = 180;
const CELL = { width: 88, height: 24 };
const HEAD = 48;

/** A heat map as a picture to be saved. On the screen it is a table. */
export function HeatPicture({ title, columns, rows }: Props) {
  const width = NAME + Math.max(columns.length * CELL.width, 300);
  const height = HEAD + rows.length * CELL.height + 30;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
      <text x="4" y="15" className="fill-ink text-xs font-semibold">{title}</text>
      {columns.map((name, at) => <text key={at} x={NAME + (at + 0.5) * CELL.width} y={HEAD - 8} textAnchor="middle" className="fill-ink-2 text-2xs">{cut(name, CELL.width - 6)}</text>)}
      {rows.map((row, index) => (
        <g key={index} transform={`translate(0 ${HEAD + index * CELL.height})`}>
          <text x={NAME - 8} y="16" textAnchor="end" className="fill-ink text-xs">{cut(row.name, NAME - 12, NAME_CHARACTER_PX)}</text>
          {row.scores.map((score, at) => (
            <g key={at} transform={`translate(${NAME + at * CELL.width} 0)`}>
              <rect x="1" y="1" width={CELL.width - 2} height={CELL.height - 2} fill={score === null ? "var(--mute-soft)" : `var(--heat-${heatStep(score)})`} />
              <text x={CELL.width / 2} y="16" textAnchor="middle" fill={score === null ? "var(--ink-3)" : `var(--on-heat-${heatStep(score)})`} className="text-2xs">{score === null ? MISSING : formatPercent(score)}</text>
            </g>
          ))}
        </g>
      ))}
      {HEAT_STEPS.map((step, at) => (
        <g key={step} transform={`translate(${NAME + at * 28} ${height - 22})`}>
          <rect width="28" height="16" fill={`var(--heat-${at})`} />
          <text x="14" y="12" textAnchor="middle" fill={`var(--on-heat-${at})`} className="text-2xs">{at * 10}</text>
        </g>
      ))}
    </svg>
  );
}
