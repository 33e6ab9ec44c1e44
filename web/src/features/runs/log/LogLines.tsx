import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { Button } from "@/components/Button";
import type { LogEvent } from "@/live/event-schemas";
import { LogLine } from "./LogLine";

/** The distance in pixels from the end that still counts as the end. */
const END_THRESHOLD = 32;
const ESTIMATED_LINE_PX = 68;
/** A scroll this soon after user input is the user's; measured lines that grow also cause scrolls. */
const HAND_MS = 1000;
const HANDS = ["wheel", "touchmove", "pointerdown", "keydown"] as const;
const RELEASES = ["pointerup", "pointercancel", "blur"] as const;

function isAtEnd(box: HTMLElement): boolean {
  return box.scrollHeight - box.clientHeight - box.scrollTop <= END_THRESHOLD;
}

/** The log lines; they follow the newest one until the reader scrolls up. */
export function LogLines({ lines: newest, pattern }: { lines: readonly LogEvent[]; pattern: RegExp | null }) {
  const [lines, hold] = useHeld(newest);
  const scroller = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(true);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_LINE_PX,
    getItemKey: (index) => lines[index]?.run_seq ?? index,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: END_THRESHOLD,
    overscan: 6,
    // Start at the end, before the lines are measured.
    initialOffset: () => lines.length * ESTIMATED_LINE_PX,
  });
  const handAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const box = scroller.current;
    const byHand = () => {
      handAt.current = performance.now();
    };
    for (const name of HANDS) box?.addEventListener(name, byHand, { passive: true });
    return () => {
      for (const name of HANDS) box?.removeEventListener(name, byHand);
    };
  }, []);
  const size = virtualizer.getTotalSize();
  const keepUp = useEffectEvent(() => {
    if (following && scroller.current && !isAtEnd(scroller.current)) virtualizer.scrollToEnd({ behavior: "auto" });
  });
  useLayoutEffect(() => keepUp(), [size, lines.length]);
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        onScroll={(event) => {
          if (isAtEnd(event.currentTarget)) setFollowing(true);
          else if (performance.now() - handAt.current < HAND_MS) setFollowing(false);
        }}
        onPointerDown={hold}
        role="log"
        aria-label="Log lines"
        aria-live="off"
        tabIndex={0}
        className="absolute inset-0 overflow-x-hidden overflow-y-auto overscroll-contain rounded-b-[0.625rem] outline-offset-[-2px]"
      >
        <div className="relative w-full" style={{ height: size }}>
          {virtualizer.getVirtualItems().map((row) => {
            const line = lines[row.index];
            return line ? (
              <div
                key={row.key}
                data-index={row.index}
                ref={virtualizer.measureElement}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <LogLine line={line} pattern={pattern} />
              </div>
            ) : null;
          })}
        </div>
      </div>
      {!following && (
        <Button
          icon="down"
          className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-panel"
          onClick={() => virtualizer.scrollToEnd({ behavior: "auto" })}
        >
          Jump to latest
        </Button>
      )}
    </div>
  );
}

/** Freeze the lines while a button or finger is down: a moving link cannot be clicked, nor moving text selected. */
function useHeld(newest: readonly LogEvent[]): [readonly LogEvent[], () => void] {
  const [held, setHeld] = useState<readonly LogEvent[] | null>(null);
  const pressed = held !== null;
  useEffect(() => {
    if (!pressed) return;
    // The click follows the release at once: resuming in between would move its target.
    const release = () => setTimeout(() => setHeld(null));
    for (const name of RELEASES) window.addEventListener(name, release);
    return () => {
      for (const name of RELEASES) window.removeEventListener(name, release);
    };
  }, [pressed]);
  return [held ?? newest, () => setHeld(newest)];
}
