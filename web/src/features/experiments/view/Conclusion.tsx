import { recordUrl, useExperimentRecordQuery } from "@/api/experiments";
import type { ConclusionOut, ExperimentOut } from "@/api/generated/orchestrator";
import { Button, buttonLook } from "@/components/Button";
import { CopyButton } from "@/components/CopyButton";
import { Disclosure } from "@/components/Disclosure";
import { Icon } from "@/components/Icon";
import { PlainText } from "@/components/PlainText";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { formatDate, formatFixed } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { decisionOf, formatP, formatProbability } from "../experiment-words";

/** The decision of a person, and the record of it. */
export function Conclusion({ experiment, conclusion }: { experiment: ExperimentOut; conclusion: ConclusionOut }) {
  const { experiment_id: experimentId } = experiment;
  const record = useExperimentRecordQuery({ experimentId });
  const facts = [
    conclusion.look !== null && `by look ${conclusion.look}`,
    conclusion.p_value !== null && `p-value ${formatP(conclusion.p_value)}`,
    conclusion.probability_of_improvement !== null && `probability of an improvement ${formatProbability(conclusion.probability_of_improvement)}`,
    conclusion.effect_size !== null && `effect size ${formatFixed(conclusion.effect_size, 2)}`,
  ].filter(Boolean);
  return (
    <Section
      title="Conclusion"
      aside={
        <div className="flex flex-wrap gap-2">
          {record.data !== undefined && <CopyButton label="Copy the record" text={() => record.data ?? ""} />}
          <a href={recordUrl(experimentId, "markdown")} download className={buttonLook("plain")}><Icon name="download" />Markdown</a>
          <a href={recordUrl(experimentId, "json")} download className={buttonLook("plain")}><Icon name="download" />JSON</a>
        </div>
      }
    >
      <div className="flex flex-col gap-2 px-4 py-3">
        <p className="text-lg font-semibold wrap-anywhere">{harmless(decisionOf(experiment)?.text ?? "")}</p>
        <p className="text-ink-2">
          Declared {conclusion.declared_by && <>by {harmless(conclusion.declared_by)} </>}on {formatDate(conclusion.declared_at)}{facts.length > 0 && `, ${facts.join(", ")}`}.
        </p>
        {conclusion.notes && <PlainText text={conclusion.notes} className="max-w-3xl" />}
        {record.isError && (
          <div className="flex flex-wrap items-center gap-2">
            <ProblemNote error={record.error} />
            <Button icon="retry" onClick={() => void record.refetch()}>Load the record again</Button>
          </div>
        )}
        {record.data !== undefined && (
          <Disclosure title="Decision record" summary="what was planned, seen and decided">
            <PlainText text={record.data} maxCharacters={20_000} maxLines={400} className="rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs leading-5" />
          </Disclosure>
        )}
      </div>
    </Section>
  );
}
