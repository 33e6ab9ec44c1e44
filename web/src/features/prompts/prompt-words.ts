/** The words of prompts, and the conversion of typed defaults. */

import type { PromptVariable, VariableType } from "@/api/generated/config-api";

export const TYPE_LABELS: Record<VariableType, string> = { string: "Text", number: "Number", boolean: "Yes or no", list: "List" };

/** Return a default as the text of its field. */
export const defaultText = (value: unknown): string => (value == null ? "" : typeof value === "string" ? value : JSON.stringify(value));

/** Return the default that was typed. The server refuses a text that is not of the type. */
export function typedDefault(type: VariableType, text: string): unknown {
  if (text === "") return null;
  if (type === "string") return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Return the names that the templates use, also before they are complete. */
export function namesIn(...templates: string[]): Set<string> {
  return new Set(templates.flatMap((text) => [...text.matchAll(/\{\{[{&#^]?\s*([\w-]+)\s*\}/g)].map(([, name]) => name!)));
}

/** Return the variables that the templates still use: the server refuses others. */
export function usedOf(variables: readonly PromptVariable[], ...templates: string[]): PromptVariable[] {
  const names = namesIn(...templates);
  return variables.filter(({ name }) => names.has(name));
}
