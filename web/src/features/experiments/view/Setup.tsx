import type { AnalysisOut, ExperimentOut } from "@/api/generated/orchestrator";
import { Disclosure } from "@/components/Disclosure";
import { PlainText } from "@/components/PlainText";
import { Section } from "@/components/Section";
import { formatCount, formatDate, formatPercent, formatUsd } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { formatDifference, isRelative, METHODS, metricName, TYPES } from "../experiment-words";

/** The plan of the experiment, and the way it is decided. */
export function Setup({ experiment, analysis }: { experiment: ExperimentOut; analysis: AnalysisOut | null }) {
  const { config } = experiment;
  const method = experiment.type === "MULTI_ARM_BANDIT" ? TYPES.find((one) => one.value === experiment.type) : METHODS.find((one) => one.value === config.method);
  const facts: [string, string | null][] = [
    ["Started", experiment.started_at && formatDate(experiment.started_at)],
    ["Primary metric", harmless(metricName(experiment.primary_metric))],
    ["Wanted effect", formatDifference(experiment.direction === "lower_is_better" ? -config.minimum_effect : config.minimum_effect, isRelative(experiment.primary_metric))],
    ["False alarms", `at most ${formatPercent(config.significance_level)}`],
    ["Design", config.design === "paired" ? "The same cases for all variants" : experiment.sources === "none" ? "Each unit gets one variant" : "Cases split up between the variants"],
    ["Cluster by", config.cluster_by],
    ["At least", config.minimum_sample_size === null ? null : formatCount(config.minimum_sample_size)],
    ["Days at most", config.maximum_duration_days === null ? null : String(config.maximum_duration_days)],
    ["Cost at most", config.maximum_cost_usd === null ? null : formatUsd(config.maximum_cost_usd)],
    ["Seed", String(config.seed)],
  ];
  return (
    <Section title="Method">
      <div className="flex flex-col gap-3 px-4 py-3">
        {method && <p className="max-w-3xl"><span className="font-medium">{/[.?]$/.test(method.label) ? method.label : `${method.label}.`}</span> <span className="text-ink-2">{method.hint}</span></p>}
        <dl className="grid gap-x-6 gap-y-1.5 sm:grid-cols-[auto_minmax(0,1fr)_auto_minmax(0,1fr)]">
          {facts.map(([name, value]) => value && (
            <div key={name} className="contents">
              <dt className="text-ink-2">{name}</dt>
              <dd className="wrap-anywhere max-sm:mb-1.5">{value}</dd>
            </div>
          ))}
        </dl>
        {analysis && (
          <Disclosure title="How the figures were made" summary={harmless(analysis.method)}>
            <div className="flex max-w-3xl flex-col gap-2 text-ink-2">
              <p><span className="text-ink">Stopping rule:</span> {harmless(analysis.stopping_rule)}</p>
              <ul className="list-disc pl-5">{analysis.assumptions.map((one) => <li key={one}>{harmless(one)}</li>)}</ul>
              <p className="text-xs text-ink-3">{harmless(analysis.library)}</p>
            </div>
          </Disclosure>
        )}
        {experiment.notes && <Disclosure title="Notes"><PlainText text={experiment.notes} /></Disclosure>}
      </div>
    </Section>
  );
}
