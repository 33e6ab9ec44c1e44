/** The form of a model's sampling parameters, and its conversion to a request. */

import type { SamplingParams } from "@/api/generated/orchestrator";
import type { Pair } from "@/components/KeyValueEditor";

/** `null` and empty values inherit from the run or the provider. */
export interface SamplingForm {
  temperature: number | null;
  topP: number | null;
  maxTokens: number | null;
  seed: number | null;
  stop: string[];
  systemPrompt: string;
  options: Pair[];
}

export const NOTHING_SAID: SamplingForm = { temperature: null, topP: null, maxTokens: null, seed: null, stop: [], systemPrompt: "", options: [] };

export function samplingOf(params: SamplingParams): SamplingForm {
  return {
    temperature: params.temperature ?? null,
    topP: params.top_p ?? null,
    maxTokens: params.max_tokens ?? null,
    seed: params.seed ?? null,
    stop: params.stop ?? [],
    systemPrompt: params.system_prompt ?? "",
    options: Object.entries(params.options ?? {}).map(([key, value]) => ({ key, value: typeof value === "string" ? value : JSON.stringify(value) })),
  };
}

/** Return the option's value as JSON if it is valid (`40`, `true`, `{"a": 1}`), else as text. */
function optionValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export function toParams(form: SamplingForm): SamplingParams {
  const options = form.options.filter((one) => one.key.trim() !== "");
  return {
    ...(form.temperature !== null && { temperature: form.temperature }),
    ...(form.topP !== null && { top_p: form.topP }),
    ...(form.maxTokens !== null && { max_tokens: form.maxTokens }),
    ...(form.seed !== null && { seed: form.seed }),
    ...(form.stop.length > 0 && { stop: form.stop }),
    ...(form.systemPrompt.trim() !== "" && { system_prompt: form.systemPrompt }),
    ...(options.length > 0 && { options: Object.fromEntries(options.map((one) => [one.key.trim(), optionValue(one.value)])) }),
  };
}
