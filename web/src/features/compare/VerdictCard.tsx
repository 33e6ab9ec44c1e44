import type { Comparison } from "@/api/generated/orchestrator";
import { Chip } from "@/components/Chip";
import { harmless } from "@/lib/plain-text";
import { ChangedReferences } from "./ChangedReferences";
import { casesSentence, costSentence, qualitySentence, speedSentence } from "./verdict-sentences";
import { verdictLook } from "./words";

/** The verdict in sentences, which stand before any figure. */
export function VerdictCard({ comparison }: { comparison: Comparison }) {
  const base = comparison.columns[comparison.baseline];
  if (!base) return null;
  return (
    <section aria-label="Verdict" className="card flex flex-col gap-3 px-4 py-3">
      {comparison.comparisons.map((one) => {
        const here = comparison.columns[one.column];
        if (!here) return null;
        const others = [casesSentence(comparison, one), costSentence(here, base), speedSentence(here, base)].filter((text) => text !== null);
        return (
          <div key={one.column} className="flex flex-col gap-1">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:flex-nowrap sm:items-start">
              <Chip {...verdictLook(one)} />
              <p className="min-w-0 font-medium wrap-anywhere">{harmless(qualitySentence(comparison, one))}</p>
            </div>
            <p className="text-ink-2 wrap-anywhere">{others.join(" ")}</p>
            <ChangedReferences note={one.references_note} />
            {one.weighting && <p className="text-xs text-ink-2 wrap-anywhere">{harmless(one.weighting)}</p>}
          </div>
        );
      })}
    </section>
  );
}
