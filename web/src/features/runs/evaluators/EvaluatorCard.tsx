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
import { newPanel, type ModelChoice } from "./panel-form";
import { PanelEditor } from "./PanelEditor";
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

/** Whether a model of a provider is needed, beside the field that says so. */
const embeddingHint = (evaluator: EvaluatorForm) =>
  asksEmbedder(evaluator) ? "A provider’s model, named below: its calls cost what they cost." : "A model that runs here asks nobody and costs nothing. “provider” asks one of a provider, which is then to be named.";

/** So few are shown all at once. */
const FEW_PARAMS = 4;

export function EvaluatorCard({ evaluator, info, providers, errors, path, isNew, onChange, onRemove }: Props) {
  const params = info ? paramsOf(info.params_schema).map((one) => (info.may_need_judge && one.name === "embedding" ? { ...one, hint: embeddingHint(evaluator) } : one)) : [];
  const refused = errorsUnder(errors, path);
  const box = useRef<HTMLLIElement>(null);
  // Where it was chosen there is nothing more to do: the next thing is to look at it.
  useEffect(() => {
    if (!isNew) return;
    // The list that it was chosen from takes the focus back at the next frame, and would open again at getting it.
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
                <legend className="mb-2 text-xs font-medium text-ink-2">The provider’s embedding model, which is asked for the vectors</legend>
                <ModelPicker providers={providers} value={evaluator.judge ?? NO_MODEL} onChange={(judge) => set({ judge })} providerError={errorAt(errors, `${path}.judge.provider_id`, `${path}.judge`)} modelError={errorAt(errors, `${path}.judge.model`)} />
              </fieldset>
            )}
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
            {evaluator.needsJudge && <OwnJudges evaluator={evaluator} providers={providers} errors={errors} path={path} onChange={set} />}
          </div>
        </Disclosure>
        {others.map((message) => <FieldError key={message}>{message}</FieldError>)}
      </div>
      <IconButton icon="cross" label={`Remove ${harmless(evaluator.name || evaluator.title)}`} onClick={onRemove} />
    </li>
  );
}

function inWords(evaluator: EvaluatorForm, params: string): string {
  const { weight, passThreshold } = evaluator;
  const said = [
    askedInWords(evaluator),
    params === "" ? null : harmless(params.charAt(0).toLowerCase() + params.slice(1)),
    weight === null ? null : `weight ${formatScore(weight)}`,
    passThreshold === null ? null : `passes from ${formatScore(passThreshold)}`,
  ];
  return said.filter((one) => one !== null).join(" · ");
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
      <SelectField label="Who is asked" className="sm:max-w-80" value={who} options={WHO} onChange={choose} />
      {judge && <ModelPicker providers={providers} value={judge} onChange={(next) => onChange({ judge: next, panel: null })} providerError={errorAt(errors, `${path}.judge.provider_id`, `${path}.judge`)} modelError={errorAt(errors, `${path}.judge.model`)} />}
      {panel && <PanelEditor panel={panel} providers={providers} errors={errors} path={`${path}.panel`} onChange={(next) => onChange({ judge: null, panel: next })} />}
    </div>
  );
}
