import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import { Button } from "@/components/Button";
import type { LogEvent } from "@/live/event-schemas";
import { LogLine } from "./LogLine";

/** So near to the end, in pixels, counts as being there. */
const END_THRESHOLD = 32;
const ESTIMATED_LINE_PX = 68;

function isAtEnd(box: HTMLElement): boolean {
  return box.scrollHeight - box.clientHeight - box.scrollTop <= END_THRESHOLD;
}

/** Follows the newest line until the reader scrolls away from it. */
export function LogLines({ lines }: { lines: readonly LogEvent[] }) {
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
    // Opens at the end, whatever the lines turn out to measure.
    initialOffset: () => lines.length * ESTIMATED_LINE_PX,
    onChange: () => scroller.current && setFollowing(isAtEnd(scroller.current)),
  });
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        // The virtualizer tells of another range only; within one, the end can be reached or left too.
        onScroll={(event) => setFollowing(isAtEnd(event.currentTarget))}
        role="log"
        aria-label="Log lines"
        aria-live="off"
        tabIndex={0}
        className="absolute inset-0 overflow-x-hidden overflow-y-auto overscroll-contain rounded-b-[0.625rem] outline-offset-[-2px]"
      >
        <div className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
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
                <LogLine line={line} />
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
