import { formatPercent } from "@/lib/format";
import { useWidth } from "@/lib/use-width";
import { niceTicks, type Point } from "./front";

interface Props {
  title: string;
  /** The points; a point's number is its position in this list. */
  points: readonly Point[];
  front: readonly Point[];
  format: (x: number) => string;
}

const HEIGHT = 240;
const BOX = { left: 44, right: 16, top: 14, bottom: 28 };
const PLOT_HEIGHT = HEIGHT - BOX.top - BOX.bottom;

const y = (share: number) => BOX.top + (1 - share) * PLOT_HEIGHT;

/** A scatter plot of numbered targets with intervals and the Pareto front. A text next to it repeats its content. */
export function Scatter({ title, points, front, format }: Props) {
  const [box, width] = useWidth();
  const ticks = niceTicks(Math.max(...points.map((one) => one.x)));
  const largest = ticks.at(-1) ?? 1;
  const x = (value: number) => BOX.left + (value / largest) * (width - BOX.left - BOX.right);
  const path = front.map((one, index) => (index === 0 ? `M${x(one.x)},${y(one.y)}` : `H${x(one.x)}V${y(one.y)}`)).join("");
  return (
    <svg ref={box} viewBox={`0 0 ${width} ${HEIGHT}`} height={HEIGHT} role="img" aria-label={`${title}: ${points.map((one) => `${one.label} ${formatPercent(one.y)} at ${format(one.x)}`).join(", ")}`} className="mt-2 block w-full">
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <g key={share}>
          <line x1={BOX.left} x2={width - BOX.right} y1={y(share)} y2={y(share)} className="stroke-line" />
          <text x={BOX.left - 8} y={y(share) + 4} textAnchor="end" className="fill-ink-3 text-2xs">{share * 100}%</text>
        </g>
      ))}
      {ticks.map((tick, index) => (
        <text key={tick} x={x(tick)} y={HEIGHT - 8} textAnchor={index === ticks.length - 1 ? "end" : "middle"} className="fill-ink-3 text-2xs">{tick === 0 ? "0" : format(tick)}</text>
      ))}
      {front.length > 1 && <path d={path} fill="none" className="stroke-accent" strokeWidth="1.5" strokeDasharray="4 3" />}
      {points.map((one) => one.interval && (
        <line key={one.id} x1={x(one.x)} x2={x(one.x)} y1={y(one.interval.low)} y2={y(one.interval.high)} className="stroke-line-strong" strokeWidth="2" />
      ))}
      {/* The best lies on top of those it covers. */}
      {points.toReversed().map((one) => {
        const beats = front.includes(one);
        return (
          <g key={one.id}>
            <title>{`${one.label}: ${formatPercent(one.y)} at ${format(one.x)}`}</title>
            <circle cx={x(one.x)} cy={y(one.y)} r="9" strokeWidth="1.5" className={beats ? "fill-accent stroke-surface" : "fill-mute-soft stroke-surface"} />
            <text x={x(one.x)} y={y(one.y) + 4} textAnchor="middle" className={`text-2xs font-semibold ${beats ? "fill-on-accent" : "fill-ink-2"}`}>{points.indexOf(one) + 1}</text>
          </g>
        );
      })}
    </svg>
  );
}
