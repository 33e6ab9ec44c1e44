import type { KeyboardEvent, PointerEvent } from "react";

const LEAST_PX = 48;
const MOST_PX = 900;
const STEP_PX = 16;
const within = (width: number) => Math.round(Math.min(MOST_PX, Math.max(LEAST_PX, width)));

interface Props {
  name: string;
  width: number;
  /** Called while the pointer moves. */
  onDrag: (width: number) => void;
  /** Called with the chosen width. */
  onResize: (width: number) => void;
}

/** The right edge of a column's header: dragged, or moved by the arrow keys. */
export function ResizeHandle({ name, width, onDrag, onResize }: Props) {
  const press = (event: PointerEvent<HTMLElement>) => {
    const handle = event.currentTarget;
    const from = event.clientX;
    const before = handle.parentElement?.getBoundingClientRect().width ?? width;
    handle.setPointerCapture(event.pointerId);
    const to = (moved: globalThis.PointerEvent) => within(before + moved.clientX - from);
    const move = (moved: globalThis.PointerEvent) => onDrag(to(moved));
    const stop = (moved: globalThis.PointerEvent) => {
      handle.removeEventListener("pointermove", move);
      onResize(to(moved));
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", stop, { once: true });
  };
  const key = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? STEP_PX : event.key === "ArrowLeft" ? -STEP_PX : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    onResize(within(width + by));
  };
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${name}`}
      aria-valuenow={width}
      aria-valuemin={LEAST_PX}
      aria-valuemax={MOST_PX}
      tabIndex={0}
      onPointerDown={press}
      onKeyDown={key}
      className="absolute inset-y-0 right-0 w-1.5 cursor-col-resize touch-none rounded-sm border-r border-line hover:bg-accent focus-visible:bg-accent"
    />
  );
}
