import { useLayoutEffect, useRef, type ReactNode } from "react";

/** Space between the foot and what the keyboard reaches above it. */
const GAP_PX = 16;

/** The last part of a page, which stays at the foot of the window. An element that gets the focus is scrolled to above the foot, however high the foot is. */
export function Foot({ label, children }: { label: string; children: ReactNode }) {
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const foot = box.current;
    if (!foot) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => (style.scrollPaddingBottom = `${foot.offsetHeight + GAP_PX}px`));
    observer.observe(foot);
    return () => {
      observer.disconnect();
      style.scrollPaddingBottom = "";
    };
  }, []);
  return (
    <section ref={box} aria-label={label} className="sticky bottom-0 z-20 -mx-4 flex flex-wrap items-center justify-end gap-x-4 gap-y-2 border-t border-line bg-page px-4 py-3 sm:-mx-6 sm:px-6">
      {children}
    </section>
  );
}
