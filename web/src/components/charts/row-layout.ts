/** The place of the names of a chart's rows: to the left, or above them on a phone. */

import { fits, NAME_CHARACTER_PX } from "./axis";

/** The height of a row whose name stands to its left. */
export const ROW = 28;
const TALL_ROW = 40;
const NARROW = 480;
const EDGE = 14;
/** The distance of a name from its row. */
const GAP = 16;

export interface RowLayout {
  isAbove: boolean;
  /** The left end of the axis. */
  left: number;
  height: number;
  /** The room of a name. */
  room: number;
}

/** Return the layout for a chart's width in pixels. Names stand above where they would be cut in a narrow chart. */
export function rowLayout(width: number, names: readonly string[]): RowLayout {
  const left = Math.min(200, Math.max(96, width * 0.32));
  const isAbove = width < NARROW && !names.every((one) => fits(one, left - GAP, NAME_CHARACTER_PX));
  return isAbove ? { isAbove, left: EDGE, height: TALL_ROW, room: width } : { isAbove, left, height: ROW, room: left - GAP };
}
