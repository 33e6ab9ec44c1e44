/** The body that a JSON service is sent: placeholders in its texts, checked while it is typed. */

import type { OptionOut } from "@/api/generated/config-api";

/** The option that holds it. */
const REQUEST = "request";
const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** One of these is where the question goes. */
const QUESTIONS = ["question", "messages"];

/** The placeholders that there are, as the option's own description names them; none where it is no template. */
export const placeholdersFor = ({ name, kind, description }: OptionOut): string[] => (name === REQUEST && kind === "object" ? namesIn(description) : []);

const namesIn = (text: string): string[] => [...text.matchAll(PLACEHOLDER)].map((found) => found[1] ?? "");

/** Return the distinct placeholders in all strings of a template. */
export function placeholdersOf(template: unknown): string[] {
  if (typeof template === "string") return [...new Set(namesIn(template))];
  if (typeof template !== "object" || template === null) return [];
  return [...new Set(Object.values(template).flatMap(placeholdersOf))];
}

function fieldNames(template: unknown): string[] {
  if (typeof template !== "object" || template === null) return [];
  const inner = Object.values(template).flatMap(fieldNames);
  return Array.isArray(template) ? inner : [...Object.keys(template), ...inner];
}

/** Return why the service would refuse a template; null if it is valid. */
export function templateFault(template: unknown, known: readonly string[]): string | null {
  const named = fieldNames(template).find((name) => namesIn(name).length > 0);
  if (named !== undefined) return `Placeholders stand in values; “${named}” is the name of a field.`;
  const used = placeholdersOf(template);
  const unknown = used.find((name) => !known.includes(name));
  if (unknown !== undefined) return `{{${unknown}}} does not exist. Those are ${known.join(", ")}.`;
  if (!used.some((name) => QUESTIONS.includes(name))) return `It has no place for the question: ${QUESTIONS.map((name) => `{{${name}}}`).join(" or ")}.`;
  return null;
}
