import { useEffect, useEffectEvent } from "react";

const STEPS: Record<string, number> = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 };

/** j and k, or the arrows to the sides; up and down are left to scrolling. */
export function useStepKeys(step: (by: number) => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const by = STEPS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    step(by);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    globalThis.addEventListener("keydown", listener);
    return () => globalThis.removeEventListener("keydown", listener);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
