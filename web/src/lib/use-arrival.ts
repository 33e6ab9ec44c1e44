import { useEffect, useState } from "react";
import { useLocation, useNavigationType } from "react-router";

const SETTLED_MS = 5000;
const TOUCHES = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

/** Return whether the page was opened by a link: Back and a reload restore the scroll position instead. */
function isArrival(navigation: string, key: string): boolean {
  if (navigation !== "POP") return true;
  const entry = performance.getEntriesByType?.("navigation")[0];
  return key === "default" && (!entry || (entry as PerformanceNavigationTiming).type === "navigate");
}

/**
 * Scroll to a part of the page when a link points to it. Content that loads above it does not shift it, until the
 * reader interacts with the page.
 */
export function useArrival(id: string, leadsHere: boolean): void {
  const { key } = useLocation();
  const navigation = useNavigationType();
  const [goes] = useState(leadsHere && isArrival(navigation, key));
  useEffect(() => {
    if (!goes) return;
    const go = () => document.getElementById(id)?.scrollIntoView({ block: "start" });
    const changes = new ResizeObserver(go);
    changes.observe(document.body);
    // Runs after the router, which scrolls to the top.
    const frame = requestAnimationFrame(go);
    const stop = () => {
      cancelAnimationFrame(frame);
      changes.disconnect();
      clearTimeout(timer);
      for (const name of TOUCHES) globalThis.removeEventListener(name, stop, true);
    };
    const timer = setTimeout(stop, SETTLED_MS);
    for (const name of TOUCHES) globalThis.addEventListener(name, stop, { capture: true, passive: true });
    return stop;
  }, [goes, id]);
}
