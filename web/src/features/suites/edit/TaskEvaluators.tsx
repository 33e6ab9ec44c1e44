import { useState } from "react";
import { useListEvaluatorsQuery } from "@/api/generated/config-api/evaluators";
import type { EvaluatorInfo, TaskEvaluatorIn } from "@/api/generated/config-api";
import { Button, IconButton } from "@/components/Button";
import { Combobox } from "@/components/Combobox";
import { Disclosure } from "@/components/Disclosure";
import { CheckField, FieldError, NumberField, TextField } from "@/components/Field";
import { ParamFields } from "@/components/ParamFields";
import { ProblemNote } from "@/components/Problem";
import { errorAt, errorsUnder } from "@/lib/form-errors";
import { paramsInWords, paramsOf } from "@/lib/param-schema";
import { harmless } from "@/lib/plain-text";
import { uniqueKey } from "@/lib/unique-key";
import { MOST_EVALUATORS } from "./suite-form";

interface Props {
  evaluators: readonly TaskEvaluatorIn[];
  errors: Readonly<Record<string, string>>;
  /** The path in the request, such as `tasks.0.evaluators`. */
  path: string;
  onChange: (evaluators: TaskEvaluatorIn[]) => void;
}

/** The evaluators of a task. Without one, the checks of each case decide, or the rubric. */
export function TaskEvaluators({ evaluators, errors, path, onChange }: Props) {
  const { data, error, isFetching, refetch } = useListEvaluatorsQuery();
  // Inputs keep what is typed, so each evaluator needs a key that survives the removal of another one.
  const [keys, setKeys] = useState(() => evaluators.map(() => uniqueKey()));
  const [added, setAdded] = useState<string | null>(null);
  const known = data?.items ?? [];
  const choices = known.toSorted((a, b) => Number(b.needs_judge) - Number(a.needs_judge)).map((one) => ({ value: one.kind, label: one.title, detail: one.needs_judge ? "asks a judge" : "by program" }));
  const add = (kind: string) => {
    if (!known.some((one) => one.kind === kind)) return;
    const key = uniqueKey();
    setKeys([...keys, key]);
    setAdded(key);
    onChange([...evaluators, { kind }]);
  };
  const remove = (index: number) => {
    setKeys(keys.filter((_, place) => place !== index));
    onChange(evaluators.filter((_, place) => place !== index));
  };
  const own = errorAt(errors, path);
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-medium">Evaluators</legend>
      {evaluators.length === 0 ? (
        <p className="mb-2 text-ink-2">None is chosen: the checks of each case decide, or the rubric for cases without checks.</p>
      ) : (
        <ol aria-label="Evaluators of the task" className="mb-3 divide-y divide-line rounded-md border border-line">
          {evaluators.map((one, index) => (
            <Evaluator
              key={keys[index] ?? index}
              evaluator={one}
              info={known.find((info) => info.kind === one.kind)}
              errors={errors}
              path={`${path}.${index}`}
              isNew={keys[index] === added}
              onChange={(next) => onChange(evaluators.map((other, place) => (place === index ? next : other)))}
              onRemove={() => remove(index)}
            />
          ))}
        </ol>
      )}
      {error ? (
        <div className="flex flex-col gap-2">
          <ProblemNote error={error} />
          <Button icon="retry" className="self-start" disabled={isFetching} onClick={() => void refetch()}>Load the evaluators again</Button>
        </div>
      ) : (
        <Combobox label="Add an evaluator" className="sm:max-w-96" placeholder={data ? "Choose or search…" : "Loading…"} disabled={!data || evaluators.length >= MOST_EVALUATORS} choices={choices} value="" onChange={add} />
      )}
      {own && <FieldError>{own}</FieldError>}
    </fieldset>
  );
}

interface OneProps {
  evaluator: TaskEvaluatorIn;
  info: EvaluatorInfo | undefined;
  errors: Readonly<Record<string, string>>;
  path: string;
  isNew: boolean;
  onChange: (evaluator: TaskEvaluatorIn) => void;
  onRemove: () => void;
}

function Evaluator({ evaluator, info, errors, path, isNew, onChange, onRemove }: OneProps) {
  const params = info ? paramsOf(info.params_schema) : [];
  const title = harmless(evaluator.name || info?.title || evaluator.kind);
  const set = (part: Partial<TaskEvaluatorIn>) => onChange({ ...evaluator, ...part });
  const words = [paramsInWords(params, evaluator.params ?? {}), evaluator.weight === undefined ? "" : `weight ${evaluator.weight}`, evaluator.pass_threshold == null ? "" : `passes from ${evaluator.pass_threshold}`];
  const own = [errorAt(errors, path), errorAt(errors, `${path}.kind`), errorAt(errors, `${path}.params`)].filter((one) => one !== undefined);
  return (
    <li aria-label={title} className="flex items-start gap-2 py-1.5 pr-2 pl-3">
      <div className="min-w-0 flex-1">
        <Disclosure open={isNew || errorsUnder(errors, path).length > 0} title={title} summary={harmless(words.filter(Boolean).join(" · "))}>
          <div className="flex flex-col gap-3 pb-2">
            {info && <p className="max-w-2xl text-ink-2">{info.description}</p>}
            {params.length > 0 && <ParamFields params={params} values={evaluator.params ?? {}} errors={errors} path={`${path}.params`} onChange={(next) => set({ params: next })} />}
            <div className="grid items-start gap-3 sm:grid-cols-3">
              <NumberField label="Weight" hint="In an answer’s overall score." min={0} placeholder="1" value={evaluator.weight ?? null} error={errorAt(errors, `${path}.weight`)} onChange={(weight) => set({ weight: weight ?? undefined })} />
              <NumberField label="Pass threshold" hint="On its own scale. If empty: its own verdict holds." placeholder="Its own" value={evaluator.pass_threshold ?? null} error={errorAt(errors, `${path}.pass_threshold`)} onChange={(pass_threshold) => set({ pass_threshold })} />
              <TextField label="Name in results" hint="Distinguishes two of the same kind." maxLength={29} placeholder={evaluator.kind} value={evaluator.name ?? ""} error={errorAt(errors, `${path}.name`)} onChange={(name) => set({ name })} />
            </div>
            <CheckField label="An answer without this score counts as failed" checked={evaluator.required ?? true} onChange={(required) => set({ required })} />
          </div>
        </Disclosure>
        {own.map((message) => <FieldError key={message}>{message}</FieldError>)}
      </div>
      <IconButton icon="cross" label={`Remove ${title}`} onClick={onRemove} />
    </li>
  );
}
