import { useId, type ReactNode } from "react";

interface Props {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
  /** The id that links within the page point to. */
  anchor?: string;
}

/** A card with a heading and an optional element next to it. */
export function Section({ title, aside, children, className = "", anchor }: Props) {
  const id = useId();
  return (
    <section id={anchor} aria-labelledby={id} className={`card flex min-w-0 flex-col ${className}`}>
      <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-2">
        <h2 id={id} className="text-sm font-semibold">
          {title}
        </h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
