import type { ReactNode } from "react";

/** Name, value, and an optional note below it. */
export type Fact = [string, string, string?];

/** A row of facts under a page's head. `children` are further cells with their own layout. */
export function FactStrip({ label, facts, children }: { label: string; facts: readonly Fact[]; children?: ReactNode }) {
  return (
    <dl aria-label={label} className="card grid grid-cols-2 gap-px overflow-hidden md:flex md:flex-wrap">
      {facts.map(([name, value, note]) => (
        <div key={name} className="min-w-0 flex-auto px-4 py-3 shadow-[0_0_0_1px_var(--line)]">
          <dt className="text-xs text-ink-2">{name}</dt>
          <dd className="mt-0.5 font-medium wrap-anywhere">{value}</dd>
          {note && <dd className="text-xs text-ink-3">{note}</dd>}
        </div>
      ))}
      {children}
    </dl>
  );
}
