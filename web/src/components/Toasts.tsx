import { useEffect, useLayoutEffect, useRef } from "react";
import { useValue } from "@/live/hooks";
import { freePlace } from "@/lib/free-place";
import { IconButton } from "./Button";
import { Icon, type IconName } from "./Icon";
import { dismiss, toasts, type Tone } from "./Toast";

const LOOKS: Record<Tone, { icon: IconName; color: string }> = {
  good: { icon: "check", color: "text-good" },
  bad: { icon: "alert", color: "text-bad" },
  info: { icon: "dot", color: "text-info" },
};
const MARGIN_PX = 16;
/** Elements that the user presses or types into. Links in rows are left out, because they are everywhere. */
const PRESSED = "button, input, select, textarea, summary, [role=menuitem], [role=option]";

/** The notices. They move to a place where they cover no control. */
export function Toasts() {
  const shown = useValue(toasts);
  const box = useRef<HTMLDivElement>(null);
  const any = shown.length > 0;
  useLayoutEffect(() => {
    if (box.current) moveAside(box.current);
  });
  useEffect(() => {
    if (!any) return;
    let frame = 0;
    const place = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => box.current && moveAside(box.current));
    };
    const moves = ["scroll", "resize"] as const;
    for (const name of moves) globalThis.addEventListener(name, place, { capture: true, passive: true });
    const changes = new MutationObserver(place);
    changes.observe(document.body, { childList: true, subtree: true });
    return () => {
      cancelAnimationFrame(frame);
      for (const name of moves) globalThis.removeEventListener(name, place, { capture: true });
      changes.disconnect();
    };
  }, [any]);
  return (
    <div ref={box} role="status" aria-label="Notices" className="pointer-events-none fixed right-4 bottom-4 z-50 flex w-max max-w-[calc(100vw-2rem)] flex-col items-end gap-2 print:hidden">
      {shown.map((one) => (
        <div key={one.id} className="pointer-events-auto flex max-w-md items-start gap-2 rounded-md border border-line-strong bg-surface py-1.5 pr-1.5 pl-3 shadow-panel">
          <Icon name={LOOKS[one.tone].icon} className={`mt-2 ${LOOKS[one.tone].color}`} />
          <p className="py-1.5 wrap-anywhere">{one.text}</p>
          <IconButton icon="cross" label="Dismiss" onClick={() => dismiss(one.id)} />
        </div>
      ))}
    </div>
  );
}

function moveAside(box: HTMLElement): void {
  const screen = { width: document.documentElement.clientWidth, height: globalThis.innerHeight };
  const others = [...document.querySelectorAll(PRESSED)].filter((one) => !box.contains(one)).map((one) => one.getBoundingClientRect());
  const { width, height } = box.getBoundingClientRect();
  const { left, top } = freePlace({ width, height }, screen, others.filter((one) => one.width > 0 && one.bottom > 0 && one.top < screen.height), MARGIN_PX);
  Object.assign(box.style, { left: `${left}px`, top: `${top}px`, right: "auto", bottom: "auto" });
}
