import { useLayoutEffect, useRef, useState } from "react";

/** Measure a picture, so that it is drawn at the available width and its text is not scaled. */
export function useWidth() {
  const box = useRef<SVGSVGElement>(null);
  const [width, setWidth] = useState(520);
  useLayoutEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.max(200, entry.contentRect.width)));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return [box, width] as const;
}
