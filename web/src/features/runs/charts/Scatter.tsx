import { Link } from "react-router";
import { labelStep, placeOn, zoomedAxis } from "@/components/charts/axis";
import { formatInterval, formatPercent, formatShare } from "@/lib/format";
import { useWidth } from "@/lib/use-width";
import { axisOf, type Point } from "./front";

interface Props {
  title: string;
  /** The points; a point's number is its position in this list. */
  points: readonly Point[];
  front: readonly Point[];
  format: (x: number) => string;
  /** The ratio of the values from which the horizontal axis is logarithmic. */
  logFrom: number | undefined;
  /** Return the address of the items of a point. */
  itemsOf: (point: Point) => string;
}

const HEIGHT = 240;
const BOX = { left: 44, right: 16, top: 14, bottom: 28 };
const PLOT_HEIGHT = HEIGHT - BOX.top - BOX.bottom;

/** A scatter plot of numbered targets with intervals and the Pareto front. A text next to it repeats its content. */
export function Scatter({ title, points, front, format, logFrom, itemsOf }: Props) {
  const [box, width] = useWidth();
  const { ticks, isLog, place } = axisOf(points.map((one) => one.x), logFrom);
  const scores = zoomedAxis(points.map((one) => ({ value: one.y, interval: one.interval })));
  const y = (score: number) => BOX.top + (1 - placeOn(scores, score)) * PLOT_HEIGHT;
  const x = (value: number) => BOX.left + place(value) * (width - BOX.left - BOX.right);
  const labels = ticks.map((tick) => (tick === 0 ? "0" : format(tick)));
  const step = labelStep(labels, (width - BOX.left - BOX.right) / Math.max(1, labels.length - 1));
  const path = front.map((one, index) => (index === 0 ? `M${x(one.x)},${y(one.y)}` : `H${x(one.x)}V${y(one.y)}`)).join("");
  return (
    <svg ref={box} viewBox={`0 0 ${width} ${HEIGHT}`} height={HEIGHT} role="group" aria-label={`${title}${isLog ? ", on a logarithmic scale" : ""}`} className="block w-full">
      {scores.ticks.map((share) => (
        <g key={share}>
          <line x1={BOX.left} x2={width - BOX.right} y1={y(share)} y2={y(share)} className="stroke-line" />
          <text x={BOX.left - 8} y={y(share) + 4} textAnchor="end" className="fill-ink-3 text-2xs">{formatShare(share)}</text>
        </g>
      ))}
      {ticks.map((tick, index) => (
        <g key={tick}>
          {isLog && <line x1={x(tick)} x2={x(tick)} y1={y(scores.high)} y2={y(scores.low)} className="stroke-line" />}
          {index % step === 0 && <text x={x(tick)} y={HEIGHT - 8} textAnchor={index === ticks.length - 1 ? "end" : "middle"} className="fill-ink-3 text-2xs">{labels[index]}</text>}
        </g>
      ))}
      {front.length > 1 && <path d={path} fill="none" className="stroke-accent" strokeWidth="1.5" strokeDasharray="4 3" />}
      {points.map((one) => one.interval && (
        <line key={one.id} x1={x(one.x)} x2={x(one.x)} y1={y(one.interval.low)} y2={y(one.interval.high)} className="stroke-line-strong" strokeWidth="2" />
      ))}
      {/* The best lies on top of those it covers. */}
      {points.toReversed().map((one) => {
        const beats = front.includes(one);
        const words = `${one.label}: ${formatPercent(one.y)} ${formatInterval(one.interval)} at ${format(one.x)}`;
        return (
          <Link key={one.id} to={itemsOf(one)} aria-label={`${points.indexOf(one) + 1}. ${words}`}>
            <title>{words}</title>
            <circle cx={x(one.x)} cy={y(one.y)} r="9" strokeWidth="1.5" className={beats ? "fill-accent stroke-surface" : "fill-mute-soft stroke-surface"} />
            <text x={x(one.x)} y={y(one.y) + 4} textAnchor="middle" className={`text-2xs font-semibold ${beats ? "fill-on-accent" : "fill-ink-2"}`}>{points.indexOf(one) + 1}</text>
          </Link>
        );
      })}
    </svg>
  );
}
