import { expect, test } from "vitest";
import { PaceMeter } from "./pace-meter";

const OPENED = "2026-11-28T10:00:00Z";
const after = (seconds: number) => Date.parse(OPENED) + seconds * 1000;
const group = (done: number, openedAt: string | null = OPENED) => ({ id: "a", status: "OPEN" as const, done, failed: 0, opened_at: openedAt });
const paceOf = (meter: PaceMeter) => meter.current.get().get("a") ?? null;

test("a page that is loaded late knows the pace since the group began", () => {
  const meter = new PaceMeter();
  meter.measure([group(81)], after(162), true);
  expect(paceOf(meter)).toEqual({ perMinute: 30, counted: 81 });
  meter.measure([group(91)], after(172), true);
  expect(paceOf(meter)).toEqual({ perMinute: 60, counted: 10 });
});

test("a pause, an earlier count and a group without a start give no pace", () => {
  const paused = new PaceMeter();
  paused.measure([group(81)], after(162), true);
  paused.reset();
  paused.measure([group(81)], after(900), true);
  expect(paceOf(paused)).toBeNull();
  for (const [openedAt, isFresh] of [[OPENED, false], [null, true]] as const) {
    const meter = new PaceMeter();
    meter.measure([group(81, openedAt)], after(162), isFresh);
    expect(paceOf(meter)).toBeNull();
  }
});
