import { Link } from "react-router";
import { harmless } from "@/lib/plain-text";
import { beforeTask, casesText, gateText, levelsOf, type SuiteTask } from "./suite-words";

const CARD = { width: 208, height: 58, across: 64, down: 12 };
const HEADING = 30;

export const taskAnchor = (index: number) => `task-${index + 1}`;

/** The tasks by level, from left to right. Lines lead from each task to those that come after it, dashed where a gate decides; the cards say the same. */
export function TaskGraph({ tasks }: { tasks: readonly SuiteTask[] }) {
  const levels = levelsOf(tasks);
  const places = new Map(levels.flatMap((level, column) => level.map((one, row) => [one.defined.name, { column, row }] as const)));
  if (levels.length === 1) {
    return (
      <ol aria-label="Tasks by level" className="p-4">
        <li aria-label="Level 1">
          <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">{tasks.map((one) => <Card key={one.index} task={one} />)}</ul>
        </li>
      </ol>
    );
  }
  const width = levels.length * (CARD.width + CARD.across) - CARD.across;
  const height = HEADING + Math.max(...levels.map((level) => level.length)) * (CARD.height + CARD.down);
  const left = (column: number) => column * (CARD.width + CARD.across);
  const middle = (row: number) => HEADING + row * (CARD.height + CARD.down) + CARD.height / 2;
  const lines = tasks.flatMap((task) =>
    beforeTask(task).map((before) => ({ from: places.get(before), to: places.get(task.defined.name), isGate: (task.facts?.gate ?? []).some((gate) => gate.task === before) })),
  );
  return (
    <div className="max-h-[70vh] overflow-auto p-4">
      <div className="relative" style={{ width, height }}>
        <svg aria-hidden="true" width={width} height={height} className="absolute inset-0">
          {lines.map(({ from, to, isGate }, index) => {
            if (!from || !to) return null;
            const [x1, y1, x2, y2] = [left(from.column) + CARD.width, middle(from.row), left(to.column), middle(to.row)];
            const bend = CARD.across / 2;
            return (
              <g key={index} className="fill-none stroke-ink-3" strokeWidth="1.5">
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
              <ul className="flex flex-col" style={{ gap: CARD.down }}>{level.map((one) => <Card key={one.index} task={one} />)}</ul>
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}

function Card({ task }: { task: SuiteTask }) {
  const { name } = task.defined;
  const before = beforeTask(task);
  const gates = task.facts?.gate ?? [];
  return (
    <li className="relative flex min-w-0 flex-col justify-center rounded-md border border-line-strong bg-surface px-3 hover:bg-hover" style={{ height: CARD.height }}>
      <Link
        to={{ hash: taskAnchor(task.index) }}
        title={harmless(name)}
        // The hash alone moves the page, not the focus.
        onClick={() => document.getElementById(taskAnchor(task.index))?.focus()}
        className="truncate font-medium after:absolute after:inset-0"
      >
        {harmless(name)}
      </Link>
      <span className="truncate text-xs text-ink-2">{casesText(task)}{gates.length > 0 && " · behind a gate"}</span>
      {before.length > 0 && <span className="sr-only">after {before.map(harmless).join(", ")}</span>}
      {gates.map((gate) => <span key={gate.task} className="sr-only">{harmless(gateText(gate))}</span>)}
    </li>
  );
}
