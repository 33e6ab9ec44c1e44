import { Link, type To } from "react-router";
import { harmless } from "@/lib/plain-text";
import { Chip, type ChipLook } from "./Chip";

const CARD = { width: 208, height: 58, across: 64, down: 12 };
/** Cards with a state have a line more. */
const STATE_HEIGHT = 26;
const HEADING = 30;

export interface GraphTask {
  name: string;
  /** The number of the column, from 0. */
  level: number;
  /** The names of the tasks before it. */
  after: readonly string[];
  /** The tasks whose scores decide whether this one is asked, each with its condition in words. */
  gates?: readonly { task: string; text: string }[];
  detail: string;
  state?: ChipLook;
  /** The task whose details are shown. */
  isCurrent?: boolean;
  to: To;
  /** The address changes without a new entry of the history. */
  replace?: boolean;
  onOpen?: () => void;
}

/** Tasks by level, from left to right. Lines lead from each task to those that come after it, dashed where a gate decides; the cards say the same. */
export function TaskGraph({ tasks }: { tasks: readonly GraphTask[] }) {
  const levels = [...new Set(tasks.map((one) => one.level))].toSorted((a, b) => a - b).map((level) => tasks.filter((one) => one.level === level));
  const cardHeight = CARD.height + (tasks.some((one) => one.state) ? STATE_HEIGHT : 0);
  if (levels.length <= 1) {
    return (
      <ol aria-label="Tasks by level" className="p-4">
        <li aria-label="Level 1">
          <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">{tasks.map((one, index) => <Card key={index} task={one} height={cardHeight} />)}</ul>
        </li>
      </ol>
    );
  }
  const places = new Map(levels.flatMap((level, column) => level.map((one, row) => [one.name, { column, row }] as const)));
  const width = levels.length * (CARD.width + CARD.across) - CARD.across;
  const height = HEADING + Math.max(...levels.map((level) => level.length)) * (cardHeight + CARD.down);
  const left = (column: number) => column * (CARD.width + CARD.across);
  const middle = (row: number) => HEADING + row * (cardHeight + CARD.down) + cardHeight / 2;
  const lines = tasks.flatMap(({ name, after, gates = [] }) => after.map((before) => ({ from: places.get(before), to: places.get(name), isGate: gates.some((gate) => gate.task === before) })));
  return (
    <div className="max-h-[70vh] overflow-auto p-4">
      <div className="relative" style={{ width, height }}>
        <svg aria-hidden="true" width={width} height={height} className="absolute inset-0">
          {lines.map(({ from, to, isGate }, index) => {
            if (!from || !to) return null;
            const [x1, y1, x2, y2] = [left(from.column) + CARD.width, middle(from.row), left(to.column), middle(to.row)];
            const bend = CARD.across / 2;
            // A line that does not lead to the right closes a cycle.
            return (
              <g key={index} className={`fill-none ${to.column > from.column ? "stroke-ink-3" : "stroke-bad"}`} strokeWidth="1.5">
                <path strokeDasharray={isGate ? "5 4" : undefined} d={`M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2 - 5},${y2}`} />
                <path d={`M${x2 - 6},${y2 - 4} L${x2 - 1},${y2} L${x2 - 6},${y2 + 4}`} />
              </g>
            );
          })}
        </svg>
        <ol aria-label="Tasks by level" className="relative flex items-start" style={{ gap: CARD.across }}>
          {levels.map((level, column) => (
            <li key={column} aria-label={`Level ${column + 1}`} style={{ width: CARD.width }}>
              <p aria-hidden="true" className="text-xs text-ink-2" style={{ height: HEADING }}>Level {column + 1}</p>
              <ul className="flex flex-col" style={{ gap: CARD.down }}>{level.map((one, index) => <Card key={index} task={one} height={cardHeight} />)}</ul>
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}

function Card({ task: { name, after, gates = [], detail, state, isCurrent = false, to, replace = false, onOpen }, height }: { task: GraphTask; height: number }) {
  return (
    <li className={`relative flex min-w-0 flex-col justify-center rounded-md border px-3 ${isCurrent ? "border-accent bg-selected" : "border-line-strong bg-surface hover:bg-hover"}`} style={{ height }}>
      <Link to={to} replace={replace} preventScrollReset={replace} aria-current={isCurrent ? "true" : undefined} title={harmless(name)} onClick={onOpen} className="truncate font-medium after:absolute after:inset-0">
        {harmless(name) || "No name"}
      </Link>
      <span className="truncate text-xs text-ink-2">{detail}{gates.length > 0 && " · behind a gate"}</span>
      {state && <span className="mt-1"><Chip {...state} /></span>}
      {after.length > 0 && <span className="sr-only">after {after.map(harmless).join(", ")}</span>}
      {gates.map((gate) => <span key={gate.task} className="sr-only">{harmless(gate.text)}</span>)}
    </li>
  );
}
