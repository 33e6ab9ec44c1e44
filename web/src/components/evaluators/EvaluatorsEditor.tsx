import { useState } from "react";
import { useListEvaluatorsQuery } from "@/api/generated/config-api/evaluators";
import type { ProviderOut } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { Combobox } from "@/components/Combobox";
import { FieldError } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { uniqueKey } from "@/lib/unique-key";
import { EvaluatorCard } from "./EvaluatorCard";
import { newEvaluator, type EvaluatorForm } from "./evaluator-form";

interface Props {
  evaluators: readonly EvaluatorForm[];
  providers: readonly ProviderOut[];
  errors: Readonly<Record<string, string>>;
  onChange: (evaluators: EvaluatorForm[]) => void;
}

/** The server's limit per request. */
const MOST_EVALUATORS = 20;

/** The chosen evaluators, each with its form, and the others to choose from. */
export function EvaluatorsEditor({ evaluators, providers, errors, onChange }: Props) {
  const { data, error, isFetching, refetch } = useListEvaluatorsQuery();
  const [added, setAdded] = useState<string | null>(null);
  const known = data?.items ?? [];
  const add = (kind: string) => {
    const info = known.find((one) => one.kind === kind);
    if (!info) return;
    const key = uniqueKey();
    setAdded(key);
    onChange([...evaluators, newEvaluator(info, key)]);
  };
  // Evaluators that ask a model come first: most runs start with one.
  const choices = known.toSorted((a, b) => Number(b.needs_judge) - Number(a.needs_judge)).map((one) => ({ value: one.kind, label: one.title, detail: one.needs_judge ? "asks a judge" : "by program" }));
  return (
    <div className="flex flex-col">
      {evaluators.length > 0 && (
        <ol aria-label="Chosen evaluators" className="divide-y divide-line border-b border-line">
          {evaluators.map((one, index) => (
            <EvaluatorCard
              key={one.key}
              evaluator={one}
              info={known.find((info) => info.kind === one.kind)}
              providers={providers}
              errors={errors}
              path={`evaluators.${index}`}
              isNew={one.key === added}
              onChange={(next) => onChange(evaluators.map((other) => (other.key === one.key ? next : other)))}
              onRemove={() => onChange(evaluators.filter((other) => other.key !== one.key))}
            />
          ))}
        </ol>
      )}
      <div className="flex flex-col gap-2 px-4 py-3">
        {error ? (
          <>
            <ProblemNote error={error} />
            <Button icon="retry" className="self-start" disabled={isFetching} onClick={() => void refetch()}>Load the evaluators again</Button>
          </>
        ) : (
          <Combobox label="Add an evaluator" className="sm:max-w-96" placeholder={data ? "Choose or search…" : "Loading…"} disabled={!data || evaluators.length >= MOST_EVALUATORS} choices={choices} value="" onChange={add} />
        )}
        {errors.evaluators && <FieldError>{errors.evaluators}</FieldError>}
      </div>
    </div>
  );
}
