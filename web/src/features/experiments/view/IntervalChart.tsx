import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ExperimentOut, LookOut, RoundOut } from "@/api/generated/orchestrator";
import { ChartFrame } from "@/components/charts/ChartFrame";
import { Disclosure } from "@/components/Disclosure";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useWidth } from "@/lib/use-width";
import { formatDifference, formatEnds, formatProbability, isRelative, progressOf, stateLook } from "../experiment-words";
import { itemsOfRounds, pointsOf, rangeOf, ticksOf, type IntervalPoint } from "./interval-scale";

const HEIGHT = 240;
const BOX = { left: 72, right: 16, top: 14, bottom: 30 };
/** The area of a mark that can be hit reaches half of the way to the next mark, and this far where there is none. */
const HIT = 12;

interface Props {
  experiment: ExperimentOut;
  looks: readonly LookOut[];
  rounds: readonly RoundOut[];
  treatment: { variant_id: string; name: string };
}

/** The interval of one treatment's difference, look by look, with a table of the same figures. */
export function IntervalChart({ experiment, looks, rounds, treatment }: Props) {
  const points = pointsOf(looks, treatment.variant_id);
  const items = itemsOfRounds(rounds);
  const relative = isRelative(experiment.primary_metric);
  const effect = experiment.config.minimum_effect;
  const isBayesian = experiment.config.method === "bayesian";
  const name = harmless(treatment.name);
  if (points.every((one) => one.expected === null)) return <p className="px-4 py-6 text-ink-2">The interval appears with the first look that has figures.</p>;
  return (
    <div className="px-4 py-3">
      <ChartFrame
        name="experiment-interval"
        rows={() => [["look", "done", "difference", "low", "high", "state"], ...points.map((one) => [one.number, one.done, one.expected, one.low, one.high, one.state])]}
        caption={`The difference of ${name}, look by look${items.size > 0 ? ". A mark opens the items of its round." : ""}`}
      >
        <Picture label={`Intervals of ${name}`} points={points} items={items} planned={progressOf(experiment)?.total ?? null} effect={effect} relative={relative} isLowerBetter={experiment.direction === "lower_is_better"} />
      </ChartFrame>
      <ul className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-xs text-ink-2">
        {points.some((one) => one.low !== null || one.high !== null) && <li className="flex items-center gap-1.5"><span aria-hidden="true" className="h-3 w-4 rounded-xs bg-info-fill/40" />Where the true difference lies</li>}
        <li className="flex items-center gap-1.5"><span aria-hidden="true" className="h-0.5 w-4 bg-accent" />Best estimate</li>
        <li className="flex items-center gap-1.5"><span aria-hidden="true" className="h-0.5 w-4 bg-ink" />No difference</li>
        <li className="flex items-center gap-1.5"><span aria-hidden="true" className="w-4 border-t-2 border-dashed border-warn" />Wanted effect, {formatDifference(experiment.direction === "lower_is_better" ? -effect : effect, relative)}</li>
      </ul>
      <Disclosure title="The same as a table" className="mt-2 text-xs" summary={plural(points.length, "look")}>
        <div className="max-h-72 overflow-auto" tabIndex={0} role="group" aria-label={`Looks at ${name}`}>
          <table aria-label={`Looks at ${name}`} className="w-full text-xs">
            <thead className="text-left text-ink-2">
              <tr>
                {["Look", experiment.sources === "none" ? "Units" : "Cases", "Difference", "Interval", ...(isBayesian ? ["Probably better"] : []), "State"].map((one) => <th key={one} scope="col" className="px-2 py-1.5 font-medium whitespace-nowrap first:pl-0">{one}</th>)}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {points.toReversed().map((one) => (
                <tr key={one.number}>
                  <th scope="row" className="py-1.5 pr-2 text-left font-normal">{one.number}</th>
                  <td className="px-2 py-1.5">{formatCount(one.done)}</td>
                  <td className="px-2 py-1.5 whitespace-nowrap">{formatDifference(one.expected, relative)}</td>
                  <td className="px-2 py-1.5 whitespace-nowrap">{one.low === null && one.high === null ? "–" : formatEnds([one.low, one.high], relative)}</td>
                  {isBayesian && <td className="px-2 py-1.5">{formatProbability(one.probability)}</td>}
                  <td className="px-2 py-1.5 whitespace-nowrap">{stateLook(one.state).label}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Disclosure>
    </div>
  );
}

const wordsOf = (one: IntervalPoint, relative: boolean) =>
  `Look ${one.number}${one.round === null ? "" : `, after round ${one.round}`}: ${formatDifference(one.expected, relative)}${one.low === null && one.high === null ? "" : `, interval ${formatEnds([one.low, one.high], relative)}`}, ${stateLook(one.state).label.toLowerCase()}`;

interface PictureProps {
  label: string;
  points: readonly IntervalPoint[];
  /** The address of the items of each round. */
  items: ReadonlyMap<number, string>;
  planned: number | null;
  effect: number;
  relative: boolean;
  isLowerBetter: boolean;
}

/** The band of the intervals. A screen reader reads its marks; the table repeats the figures. */
function Picture({ label, points, items, planned, effect, relative, isLowerBetter }: PictureProps) {
  const [box, width] = useWidth();
  const range = rangeOf(points, effect);
  const most = Math.max(planned ?? 0, ...points.map((one) => one.done), 1);
  const x = (done: number) => BOX.left + (done / most) * (width - BOX.left - BOX.right);
  const clip = (value: number) => Math.min(range.high, Math.max(range.low, value));
  const y = (value: number) => BOX.top + ((range.high - clip(value)) / (range.high - range.low)) * (HEIGHT - BOX.top - BOX.bottom);
  const banded = points.filter((one) => one.low !== null || one.high !== null);
  const low = (one: IntervalPoint) => y(one.low ?? range.low);
  const high = (one: IntervalPoint) => y(one.high ?? range.high);
  const band = [...banded.map((one) => `${x(one.done)},${high(one)}`), ...banded.toReversed().map((one) => `${x(one.done)},${low(one)}`)].join(" ");
  const estimated = points.filter((one) => one.expected !== null);
  const wanted = isLowerBetter ? -effect : effect;
  const last = banded.at(-1);
  return (
    <svg ref={box} viewBox={`0 0 ${width} ${HEIGHT}`} height={HEIGHT} role="group" aria-label={label} className="block w-full">
      <g aria-hidden="true">
        {ticksOf(range).map((tick) => (
          <g key={tick}>
            <line x1={BOX.left} x2={width - BOX.right} y1={y(tick)} y2={y(tick)} className="stroke-line" />
            <text x={BOX.left - 8} y={y(tick) + 4} textAnchor="end" className="fill-ink-3 text-2xs">{formatDifference(tick, relative).replace(" points", "")}</text>
          </g>
        ))}
        {[0, most / 2, most].map((done, index) => (
          <text key={done} x={x(done)} y={HEIGHT - 8} textAnchor={index === 0 ? "start" : index === 1 ? "middle" : "end"} className="fill-ink-3 text-2xs">{formatCount(done)}{done === planned && " planned"}</text>
        ))}
      </g>
      {banded.length > 1 && <polygon points={band} className="fill-info-fill/25" />}
      {banded.map((one) => <line key={one.number} x1={x(one.done)} x2={x(one.done)} y1={low(one)} y2={high(one)} className="stroke-info-fill" strokeWidth={one === last ? 3 : 1} />)}
      <line x1={BOX.left} x2={width - BOX.right} y1={y(wanted)} y2={y(wanted)} className="stroke-warn" strokeWidth="1.5" strokeDasharray="5 4" />
      <line x1={BOX.left} x2={width - BOX.right} y1={y(0)} y2={y(0)} className="stroke-ink" strokeWidth="1.25" />
      <polyline points={estimated.map((one) => `${x(one.done)},${y(one.expected ?? 0)}`).join(" ")} fill="none" className="stroke-accent" strokeWidth="1.75" />
      {estimated.map((one, index) => {
        const halfWay = (next: IntervalPoint | undefined, otherwise: number) => (next ? x((one.done + next.done) / 2) : x(one.done) + otherwise);
        const [from, to] = [halfWay(estimated[index - 1], -HIT), halfWay(estimated[index + 1], HIT)];
        return (
          <Mark key={one.number} words={wordsOf(one, relative)} to={one.round === null ? undefined : items.get(one.round)}>
            <rect x={from} y={BOX.top} width={to - from} height={HEIGHT - BOX.top - BOX.bottom} fill="transparent" className="hover:fill-hover/40" />
            <circle cx={x(one.done)} cy={y(one.expected ?? 0)} r="3" className="pointer-events-none fill-accent stroke-surface" />
          </Mark>
        );
      })}
    </svg>
  );
}

/** A mark with its words. Observations from outside have no items to open. */
function Mark({ words, to, children }: { words: string; to: string | undefined; children: ReactNode }) {
  if (to === undefined) return <g role="img" aria-label={words}><title>{words}</title>{children}</g>;
  return <Link to={to} aria-label={words}><title>{words}</title>{children}</Link>;
}
