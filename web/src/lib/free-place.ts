/** Find a place on the screen where a box covers no controls. */

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const STEP_PX = 8;

const meet = (a: Box, b: Box) => a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;

/** Return the free place nearest to the lower right corner, at `margin` from the edges; the corner itself if no place is
 * free. */
export function freePlace(size: Pick<Box, "width" | "height">, screen: Pick<Box, "width" | "height">, taken: readonly Box[], margin: number): Pick<Box, "left" | "top"> {
  const right = Math.max(margin, screen.width - size.width - margin);
  const bottom = Math.max(margin, screen.height - size.height - margin);
  const columns = right === margin ? [right] : [right, Math.round((right + margin) / 2), margin];
  for (let top = bottom; top >= margin; top -= STEP_PX) {
    for (const left of columns) {
      if (!taken.some((one) => meet({ left, top, ...size }, one))) return { left, top };
    }
  }
  return { left: right, top: bottom };
}
