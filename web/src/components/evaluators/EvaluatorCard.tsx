import { useEffect, useRef } from "react";
import type { EvaluatorInfo, ProviderOut } from "@/api/generated/config-api";
import { IconButton } from "@/components/Button";
import { Disclosure } from "@/components/Disclosure";
import { CheckField, FieldError, NumberField, SelectField, TextField } from "@/components/Field";
import { errorAt, errorsUnder } from "@/lib/form-errors";
import { formatScore } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { ModelPicker } from "@/components/ModelPicker";
import { asksEmbedder, type EvaluatorForm } from "./evaluator-form";
import { CaseLimitFields } from "./CaseLimitFields";
import { limitInWords } from "./case-limit";
import { newPanel, type ModelChoice } from "./panel-form";
import { PanelEditor } from "./PanelEditor";
import { ParamFields } from "@/components/ParamFields";
import { paramsInWords, paramsOf } from "@/lib/param-schema";

interface Props {
  evaluator: EvaluatorForm;
  /** The description of the evaluator's kind; undefined during loading. */
  info: EvaluatorInfo | undefined;
  providers: readonly ProviderOut[];
  errors: Readonly<Record<string, string>>;
  /** The evaluator's path in the request, such as `evaluators.0`. */
  path: string;
  /** The evaluator was just added and receives the focus. */
  isNew: boolean;
  onChange: (evaluator: EvaluatorForm) => void;
  onRemove: () => void;
}

/** Return the hint that says whether a provider's embedding model is needed. */
const embeddingHint = (evaluator: EvaluatorForm) =>
  asksEmbedder(evaluator) ? "A model of a provider, chosen below. Its calls are paid for." : "A model on this machine costs nothing. With “provider”, choose a provider’s model below.";

/** Up to this many parameters are shown without folding. */
const FEW_PARAMS = 4;

export function EvaluatorCard({ evaluator, info, providers, errors, path, isNew, onChange, onRemove }: Props) {
  const params = info ? paramsOf(info.params_schema).map((one) => (info.may_need_judge && one.name === "embedding" ? { ...one, hint: embeddingHint(evaluator) } : one)) : [];
  const refused = errorsUnder(errors, path);
  const box = useRef<HTMLLIElement>(null);
  // The user has just added it and will edit it next.
  useEffect(() => {
    if (!isNew) return;
    // The list takes the focus back at the next frame and would open again.
    const frame = requestAnimationFrame(() => box.current?.querySelector("summary")?.focus());
    return () => cancelAnimationFrame(frame);
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
            {asksEmbedder(evaluator) && (
              <fieldset className="min-w-0">
                <legend className="mb-2 text-xs font-medium text-ink-2">The provider’s embedding model, which computes the vectors</legend>
                <ModelPicker providers={providers} value={evaluator.judge ?? NO_MODEL} onChange={(judge) => set({ judge })} providerError={errorAt(errors, `${path}.judge.provider_id`, `${path}.judge`)} modelError={errorAt(errors, `${path}.judge.model`)} />
              </fieldset>
            )}
            {extra.length > 0 && (
              <Disclosure title="More parameters" summary={extra.map((one) => one.label.toLowerCase()).join(", ")} open={extraRefused || extra.some((one) => evaluator.params[one.name] != null)}>
                <ParamFields params={extra} {...fields} />
              </Disclosure>
            )}
            <div className="grid items-start gap-3 sm:grid-cols-3">
              <NumberField label="Weight" hint="In the overall score. With 0 the score does not count, but an answer still has to pass." min={0} placeholder="1" value={evaluator.weight} error={errorAt(errors, `${path}.weight`)} onChange={(weight) => set({ weight })} />
              <NumberField label="Pass threshold" hint="On its own scale. If empty: its own verdict holds." placeholder="Its own" value={evaluator.passThreshold} error={errorAt(errors, `${path}.pass_threshold`)} onChange={(passThreshold) => set({ passThreshold })} />
              <TextField label="Name in results" hint="Distinguishes two evaluators of the same kind." maxLength={60} placeholder={evaluator.kind} value={evaluator.name} error={errorAt(errors, `${path}.name`)} onChange={(name) => set({ name })} />
            </div>
            <CheckField label="An answer without this score counts as failed" hint="Otherwise the answer counts as completed." checked={evaluator.required} onChange={(required) => set({ required })} />
            <Disclosure title="Limit to some cases" summary={limitsInWords(evaluator) || "every case"} open={limitsInWords(evaluator) !== "" || errorsUnder(errors, `${path}.only`).length + errorsUnder(errors, `${path}.unless`).length > 0}>
              <div className="grid gap-3">
                <CaseLimitFields legend="Only cases that have" value={evaluator.only} error={errorsUnder(errors, `${path}.only`)[0]} onChange={(only) => set({ only })} />
                <CaseLimitFields legend="Except cases that have" value={evaluator.unless} error={errorsUnder(errors, `${path}.unless`)[0]} onChange={(unless) => set({ unless })} />
              </div>
            </Disclosure>
            {evaluator.needsJudge && <OwnJudges evaluator={evaluator} providers={providers} errors={errors} path={path} onChange={set} />}
          </div>
        </Disclosure>
        {others.map((message) => <FieldError key={message}>{message}</FieldError>)}
      </div>
      <IconButton icon="cross" label={`Remove ${harmless(evaluator.name || evaluator.title)}`} onClick={onRemove} />
    </li>
  );
}

function limitsInWords({ only, unless }: EvaluatorForm): string {
  const [asked, left] = [limitInWords(only), limitInWords(unless)];
  return [asked && `only ${asked}`, left && `not ${left}`].filter(Boolean).join("; ");
}

function inWords(evaluator: EvaluatorForm, params: string): string {
  const { weight, passThreshold } = evaluator;
  const parts = [
    askedInWords(evaluator),
    params === "" ? null : harmless(params.charAt(0).toLowerCase() + params.slice(1)),
    weight === null ? null : `weight ${formatScore(weight)}`,
    passThreshold === null ? null : `passes from ${formatScore(passThreshold)}`,
    limitsInWords(evaluator) || null,
  ];
  return parts.filter((one) => one !== null).join(" · ");
}

function askedInWords(evaluator: EvaluatorForm): string {
  const { needsJudge, judge, panel } = evaluator;
  if (asksEmbedder(evaluator)) return judge?.model ? `vectors by ${harmless(judge.model)}` : "asks an embedding model";
  if (!needsJudge) return "by program";
  if (panel) return `panel of ${panel.judges.length}`;
  return judge?.model ? `judged by ${harmless(judge.model)}` : "asks the judge";
}

interface JudgesProps {
  evaluator: EvaluatorForm;
  providers: readonly ProviderOut[];
  errors: Readonly<Record<string, string>>;
  path: string;
  onChange: (part: Pick<EvaluatorForm, "judge" | "panel">) => void;
}

const NO_MODEL: ModelChoice = { providerId: "", model: "" };
const WHO = [
  { value: "run", label: "The run’s judge" },
  { value: "own", label: "A judge of its own" },
  { value: "panel", label: "A panel of its own" },
] as const;

function OwnJudges({ evaluator: { judge, panel }, providers, errors, path, onChange }: JudgesProps) {
  const who = panel ? "panel" : judge ? "own" : "run";
  const choose = (next: (typeof WHO)[number]["value"]) =>
    next !== who && onChange({ judge: next === "own" ? (panel?.judges[0] ?? NO_MODEL) : null, panel: next === "panel" ? newPanel(judge ?? NO_MODEL) : null });
  return (
    <div className="flex flex-col gap-3">
      <SelectField label="Judged by" className="sm:max-w-80" value={who} options={WHO} onChange={choose} />
      {judge && <ModelPicker providers={providers} value={judge} onChange={(next) => onChange({ judge: next, panel: null })} providerError={errorAt(errors, `${path}.judge.provider_id`, `${path}.judge`)} modelError={errorAt(errors, `${path}.judge.model`)} />}
      {panel && <PanelEditor panel={panel} providers={providers} errors={errors} path={`${path}.panel`} onChange={(next) => onChange({ judge: null, panel: next })} />}
    </div>
  );
}
