import { useId, type ReactNode } from "react";

interface Props {
  number: number;
  title: string;
  /** The size, time and price of the run so far. */
  note: string;
  children: ReactNode;
}

/** A step of the form, in the order in which one thinks of a run. */
export function Step({ number, title, note, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={id} className="flex items-baseline gap-2 text-base font-semibold tracking-tight">
          <span aria-hidden="true" className="text-ink-3">{number}</span>
          {title}
        </h2>
        <p className="text-xs text-ink-2">{note}</p>
      </header>
      {children}
    </section>
  );
}
