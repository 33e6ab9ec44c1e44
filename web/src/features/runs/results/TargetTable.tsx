import { Link } from "react-router";
import type { RunDetail } from "@/api/generated/orchestrator";
import { Section } from "@/components/Section";
import { compareRunsHref } from "@/lib/compare-link";
import { harmless } from "@/lib/plain-text";
import { FiguresTable } from "./FiguresTable";
import { useItemsHref } from "./item-filter";
import { verdictOf } from "./separable";

/** One line per target; each mean is shown with its number of scores. */
export function TargetTable({ run: { id, status, results, evaluators } }: { run: RunDetail }) {
  const itemsHref = useItemsHref();
  const chosen = evaluators.filter((one) => one.primary && one.weight > 0);
  const scale = chosen[0];
  // Repeated looks at a running test would present chance as a difference.
  const verdict = status === "FINISHED" || status === "CANCELLED" ? verdictOf(results) : null;
  return (
    <Section
      title="Results by target"
      aside={
        scale && (
          <p className="text-xs text-ink-3">
            {chosen.length === 1 ? `Scale ${scale.scale_min} to ${scale.scale_max}, shown in percent of it` : `Weighted mean of ${chosen.length} evaluators, in percent of their scales`}
          </p>
        )
      }
    >
      <FiguresTable
        label="Results by target"
        what="Target"
        rows={results.map((one) => ({
          key: one.target_id,
          figures: one,
          filter: { target_id: one.target_id },
          name: (
            <>
              <Link to={`${itemsHref({ target_id: one.target_id })}&sort=score`} title={`${one.label}: its answers, the worst first`} className="block truncate font-medium hover:text-accent hover:underline">{harmless(one.label)}</Link>
              {one.label !== one.model && <div className="truncate text-xs text-ink-3" title={one.model}>{harmless(one.model)}</div>}
            </>
          ),
        }))}
      />
      {results.map((one) => one.zeros && (
        <p key={one.target_id} className="border-t border-line px-4 py-2.5 text-xs text-ink-2">
          {results.length > 1 && `${harmless(one.label)}: `}{one.zeros.note}
        </p>
      ))}
      {results.length === 0 && <p className="px-4 py-8 text-center text-ink-2">Results appear with the first answers.</p>}
      {verdict && (
        <p className="border-t border-line px-4 py-2.5 text-xs text-ink-2">
          {harmless(verdict.text)}
          {verdict.overlaps && (
            <>
              {" "}
              <Link to={compareRunsHref([id])} className="font-medium text-accent underline underline-offset-2">compare them case by case</Link>.
            </>
          )}
        </p>
      )}
    </Section>
  );
}
