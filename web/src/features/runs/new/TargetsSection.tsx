import { lazy, Suspense, useState } from "react";
import { useListProviderModelsQuery } from "@/api/providers";
import type { ProviderOut } from "@/api/generated/config-api";
import { Button, IconButton } from "@/components/Button";
import { Disclosure } from "@/components/Disclosure";
import { CheckField, FieldError, INPUT, TextField } from "@/components/Field";
import { Skeleton } from "@/components/Message";
import { Section } from "@/components/Section";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { uniqueKey } from "@/lib/unique-key";
import { errorAt, errorsUnder } from "@/lib/form-errors";
import { loadCode } from "@/live/reach";
import { newTarget, type RunForm, type TargetForm } from "./run-form";

const TargetSettings = lazy(() => loadCode(async () => ({ default: (await import("./TargetSettings")).TargetSettings })));

interface Props {
  form: RunForm;
  providers: readonly ProviderOut[];
  errors: Readonly<Record<string, string>>;
  onChange: (targets: TargetForm[]) => void;
}

/** Choose models by provider; each chosen target can have its own settings. */
export function TargetsSection({ form, providers, errors, onChange }: Props) {
  const { targets } = form;
  const add = (providerId: string, models: readonly string[]) => onChange([...targets, ...models.map((model) => newTarget(providerId, model, uniqueKey()))]);
  const drop = (providerId: string, models: readonly string[]) => onChange(targets.filter((one) => one.providerId !== providerId || !models.includes(one.model)));
  return (
    <Section title="Targets" aside={<p className="text-xs text-ink-2">{targets.length > 0 ? `${plural(targets.length, "target")} chosen` : "The models to be benchmarked"}</p>}>
      <div className="divide-y divide-line">
        {providers.map((provider) => (
          <ProviderModels
            key={provider.id}
            provider={provider}
            chosen={targets.filter((one) => one.providerId === provider.id).map((one) => one.model)}
            onAdd={(models) => add(provider.id, models)}
            onDrop={(models) => drop(provider.id, models)}
          />
        ))}
      </div>
      {errors.targets && <div className="border-t border-line px-4 py-2"><FieldError>{errors.targets}</FieldError></div>}
      {targets.length > 0 && (
        <ol aria-label="Chosen targets" className="divide-y divide-line border-t border-line bg-sunken">
          {targets.map((target, index) => (
            <Chosen
              key={target.key}
              target={target}
              provider={providers.find((one) => one.id === target.providerId)?.name ?? "a deleted provider"}
              form={form}
              errors={errors}
              path={`targets.${index}`}
              onChange={(next) => onChange(targets.map((one) => (one.key === target.key ? next : one)))}
              onRemove={() => onChange(targets.filter((one) => one.key !== target.key))}
              onTwin={() => onChange(targets.toSpliced(index + 1, 0, { ...target, key: uniqueKey(), label: twinLabel(target, targets) }))}
            />
          ))}
        </ol>
      )}
    </Section>
  );
}

function twinLabel(target: TargetForm, targets: readonly TargetForm[]): string {
  const labels = new Set(targets.map((one) => one.label || one.model));
  for (let number = 2; ; number += 1) {
    const label = `${target.model} (${number})`;
    if (!labels.has(label)) return label;
  }
}

interface ProviderProps {
  provider: ProviderOut;
  chosen: readonly string[];
  onAdd: (models: readonly string[]) => void;
  onDrop: (models: readonly string[]) => void;
}

/** Lists from this length have a search field. */
const SEARCHED_FROM = 9;

function ProviderModels({ provider, chosen, onAdd, onDrop }: ProviderProps) {
  const { data, error, isLoading, refetch } = useListProviderModelsQuery({ id: provider.id });
  const [query, setQuery] = useState("");
  const [typed, setTyped] = useState("");
  const listed = data?.models.map((one) => one.id) ?? [];
  const models = [...listed, ...new Set(chosen.filter((one) => !listed.includes(one)))];
  const shown = models.filter((one) => one.toLowerCase().includes(query.trim().toLowerCase()));
  const chosenShown = shown.filter((one) => chosen.includes(one));
  const name = harmless(provider.name);
  const addTyped = () => {
    const model = typed.trim();
    if (model !== "" && !chosen.includes(model)) onAdd([model]);
    setTyped("");
  };
  const another = (
    <div className="mt-2.5 flex max-w-sm gap-2">
      <input
        aria-label={`Name of another model of ${name}`}
        placeholder="Another model by its name"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          addTyped();
        }}
        className={`${INPUT} h-8`}
      />
      <Button icon="plus" disabled={typed.trim() === ""} onClick={addTyped}>Add</Button>
    </div>
  );
  // An unreachable provider is not an error of this form, and takes one line.
  if (error !== undefined)
    return (
      <fieldset className="min-w-0 px-4 py-1">
        <legend className="sr-only">{name}</legend>
        <div className="flex items-start justify-between gap-x-2">
          <Disclosure className="min-w-0 flex-1" title={name} summary={`cannot be reached${chosen.length > 0 ? `, ${formatCount(chosen.length)} chosen` : ""}`}>
            <p className="text-xs wrap-anywhere text-ink-2">Its models are unknown: {toProblem(error).detail}</p>
            {another}
          </Disclosure>
          <IconButton icon="retry" label={`Ask ${name} again`} onClick={() => void refetch()} />
        </div>
      </fieldset>
    );
  return (
    <fieldset className="min-w-0 px-4 py-3">
      <legend className="sr-only">{name}</legend>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 truncate font-medium" aria-hidden="true">{name}</p>
        {shown.length > 1 && (
          <CheckField
            label={<span className="text-xs text-ink-2">Select all {formatCount(shown.length)}<span className="sr-only"> models of {name}</span></span>}
            checked={chosenShown.length === shown.length}
            some={chosenShown.length > 0 && chosenShown.length < shown.length}
            onChange={(on) => (on ? onAdd(shown.filter((one) => !chosen.includes(one))) : onDrop(shown))}
          />
        )}
      </div>
      {isLoading && <Skeleton className="mt-2 h-5 w-64" />}
      {data && !data.supported && <p className="mt-1 text-xs text-ink-3">This provider lists no models: type their names.</p>}
      {models.length >= SEARCHED_FROM && (
        <input type="search" aria-label={`Search the models of ${name}`} placeholder="Search models" value={query} onChange={(event) => setQuery(event.target.value)} className={`${INPUT} mt-2 h-8`} />
      )}
      {models.length > 0 && (
        <div className="mt-2 grid max-h-56 gap-x-4 gap-y-1.5 overflow-y-auto py-0.5 sm:grid-cols-2 xl:grid-cols-3">
          {shown.map((model) => (
            <CheckField key={model} label={harmless(model)} checked={chosen.includes(model)} onChange={(on) => (on ? onAdd([model]) : onDrop([model]))} />
          ))}
        </div>
      )}
      {another}
    </fieldset>
  );
}

interface ChosenProps {
  target: TargetForm;
  provider: string;
  form: RunForm;
  errors: Readonly<Record<string, string>>;
  path: string;
  onChange: (target: TargetForm) => void;
  onRemove: () => void;
  onTwin: () => void;
}

function Chosen({ target, provider, form, errors, path, onChange, onRemove, onTwin }: ChosenProps) {
  const own = errorsUnder(errors, path).length > 0;
  const ownSettings = [...Object.values(target.sampling), ...Object.values(target.limits)].filter((one) => one !== null && one !== "" && !(Array.isArray(one) && one.length === 0)).length;
  return (
    <li className="px-4 py-2.5">
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0 flex-1">
          <Disclosure
            open={own}
            title={<span className="wrap-anywhere">{harmless(target.label || target.model)}</span>}
            summary={`${harmless(provider)} · ${target.prompt ? `prompt ${harmless(target.prompt.name)} v${target.prompt.number} · ` : ""}${ownSettings > 0 ? `${plural(ownSettings, "setting")} of its own` : "settings of the run"}`}
          >
            <div className="flex flex-col gap-3 pb-1">
              <TextField label="Label" hint="Distinguishes two targets of the same model." placeholder={target.model} maxLength={120} value={target.label} error={errorAt(errors, `${path}.label`)} onChange={(label) => onChange({ ...target, label })} />
              <Suspense><TargetSettings target={target} form={form} errors={errors} path={path} onChange={onChange} /></Suspense>
            </div>
          </Disclosure>
          {[errors[`${path}.provider_id`], errors[`${path}.model`]].map((message) => message && <FieldError key={message}>{message}</FieldError>)}
        </div>
        <div className="flex">
          <IconButton icon="copy" label={`Add ${target.label || target.model} once more, with other settings`} onClick={onTwin} />
          <IconButton icon="cross" label={`Remove ${target.label || target.model}`} onClick={onRemove} />
        </div>
      </div>
    </li>
  );
}
