/** A provider's options as people type them: text where text is meant, JSON where it is some. */

import type { OptionOut } from "@/api/generated/config-api";
import { uniqueKey } from "@/lib/unique-key";

export interface OptionDraft {
  /** The React key. */
  id: string;
  name: string;
  text: string;
}

export interface ReadOption {
  value: unknown;
  /** The type in words: `number`, `text`, `list` … */
  kind: string;
  fault?: string;
}

/** The usual causes of invalid JSON. */
export const BROKEN = "look for a missing bracket, quote or comma.";

/** Undefined for what is no JSON. */
export function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

export function kindOf(value: unknown): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "list";
  return typeof value === "string" ? "text" : typeof value;
}

/** `list of texts` and `boolean or text` allow what their words say; without words everything is allowed. */
function allows(kind: string | undefined, found: string): boolean {
  return kind === undefined || kind.split(" or ").some((one) => one.startsWith(found));
}

/** The value that is meant. A text that looks like JSON is text only where the option can be nothing else, or in quotes. */
export function readOption(draft: OptionDraft, known: readonly OptionOut[]): ReadOption {
  const kind = known.find((one) => one.name === draft.name.trim())?.kind;
  const text = draft.text.trim();
  if (text === "") return { value: "", kind: "text", fault: "Give it a value, or remove the option." };
  if (kind === "text" && !/^".*"$/s.test(text)) return { value: text, kind: "text" };
  const json = parsed(text);
  if (!json && /^[[{"]/.test(text)) return { value: text, kind: "text", fault: `This is not valid JSON: ${BROKEN}` };
  const value = json ? json.value : text;
  const found = kindOf(value);
  return allows(kind, found) ? { value, kind: found } : { value, kind: found, fault: `It has to be a ${kind}, as in ${JSON.stringify(known.find((one) => one.name === draft.name.trim())?.example)}.` };
}

/**
 * Return a value as the text to edit: strings without quotes, unless they would be read as another type; objects on
 * several lines.
 */
export function textOf(value: unknown, name: string, known: readonly OptionOut[]): string {
  if (typeof value !== "string") return JSON.stringify(value, null, kindOf(value) === "object" ? 2 : undefined);
  const bare: OptionDraft = { id: "", name, text: value };
  const read = readOption(bare, known);
  return read.value === value && read.fault === undefined ? value : JSON.stringify(value);
}

export function optionDrafts(options: Readonly<Record<string, unknown>>, known: readonly OptionOut[]): OptionDraft[] {
  return Object.entries(options).map(([name, value]) => ({ id: uniqueKey(), name, text: textOf(value, name, known) }));
}

export function newOption(name = "", text = ""): OptionDraft {
  return { id: uniqueKey(), name, text };
}
