import { lazy, Suspense } from "react";
import { SamplingFields } from "@/components/SamplingFields";
import { errorAt } from "@/lib/form-errors";
import { loadCode } from "@/live/reach";
import { LimitsFields } from "./LimitsFields";
import type { RunForm, TargetForm } from "./run-form";

const PromptPicker = lazy(() => loadCode(async () => ({ default: (await import("@/components/PromptPicker")).PromptPicker })));

interface Props {
  target: TargetForm;
  form: RunForm;
  errors: Readonly<Record<string, string>>;
  /** The path of the target in the request: `targets.0`. */
  path: string;
  onChange: (target: TargetForm) => void;
}

/** The prompt, the parameters and the limits of a target, where they differ from those of the run. */
export function TargetSettings({ target, form, errors, path, onChange }: Props) {
  return (
    <>
      <Suspense><PromptPicker value={target.prompt} error={errorAt(errors, `${path}.prompt_version_id`)} onChange={(prompt) => onChange({ ...target, prompt })} /></Suspense>
      <SamplingFields value={target.sampling} onChange={(sampling) => onChange({ ...target, sampling })} errors={errors} path={`${path}.params`} inherited={form.sampling} />
      <LimitsFields value={target.limits} onChange={(limits) => onChange({ ...target, limits })} errors={errors} prefix={`${path}.`} inherited={form.limits} />
    </>
  );
}
