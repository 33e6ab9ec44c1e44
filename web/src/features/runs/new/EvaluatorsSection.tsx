import type { ProviderOut } from "@/api/generated/config-api";
import { Section } from "@/components/Section";
import { plural } from "@/lib/format";
import { askRunJudge, asksEmbedder, type EvaluatorForm } from "../evaluators/evaluator-form";
import { EvaluatorsEditor } from "../evaluators/EvaluatorsEditor";

interface Props {
  evaluators: readonly EvaluatorForm[];
  providers: readonly ProviderOut[];
  errors: Readonly<Record<string, string>>;
  onChange: (evaluators: EvaluatorForm[]) => void;
}

/** What every answer is scored by. */
export function EvaluatorsSection({ evaluators, ...rest }: Props) {
  const isWithoutJudge = evaluators.length > 0 && !askRunJudge(evaluators);
  return (
    <Section title="Evaluators" aside={<p className="text-xs text-ink-2">{evaluators.length > 0 ? `${plural(evaluators.length, "evaluator")} chosen` : "What the answers are scored by"}</p>}>
      <EvaluatorsEditor evaluators={evaluators} {...rest} />
      {isWithoutJudge && (
        <p role="status" className="border-t border-line px-4 py-2.5 text-xs text-ink-2">
          {evaluators.some((one) => one.needsJudge || asksEmbedder(one)) ? "Each that asks a model names its own: the run needs no judge." : "All of them are programs: the run needs no judge."}
        </p>
      )}
    </Section>
  );
}
