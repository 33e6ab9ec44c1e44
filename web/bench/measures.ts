/** Measure a page under load and write the figures to a file. */

import type { CDPSession, Page } from "@playwright/test";
import { writeFileSync } from "node:fs";

export interface Measure {
  name: string;
  value: number;
  unit: string;
  aim?: string;
}

export function report(measures: readonly Measure[]): void {
  const file = process.env.LLMBENCH_BENCH_RESULTS;
  if (file) writeFileSync(file, JSON.stringify(measures));
  else console.table(measures);
}

export interface Pace {
  fps: number;
  /** The share of frames that took longer than 33 ms. */
  lateFrames: number;
  /** The share of the time that scripts ran. */
  scripts: number;
  /** The CPU time of a frame on the page's thread, in milliseconds. */
  frame: { scripts: number; style: number; layout: number; all: number };
  /** The largest number of rows in the document. */
  rows: number;
}

/** Measure frames and CPU while `act` runs. */
export async function paceDuring(page: Page, act: () => Promise<void>): Promise<Pace> {
  const session = await page.context().newCDPSession(page);
  // CPU time instead of the clock: the cost of a frame is the same on a busy machine.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.evaluate(() => {
    const seen = { frames: [] as number[], rows: 0, stopped: false };
    Object.assign(window, { seen });
    let last = performance.now();
    const frame = (now: number) => {
      seen.frames.push(now - last);
      last = now;
      seen.rows = Math.max(seen.rows, document.querySelectorAll("[role=table][aria-label=Items] [role=row]").length);
      if (!seen.stopped) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const [before, began] = [await metricsOf(session), performance.now()];
  await act();
  const [after, seconds] = [await metricsOf(session), (performance.now() - began) / 1000];
  const spent = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const { frames, rows } = await page.evaluate(() => {
    const { seen } = window as unknown as { seen: { frames: number[]; rows: number; stopped: boolean } };
    seen.stopped = true;
    return seen;
  });
  const perFrame = (name: string) => (spent(name) / frames.length) * 1000;
  return {
    fps: frames.length / seconds,
    lateFrames: frames.filter((took) => took > 33.4).length / frames.length,
    scripts: spent("ScriptDuration") / seconds,
    rows,
    frame: { scripts: perFrame("ScriptDuration"), style: perFrame("RecalcStyleDuration"), layout: perFrame("LayoutDuration"), all: perFrame("TaskDuration") },
  };
}

async function metricsOf(session: CDPSession): Promise<Map<string, number>> {
  const { metrics } = await session.send("Performance.getMetrics");
  return new Map(metrics.map((one) => [one.name, one.value]));
}

export const paceMeasures = ({ fps, lateFrames, scripts, rows, frame }: Pace): Measure[] => [
  { name: "frames a second", value: fps, unit: "fps", aim: "50 or more" },
  { name: "frames over 33 ms", value: lateFrames * 100, unit: "%", aim: "5 or less" },
  { name: "CPU of scripts", value: scripts * 100, unit: "%", aim: "25 or less" },
  { name: "a frame: scripts", value: frame.scripts, unit: "ms" },
  { name: "a frame: style", value: frame.style, unit: "ms" },
  { name: "a frame: layout", value: frame.layout, unit: "ms" },
  { name: "a frame: all of the page's thread", value: frame.all, unit: "ms", aim: "16 or less" },
  { name: "rows in the document", value: rows, unit: "rows", aim: "under 60" },
];
