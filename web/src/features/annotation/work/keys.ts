/** The keys with which people label: pure functions from a field, its label and a key to the next label. */

import type { Field } from "@/api/generated/config-api";
import { choicesOf } from "../words";

const MOST_KEYS = 10;

/** A scale of single digits has its own digits as keys; other choices are numbered from 1, and the tenth is 0. */
const hasOwnDigits = ({ scale }: Field) => scale != null && scale.min >= 0 && scale.max <= 9;

/** Return the key of a choice; `null` for those after the tenth. */
export function keyOf(field: Field, place: number): string | null {
  if (field.scale && hasOwnDigits(field)) return String(field.scale.min + place);
  return place < MOST_KEYS ? String((place + 1) % MOST_KEYS) : null;
}

/** Return the label after a key; `undefined` if the key means nothing for this field. */
export function labelAfter(field: Field, label: unknown, key: string): unknown {
  const choices = choicesOf(field);
  const chosen = choices.find((_, place) => keyOf(field, place) === key);
  if (field.type === "text" || field.type === "spans") return undefined;
  if (chosen) return choose(field, label, chosen.value);
  if (field.type === "ranking") return key === "Backspace" && Array.isArray(label) ? label.slice(0, -1) : undefined;
  const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  if (step === 0 || field.multiple) return undefined;
  const at = choices.findIndex(({ value }) => value === label);
  // Without a label the first step chooses the nearest end.
  return choices[at < 0 ? (step > 0 ? 0 : choices.length - 1) : (at + step + choices.length) % choices.length]?.value;
}

/** Return the label after a choice was pressed: chosen, added to the ranking, or taken back. */
export function choose(field: Field, label: unknown, value: string | number): unknown {
  if (field.type !== "ranking" && !field.multiple) return value;
  const list: readonly unknown[] = Array.isArray(label) ? label : [];
  return list.includes(value) ? list.filter((one) => one !== value) : [...list, value];
}
