import { lazy, Suspense } from "react";
import type { ProviderOut } from "@/api/generated/config-api";
import { Button, IconButton } from "@/components/Button";
import { Chip } from "@/components/Chip";
import { Disclosure } from "@/components/Disclosure";
import { FieldError, NumberField, TextAreaField, TextField } from "@/components/Field";
import { ModelPicker } from "@/components/ModelPicker";
import { SamplingFields } from "@/components/SamplingFields";
import { Section } from "@/components/Section";
import { errorAt, errorsUnder } from "@/lib/form-errors";
import { harmless } from "@/lib/plain-text";
import { uniqueKey } from "@/lib/unique-key";
import { loadCode } from "@/live/reach";
import { designOf, MOST_VARIANTS, newVariant, type ExperimentForm, type VariantForm } from "./experiment-form";

const PromptPicker = lazy(() => loadCode(async () => ({ default: (await import("@/components/PromptPicker")).PromptPicker })));

interface Props {
  form: ExperimentForm;
  providers: readonly ProviderOut[];
  errors: Readonly<Record<string, string>>;
  onChange: (variants: VariantForm[]) => void;
}

/** The control, which is in use today, and its treatments. */
export function VariantsSection({ form, providers, errors, onChange }: Props) {
  const { variants } = form;
  const isSplit = designOf(form) === "split";
  const isOfPrompts = form.type === "PROMPT_COMPARISON" && !form.isOutside;
  const [first] = variants;
  const common = isOfPrompts && first && variants.every((one) => one.providerId === first.providerId && one.model === first.model) ? first : null;
  const nameOf = () => {
    const taken = new Set(variants.map((one) => one.name));
    for (let number = 2; ; number += 1) if (!taken.has(`Treatment ${number}`)) return `Treatment ${number}`;
  };
  const copy = () => {
    const base = variants.at(-1) ?? newVariant("");
    onChange([...variants, { ...base, key: uniqueKey(), name: nameOf(), isControl: false, share: null }]);
  };
  return (
    <Section title="Variants" aside={<p className="text-xs text-ink-2">The control is what is in use today</p>}>
      {common && (
        <div role="group" aria-label="Model of all variants" className="border-b border-line px-4 py-3">
          <ModelOf of={common} path="variants.0.config" providers={providers} errors={errors} onChange={(choice) => onChange(variants.map((one) => ({ ...one, ...choice })))} />
        </div>
      )}
      <ol aria-label="Variants" className="divide-y divide-line">
        {variants.map((one, index) => (
          <Variant
            key={one.key}
            variant={one}
            providers={providers}
            isOutside={form.isOutside}
            isSplit={isSplit}
            isOfPrompts={isOfPrompts}
            hasModel={!common}
            errors={errors}
            path={`variants.${index}`}
            onChange={(next) => onChange(variants.with(index, next))}
            onControl={() => onChange(variants.map((other) => ({ ...other, isControl: other.key === one.key })))}
            onRemove={variants.length > 2 && !one.isControl ? () => onChange(variants.toSpliced(index, 1)) : null}
          />
        ))}
      </ol>
      <div className="flex flex-col gap-2 border-t border-line px-4 py-3">
        {errors.variants && <FieldError>{errors.variants}</FieldError>}
        <Button icon="plus" className="self-start" disabled={variants.length >= MOST_VARIANTS} onClick={copy}>Add a treatment</Button>
      </div>
    </Section>
  );
}

interface VariantProps {
  variant: VariantForm;
  providers: readonly ProviderOut[];
  isOutside: boolean;
  isSplit: boolean;
  /** The variants differ in their prompts, which then have the space. */
  isOfPrompts: boolean;
  /** False if all variants have one model, which is chosen above them. */
  hasModel: boolean;
  errors: Readonly<Record<string, string>>;
  path: string;
  onChange: (variant: VariantForm) => void;
  onControl: () => void;
  onRemove: (() => void) | null;
}

function Variant({ variant, providers, isOutside, isSplit, isOfPrompts, hasModel, errors, path, onChange, onControl, onRemove }: VariantProps) {
  const set = (part: Partial<VariantForm>) => onChange({ ...variant, ...part });
  const name = harmless(variant.name.trim() || "a variant without a name");
  const config = `${path}.config`;
  const settings = Object.entries(variant.sampling).filter(([key, value]) => key !== "systemPrompt" && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0)).length;
  return (
    <li aria-label={name} className="flex flex-col gap-3 px-4 py-3">
      <div className="flex flex-wrap items-start gap-3">
        <TextField label="Name" className="flex-1 basis-40" maxLength={60} value={variant.name} error={errorAt(errors, `${path}.name`)} onChange={(next) => set({ name: next })} />
        {isSplit && <NumberField label="Share in percent" className="w-36" min={0} max={100} placeholder="Equal shares" value={variant.share} error={errorAt(errors, `${path}.traffic_allocation`)} onChange={(share) => set({ share })} />}
        <div className="flex items-center gap-1 sm:pt-5">
          {variant.isControl ? <span className="flex h-8 items-center"><Chip label="Control" tone="info" icon="scale" /></span> : <Button kind="ghost" onClick={onControl} aria-label={`Make it the control: ${name}`}>Make it the control</Button>}
          {onRemove && <IconButton icon="cross" label={`Remove ${name}`} onClick={onRemove} />}
        </div>
      </div>
      {isOutside ? (
        <TextField label="Model" hint="Only shown: the experiment is run elsewhere." className="sm:max-w-96" maxLength={255} value={variant.model} onChange={(model) => set({ model })} />
      ) : (
        hasModel && <ModelOf of={variant} path={config} providers={providers} errors={errors} onChange={set} />
      )}
      {!isOutside && (
        <div className={`grid items-start gap-3 ${isOfPrompts ? "" : "sm:grid-cols-2"}`}>
          <TextAreaField label="System prompt" rows={isOfPrompts ? 6 : 3} maxLength={100_000} placeholder="None" value={variant.sampling.systemPrompt} error={errorAt(errors, `${config}.system_prompt`)} onChange={(systemPrompt) => set({ sampling: { ...variant.sampling, systemPrompt } })} />
          <Suspense><PromptPicker isAlways={isOfPrompts} value={variant.promptVersionId === "" ? null : { versionId: variant.promptVersionId }} error={errorAt(errors, `${config}.prompt_version_id`)} onChange={(prompt) => set({ promptVersionId: prompt?.versionId ?? "" })} /></Suspense>
          {isOfPrompts && <p className="text-xs text-ink-3">Choose a stored prompt, or <a href="/prompts" target="_blank" rel="noreferrer" className="font-medium text-accent hover:underline">write one</a> in a new tab: it is listed here when you come back.</p>}
        </div>
      )}
      {!isOutside && (
        <Disclosure title="Parameters" summary={settings > 0 ? `${settings} set` : "temperature, tokens, seed, stop, options"} open={errorsUnder(errors, `${config}.parameters`).length > 0}>
          <SamplingFields withoutPrompt value={variant.sampling} onChange={(sampling) => set({ sampling })} errors={errors} path={`${config}.parameters`} />
        </Disclosure>
      )}
    </li>
  );
}

interface ModelProps {
  of: VariantForm;
  /** The path of the variant's configuration. */
  path: string;
  providers: readonly ProviderOut[];
  errors: Readonly<Record<string, string>>;
  onChange: (choice: { providerId: string; model: string }) => void;
}

function ModelOf({ of: { providerId, model }, path, providers, errors, onChange }: ModelProps) {
  return (
    <ModelPicker
      providers={providers}
      value={{ providerId, model }}
      providerError={errorAt(errors, `${path}.model.provider_id`, `${path}.model`)}
      modelError={errorAt(errors, `${path}.model.name`)}
      onChange={onChange}
    />
  );
}
