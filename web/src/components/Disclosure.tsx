import { useEffect, useRef, useState, type ReactNode } from "react";
import { Icon } from "./Icon";

interface Props {
  title: ReactNode;
  /** A summary of the content, shown while it is closed. */
  summary?: ReactNode;
  /** Opens the section when true; only the user closes it. */
  open?: boolean;
  children: ReactNode;
  className?: string;
}

/** A section that is folded until the user opens it. */
export function Disclosure({ title, summary, open = false, children, className = "" }: Props) {
  const box = useRef<HTMLDetailsElement>(null);
  const [initially] = useState(open);
  useEffect(() => {
    if (open && box.current) box.current.open = true;
  }, [open]);
  return (
    <details ref={box} open={initially} className={className}>
      <summary className="flex cursor-pointer list-none items-center gap-2 py-1 font-medium [&::-webkit-details-marker]:hidden">
        <Icon name="next" className="size-3.5 text-ink-3 transition-transform [[open]>summary>&]:rotate-90" />
        {/* Stacked on a phone. */}
        <span className="flex min-w-0 flex-wrap items-center gap-x-2">
          <span className="wrap-anywhere">{title}</span>
          {summary && <span className="min-w-0 truncate text-xs font-normal text-ink-3">{summary}</span>}
        </span>
      </summary>
      <div className="pt-2">{children}</div>
    </details>
  );
}
