/** The settings of a preset: their names, bounds and defaults, as `EvaluationSettings` of the API has them. */

import type { EvaluationSettings } from "@/api/generated/config-api";

export type SettingName = keyof EvaluationSettings;

interface Setting {
  name: SettingName;
  label: string;
  hint: string;
  min: number;
  max: number;
  usual: number;
}

export const SETTINGS: readonly Setting[] = [
  { name: "max_concurrent_calls", label: "Calls at once", hint: "Of each model, 1 to 50.", min: 1, max: 50, usual: 10 },
  { name: "timeout_seconds", label: "Timeout in seconds", hint: "Of each call, 10 to 300.", min: 10, max: 300, usual: 60 },
  { name: "max_retries", label: "Retries", hint: "After the first attempt, 0 to 10.", min: 0, max: 10, usual: 3 },
  { name: "max_conversation_history", label: "Turns of a conversation", hint: "Earlier turns that are sent, 1 to 50.", min: 1, max: 50, usual: 10 },
  { name: "parallel_groups", label: "Models side by side", hint: "Of different hosted providers, 1 to 16.", min: 1, max: 16, usual: 1 },
];

export type SettingsForm = Record<SettingName, number | null>;

export const formOf = (settings: EvaluationSettings): SettingsForm =>
  Object.fromEntries(SETTINGS.map(({ name, usual }) => [name, settings[name] ?? usual])) as SettingsForm;

/** Return the faults of the form by setting. */
export function faultsOf(form: SettingsForm): Partial<Record<SettingName, string>> {
  const faulty = SETTINGS.filter(({ name, min, max }) => {
    const value = form[name];
    return value === null || value < min || value > max || (name !== "timeout_seconds" && !Number.isInteger(value));
  });
  return Object.fromEntries(faulty.map(({ name, min, max }) => [name, `Enter a ${name === "timeout_seconds" ? "number" : "whole number"} from ${min} to ${max}.`]));
}

export const toSettings = (form: SettingsForm): EvaluationSettings =>
  Object.fromEntries(SETTINGS.map(({ name, usual }) => [name, form[name] ?? usual]));

/** Return the settings that differ from the defaults, in words. */
export function settingWords(settings: EvaluationSettings): string {
  const changed = SETTINGS.filter(({ name, usual }) => (settings[name] ?? usual) !== usual);
  return changed.length === 0 ? "The defaults" : changed.map(({ name, label, usual }) => `${label}: ${settings[name] ?? usual}`).join(", ");
}
