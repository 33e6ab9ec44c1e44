import type { ProviderOut } from "@/api/generated/config-api";
import { Section } from "@/components/Section";
import { plural } from "@/lib/format";
import { askRunJudge, asksEmbedder, type EvaluatorForm } from "./evaluator-form";
import { EvaluatorsEditor } from "./EvaluatorsEditor";

interface Props {
  evaluators: readonly EvaluatorForm[];
  providers: readonly ProviderOut[];
  errors: Readonly<Record<string, string>>;
  onChange: (evaluators: EvaluatorForm[]) => void;
}

/** The evaluators that score every answer. */
export function EvaluatorsSection({ evaluators, ...rest }: Props) {
  const isWithoutJudge = evaluators.length > 0 && !askRunJudge(evaluators);
  return (
    <Section title="Evaluators" aside={<p className="text-xs text-ink-2">{evaluators.length > 0 ? `${plural(evaluators.length, "evaluator")} chosen` : "How the answers are scored"}</p>}>
      <EvaluatorsEditor evaluators={evaluators} {...rest} />
      {isWithoutJudge && (
        <p role="status" className="border-t border-line px-4 py-2.5 text-xs text-ink-2">
          {evaluators.some((one) => one.needsJudge || asksEmbedder(one)) ? "Each evaluator that asks a model names its own judge, so no other is needed." : "All evaluators are programs, so no judge is needed."}
        </p>
      )}
    </Section>
  );
}
