import type { ExperimentOut, GuardrailResult, ResultsOut } from "@/api/generated/orchestrator";
import { Chip, type ChipLook } from "@/components/Chip";
import { Section } from "@/components/Section";
import { harmless } from "@/lib/plain-text";
import { formatDifference, formatEnds, formatValue, isRelative, metricName } from "../experiment-words";

const HEAD = "px-3 py-2.5 text-left font-medium whitespace-nowrap first:pl-4 last:pr-4";
const CELL = "px-3 py-2.5 align-top first:pl-4 last:pr-4";

function lookOf(one: GuardrailResult): ChipLook {
  if (one.lost) return { label: "Lost", tone: "bad", icon: "cross" };
  return one.passed ? { label: "Passed", tone: "good", icon: "check" } : { label: "Undecided", tone: "neutral", icon: "clock" };
}

/** The guardrails of each treatment. */
export function Guardrails({ experiment, results }: { experiment: ExperimentOut; results: ResultsOut }) {
  const rows = results.variants.filter((one) => !one.is_control).flatMap((variant) => variant.metrics.guardrails.map((guardrail) => ({ variant, guardrail })));
  return (
    <Section title="Guardrails" aside={<p className="text-xs text-ink-2">They must not get worse than the control’s by their margin</p>}>
      {rows.length === 0 ? (
        <ul className="flex flex-col gap-1 px-4 py-3 text-ink-2">
          {experiment.guardrail_metrics.map((one) => <li key={one.metric}>{harmless(metricName(one.metric))}: at most {formatDifference(one.margin, isRelative(one.metric)).replace("+", "")} worse. Not looked at yet.</li>)}
        </ul>
      ) : (
        <div className="overflow-x-auto" tabIndex={0} role="group" aria-label="Figures of the guardrails">
          <table aria-label="Guardrails" className="w-full">
            <thead className="border-b border-line bg-sunken text-xs text-ink-2">
              <tr>{["Metric", "Variant", "Mean", "Control", "Difference", "Margin", "Verdict"].map((one) => <th key={one} scope="col" className={HEAD}>{one}</th>)}</tr>
            </thead>
            <tbody className="divide-y divide-line">
              {rows.map(({ variant, guardrail }) => (
                <tr key={`${variant.variant_id} ${guardrail.metric}`}>
                  <th scope="row" className={`${CELL} min-w-24 text-left font-medium wrap-anywhere`}>{harmless(metricName(guardrail.metric))}</th>
                  <td className={`${CELL} min-w-24 wrap-anywhere`}>{harmless(variant.name)}</td>
                  <td className={`${CELL} whitespace-nowrap`}>{formatValue(guardrail.metric, guardrail.mean)}</td>
                  <td className={`${CELL} whitespace-nowrap`}>{formatValue(guardrail.metric, guardrail.control_mean)}</td>
                  <td className={`${CELL} whitespace-nowrap`}>
                    {formatDifference(guardrail.difference, guardrail.relative)}
                    {guardrail.interval && <span className="block text-xs text-ink-3">{formatEnds(guardrail.interval, guardrail.relative)}</span>}
                  </td>
                  <td className={`${CELL} whitespace-nowrap`}>{formatDifference(guardrail.direction === "lower_is_better" ? guardrail.margin : -guardrail.margin, guardrail.relative)}</td>
                  <td className={CELL}>
                    <Chip {...lookOf(guardrail)} />
                    {guardrail.reason && <p className="mt-1 text-xs wrap-anywhere text-ink-2">{harmless(guardrail.reason)}</p>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}
