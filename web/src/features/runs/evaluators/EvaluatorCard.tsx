import { useEffect, useRef } from "react";
import type { EvaluatorInfo, ProviderOut } from "@/api/generated/config-api";
import type { JudgeChoice } from "@/api/generated/orchestrator";
import { Button, IconButton } from "@/components/Button";
import { Disclosure } from "@/components/Disclosure";
import { CheckField, FieldError, NumberField, TextField } from "@/components/Field";
import { errorAt, errorsUnder } from "@/lib/form-errors";
import { formatScore } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { ModelPicker } from "../new/ModelPicker";
import type { EvaluatorForm } from "./evaluator-form";
import { ParamFields } from "./ParamFields";
import { paramsInWords, paramsOf } from "./param-schema";

interface Props {
  evaluator: EvaluatorForm;
  /** What is known of its kind; not there while that is not known. */
  info: EvaluatorInfo | undefined;
  providers: readonly ProviderOut[];
  errors: Readonly<Record<string, string>>;
  /** Of this one within the request: `evaluators.0`. */
  path: string;
  /** It was chosen just now, and is to be looked at. */
  isNew: boolean;
  onChange: (evaluator: EvaluatorForm) => void;
  onRemove: () => void;
}

/** So few are shown all at once. */
const FEW_PARAMS = 4;

export function EvaluatorCard({ evaluator, info, providers, errors, path, isNew, onChange, onRemove }: Props) {
  const params = info ? paramsOf(info.params_schema) : [];
  const refused = errorsUnder(errors, path);
  const box = useRef<HTMLLIElement>(null);
  // Where it was chosen there is nothing more to do: the next thing is to look at it.
  useEffect(() => {
    if (isNew) box.current?.querySelector("summary")?.focus();
  }, [isNew]);
  const set = (part: Partial<EvaluatorForm>) => onChange({ ...evaluator, ...part });
  const isExtra = (name: string) => params.length > FEW_PARAMS && params.some((one) => one.name === name && one.isExtra);
  const extra = params.filter((one) => isExtra(one.name));
  const main = params.filter((one) => !isExtra(one.name));
  const extraRefused = extra.some((one) => errorsUnder(errors, `${path}.params.${one.name}`).length > 0);
  const fields = { values: evaluator.params, errors, path: `${path}.params`, onChange: (next: Record<string, unknown>) => set({ params: next }) };
  const others = [errorAt(errors, path), errorAt(errors, `${path}.kind`), errorAt(errors, `${path}.params`)].filter((one) => one !== undefined);

  return (
    <li ref={box} aria-label={harmless(evaluator.name || evaluator.title)} className="flex items-start gap-2 py-2 pr-3 pl-4">
      <div className="min-w-0 flex-1">
        <Disclosure
          open={isNew || refused.length > 0}
          title={harmless(evaluator.name || evaluator.title)}
          summary={inWords(evaluator, paramsInWords(params, evaluator.params))}
        >
          <div className="flex flex-col gap-4 pb-2 sm:pl-5.5">
            {info && <p className="max-w-2xl text-ink-2">{info.description}</p>}
            {main.length > 0 && <ParamFields params={main} {...fields} />}
            {extra.length > 0 && (
              <Disclosure title="More parameters" summary={extra.map((one) => one.label.toLowerCase()).join(", ")} open={extraRefused || extra.some((one) => evaluator.params[one.name] != null)}>
                <ParamFields params={extra} {...fields} />
              </Disclosure>
            )}
            <div className="grid items-start gap-3 sm:grid-cols-3">
              <NumberField label="Weight" hint="In the overall score; with 0 it is shown and does not count." min={0} placeholder="1" value={evaluator.weight} error={errorAt(errors, `${path}.weight`)} onChange={(weight) => set({ weight })} />
              <NumberField label="Pass threshold" hint="On its own scale. Empty: its own verdict holds." placeholder="Its own" value={evaluator.passThreshold} error={errorAt(errors, `${path}.pass_threshold`)} onChange={(passThreshold) => set({ passThreshold })} />
              <TextField label="Name in results" hint="Tells two of a kind apart." maxLength={60} placeholder={evaluator.kind} value={evaluator.name} error={errorAt(errors, `${path}.name`)} onChange={(name) => set({ name })} />
            </div>
            <CheckField label="An answer without its score has failed" hint="Otherwise the answer counts as completed all the same." checked={evaluator.required} onChange={(required) => set({ required })} />
            {evaluator.panel && <Panel judges={evaluator.panel.judges} onLeave={() => set({ panel: null })} />}
            {evaluator.needsJudge && !evaluator.panel && <OwnJudge evaluator={evaluator} providers={providers} errors={errors} path={`${path}.judge`} onChange={(judge) => set({ judge })} />}
          </div>
        </Disclosure>
        {others.map((message) => <FieldError key={message}>{message}</FieldError>)}
      </div>
      <IconButton icon="cross" label={`Remove ${harmless(evaluator.name || evaluator.title)}`} onClick={onRemove} />
    </li>
  );
}

function inWords({ needsJudge, judge, panel, weight, passThreshold }: EvaluatorForm, params: string): string {
  const said = [
    panel ? `panel of ${panel.judges.length}` : needsJudge ? (judge?.model ? `judged by ${harmless(judge.model)}` : "asks the judge") : "by program",
    params === "" ? null : harmless(params.charAt(0).toLowerCase() + params.slice(1)),
    weight === null ? null : `weight ${formatScore(weight)}`,
    passThreshold === null ? null : `passes from ${formatScore(passThreshold)}`,
  ];
  return said.filter((one) => one !== null).join(" · ");
}

/** As an earlier run had it: kept, or left for one judge. */
function Panel({ judges, onLeave }: { judges: readonly JudgeChoice[]; onLeave: () => void }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 text-ink-2">
        The median of a panel counts: {judges.map((one) => harmless(one.model)).join(", ")}.
      </p>
      <Button onClick={onLeave}>Ask one judge instead</Button>
    </div>
  );
}

interface JudgeProps {
  evaluator: EvaluatorForm;
  providers: readonly ProviderOut[];
  errors: Readonly<Record<string, string>>;
  path: string;
  onChange: (judge: EvaluatorForm["judge"]) => void;
}

function OwnJudge({ evaluator: { judge }, providers, errors, path, onChange }: JudgeProps) {
  return (
    <div className="flex flex-col gap-3">
      <CheckField label="It asks a judge of its own" hint="Otherwise the run’s judge." checked={judge !== null} onChange={(on) => onChange(on ? { providerId: "", model: "" } : null)} />
      {judge && (
        <ModelPicker providers={providers} value={judge} onChange={onChange} providerError={errorAt(errors, `${path}.provider_id`, path)} modelError={errorAt(errors, `${path}.model`)} />
      )}
    </div>
  );
}
