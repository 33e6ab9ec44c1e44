/** The checks of a case or their results, one per line; a set of checks lists its own below it. */

import { StateText } from "@/components/Chip";
import { harmless } from "@/lib/plain-text";

export interface ShownCheck {
  kind: string;
  params?: Record<string, unknown>;
  weight?: number;
  negate?: boolean;
  /** Present only for a check that was evaluated. */
  passed?: boolean | null;
  reason?: string;
  checks?: ShownCheck[];
}

const wordOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** Return a check's parameters as one line, without the checks nested in a set. */
function paramsOf(check: ShownCheck): string {
  return Object.entries(check.params ?? {})
    .filter(([name]) => name !== "checks")
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${Array.isArray(value) ? value.map(wordOf).join(", ") : wordOf(value)}`)
    .join("; ");
}

function within(check: ShownCheck): ShownCheck[] {
  const listed = check.checks ?? check.params?.checks;
  return Array.isArray(listed) ? (listed as ShownCheck[]) : [];
}

export function CheckList({ checks, label }: { checks: readonly ShownCheck[]; label: string }) {
  return (
    <ul aria-label={label} className="divide-y divide-line rounded-md border border-line">
      {checks.map((check, index) => (
        <li key={index} className="min-w-0 px-3 py-2">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <span className="font-medium">
              {check.negate && <span className="text-bad">not </span>}
              {harmless(check.kind === "case_checks" ? "set of checks" : check.kind.replaceAll("_", " "))}
            </span>
            {check.weight !== undefined && check.weight !== 1 && <span className="text-xs text-ink-3">weight {check.weight}</span>}
            {typeof check.passed === "boolean" && (
              <StateText {...(check.passed ? { label: "Passes", tone: "good", icon: "check" } : { label: "Does not pass", tone: "bad", icon: "cross" })} />
            )}
          </div>
          {paramsOf(check) !== "" && <p dir="auto" className="text-ink-2 wrap-anywhere">{harmless(paramsOf(check))}</p>}
          {check.reason && <p dir="auto" className="text-xs text-ink-3 wrap-anywhere">{harmless(check.reason)}</p>}
          {within(check).length > 0 && <div className="mt-1.5"><CheckList checks={within(check)} label="Checks of the set" /></div>}
        </li>
      ))}
    </ul>
  );
}
