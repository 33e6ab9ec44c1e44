import type { ComparisonOut, ExperimentOut, ResultsOut, VariantOut, VariantResult } from "@/api/generated/orchestrator";
import { Chip } from "@/components/Chip";
import { Section } from "@/components/Section";
import { formatCount, formatPercent } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { formatDifference, formatEnds, formatP, formatProbability, formatValue, metricName, stateLook, type Ends } from "../experiment-words";

const HEAD = "px-3 py-2.5 text-left font-medium whitespace-nowrap first:pl-4 last:pr-4";
const CELL = "px-3 py-2.5 align-top first:pl-4 last:pr-4";

/** The variants with their figures, and what they are. */
export function VariantsTable({ experiment, results }: { experiment: ExperimentOut; results: ResultsOut }) {
  const isBayesian = experiment.config.method === "bayesian";
  const isBandit = experiment.type === "MULTI_ARM_BANDIT";
  const hasP = experiment.config.method === "frequentist";
  const columns = [
    "Variant",
    metricName(experiment.primary_metric),
    experiment.sources === "none" ? "Units" : "Cases",
    "Difference",
    ...(isBayesian ? ["Probably better"] : []),
    ...(hasP ? ["p-value"] : []),
    ...(isBandit ? ["Probably the best", "Next share"] : []),
    "State",
  ];
  return (
    <Section title="Variants">
      <div className="overflow-x-auto" tabIndex={0} role="group" aria-label="Figures of the variants">
        <table aria-label="Variants" className="w-full">
          <thead className="border-b border-line bg-sunken text-xs text-ink-2">
            <tr>{columns.map((one) => <th key={one} scope="col" className={HEAD}>{harmless(one)}</th>)}</tr>
          </thead>
          <tbody className="divide-y divide-line">
            {experiment.variants.map((variant) => {
              const result = results.variants.find((one) => one.variant_id === variant.variant_id);
              const comparison = results.analysis?.comparisons.find((one) => one.variant_id === variant.variant_id);
              return (
                <tr key={variant.variant_id}>
                  <th scope="row" className={`${CELL} min-w-44 text-left font-normal`}><Name variant={variant} /></th>
                  <td className={`${CELL} whitespace-nowrap`}>
                    <span className="font-medium">{formatValue(experiment.primary_metric, result?.metrics.primary.mean)}</span>
                    <Interval metric={experiment.primary_metric} ends={result?.metrics.primary.confidence_interval ?? null} />
                  </td>
                  <td className={`${CELL} whitespace-nowrap`}><Sample result={result} /></td>
                  <td className={`${CELL} whitespace-nowrap`}>{variant.is_control ? <span className="text-ink-3">–</span> : <Difference comparison={comparison} />}</td>
                  {isBayesian && <td className={CELL}>{variant.is_control ? "–" : formatProbability(comparison?.probability_of_improvement)}</td>}
                  {hasP && <td className={CELL}>{variant.is_control ? "–" : formatP(comparison?.p_value)}</td>}
                  {isBandit && <td className={CELL}>{formatProbability(result?.probability_best)}</td>}
                  {isBandit && <td className={CELL}>{formatPercent(result?.next_allocation)}</td>}
                  <td className={`${CELL} min-w-40`}>
                    {variant.is_control ? <Chip label="Control" tone="info" icon="scale" /> : comparison ? <Chip {...stateLook(comparison.state)} /> : <span className="text-ink-3">No look yet</span>}
                    {variant.out_reason && <p className="mt-1 max-w-72 text-xs wrap-anywhere text-ink-2">Out: {harmless(variant.out_reason)}</p>}
                    {(comparison?.reason ?? result?.reason) && <p className="mt-1 max-w-72 text-xs wrap-anywhere text-ink-2">{harmless(comparison?.reason ?? result?.reason ?? "")}</p>}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {results.analysis === null && <p className="border-t border-line px-4 py-2.5 text-xs text-ink-2">Figures appear with the first look, after the first round.</p>}
    </Section>
  );
}

function Name({ variant }: { variant: VariantOut }) {
  const config = variant.config as { model?: { name?: string; version?: string | null } | null; system_prompt?: string | null };
  return (
    <>
      <span className="font-medium wrap-anywhere">{harmless(variant.name)}</span>
      {config.model?.name && <span className="block text-xs wrap-anywhere text-ink-2">{harmless([config.model.name, config.model.version].filter(Boolean).join(" "))}</span>}
      {config.system_prompt && <span className="mt-0.5 line-clamp-2 max-w-72 text-xs wrap-anywhere text-ink-3">{harmless(config.system_prompt)}</span>}
    </>
  );
}

function Interval({ metric, ends }: { metric: string; ends: Ends }) {
  if (ends === null || ends[0] === null || ends[1] === null) return null;
  return <span className="block text-xs text-ink-3">{formatValue(metric, ends[0])} – {formatValue(metric, ends[1])}</span>;
}

function Sample({ result }: { result: VariantResult | undefined }) {
  if (!result) return <span className="text-ink-3">0</span>;
  return (
    <>
      {formatCount(result.sample_size)}
      {result.missing > 0 && <span className="block text-xs text-warn">{formatCount(result.missing)} without a value</span>}
    </>
  );
}

const isCertain = ({ interval }: ComparisonOut) => interval !== null && ((interval[0] ?? -1) > 0 || (interval[1] ?? 1) < 0);

function Difference({ comparison }: { comparison: ComparisonOut | undefined }) {
  if (!comparison || comparison.expected === null) return <span className="text-ink-3">–</span>;
  return (
    <>
      <span className="font-medium">{formatDifference(comparison.expected, comparison.relative)}</span>
      <span className="block text-xs text-ink-3">{formatEnds(comparison.interval, comparison.relative)}</span>
      {/* The size of a difference that may be chance would read like a finding. */}
      {comparison.effect_word && <span className="block text-xs text-ink-3">{isCertain(comparison) ? `${harmless(comparison.effect_word)} effect` : "may be chance"}</span>}
    </>
  );
}
