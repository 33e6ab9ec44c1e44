/** A provider as it is being written down, and what becomes of it: a request, what is missing. */

import type { HeaderIn, ProviderIn, ProviderOut, ProviderTestIn, ProviderTypeOut } from "@/api/generated/config-api";
import { uniqueKey } from "@/lib/unique-key";
import { optionDrafts, readOption, type OptionDraft } from "./option-draft";

export interface HeaderDraft {
  /** The React key. */
  id: string;
  name: string;
  value: string;
  isSecret: boolean;
  /** The stored secret that stays while no value is given. Its last characters are known at most. */
  kept: { name: string; hint: string | null } | null;
}

export interface PriceDraft {
  id: string;
  model: string;
  input: number | null;
  output: number | null;
}

export interface ProviderDraft {
  name: string;
  type: string;
  baseUrl: string;
  modelsEndpoint: string;
  inferenceEndpoint: string;
  headers: HeaderDraft[];
  options: OptionDraft[];
  prices: PriceDraft[];
}

const header = (name: string, isSecret: boolean): HeaderDraft => ({ id: uniqueKey(), name, value: "", isSecret, kept: null });
export const newHeader = () => header("", false);
export const newPrice = (): PriceDraft => ({ id: uniqueKey(), model: "", input: null, output: null });

export function emptyDraft(type: ProviderTypeOut): ProviderDraft {
  return { name: "", type: type.type, baseUrl: type.base_url ?? "", modelsEndpoint: "", inferenceEndpoint: "", headers: [], options: [], prices: [] };
}

const unlessUsual = (path: string, usual: string | undefined) => (path === usual ? "" : path);

/** Endpoints that are the type's own stay unsaid, so that they go along with the type and the URL. */
export function draftOf(provider: ProviderOut, type: ProviderTypeOut | undefined): ProviderDraft {
  return {
    name: provider.name,
    type: provider.type,
    baseUrl: provider.base_url,
    modelsEndpoint: unlessUsual(provider.models_endpoint, type?.models_endpoint),
    inferenceEndpoint: unlessUsual(provider.inference_endpoint, type?.inference_endpoint),
    headers: provider.headers.map((one) => ({
      id: uniqueKey(),
      name: one.header_key,
      value: one.header_value ?? "",
      isSecret: one.is_secret,
      kept: one.is_secret ? { name: one.header_key, hint: one.hint } : null,
    })),
    options: optionDrafts(provider.options, type?.options ?? []),
    prices: provider.prices.map((one) => ({ id: uniqueKey(), model: one.model, input: one.input_usd_per_million, output: one.output_usd_per_million })),
  };
}

const sameName = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

/** The stored secret stays: its name is still there, and no other value was given. */
export function isKept(one: HeaderDraft): boolean {
  return one.kept !== null && one.isSecret && one.value === "" && sameName(one.name, one.kept.name);
}

/** The header that carries the key of this type, shown as a field of its own. */
export function keyHeader(draft: ProviderDraft, type: ProviderTypeOut): HeaderDraft | undefined {
  const name = type.secret_header;
  return name === null ? undefined : draft.headers.find((one) => one.isSecret && sameName(one.name, name));
}

/** Another key; without one the header goes. */
export function withKey(draft: ProviderDraft, type: ProviderTypeOut, value: string): ProviderDraft {
  const there = keyHeader(draft, type);
  if (there) return withHeader(draft, value === "" && there.kept === null ? null : { ...there, value }, there.id);
  return value === "" ? draft : { ...draft, headers: [{ ...header(type.secret_header ?? "", true), value }, ...draft.headers] };
}

export function withHeader(draft: ProviderDraft, next: HeaderDraft | null, id: string): ProviderDraft {
  return { ...draft, headers: draft.headers.flatMap((one) => (one.id === id ? (next ?? []) : one)) };
}

/** Replace the previous type's defaults by the next type's; typed values stay. */
export function withType(draft: ProviderDraft, from: ProviderTypeOut, to: ProviderTypeOut): ProviderDraft {
  const typedKey = keyHeader(draft, from);
  const moved = typedKey && typedKey.kept === null && to.secret_header ? withHeader(draft, { ...typedKey, name: to.secret_header }, typedKey.id) : draft;
  const untouched = draft.baseUrl.trim() === "" || draft.baseUrl === from.base_url;
  return { ...moved, type: to.type, baseUrl: untouched ? (to.base_url ?? "") : draft.baseUrl };
}

const BLANK = /^\s*$/;
const isBlank = (one: HeaderDraft) => BLANK.test(one.name) && BLANK.test(one.value);
const isUnpriced = (one: PriceDraft) => BLANK.test(one.model) && one.input === null && one.output === null;
const isUnset = (one: OptionDraft) => BLANK.test(one.name) && BLANK.test(one.text);

export const sentHeaders = (draft: ProviderDraft) => draft.headers.filter((one) => !isBlank(one));
export const sentPrices = (draft: ProviderDraft) => draft.prices.filter((one) => !isUnpriced(one));
export const sentOptions = (draft: ProviderDraft) => draft.options.filter((one) => !isUnset(one));

function headerIn(one: HeaderDraft, type: ProviderTypeOut): HeaderIn {
  const header_key = one.name.trim();
  if (isKept(one)) return { header_key, is_secret: true };
  const value = one.value.trim();
  // People have the key at hand, not the scheme before it. A key with a blank brings its own scheme.
  const isBareKey = one.isSecret && type.secret_header !== null && sameName(one.name, type.secret_header) && !/\s/.test(value);
  const header_value = value === "" ? null : isBareKey ? type.secret_prefix + value : value;
  return { header_key, is_secret: one.isSecret, header_value };
}

const said = (text: string) => (BLANK.test(text) ? null : text.trim());

function toConnection(draft: ProviderDraft, type: ProviderTypeOut): Omit<ProviderTestIn, "id" | "name"> {
  return {
    type: draft.type,
    base_url: said(draft.baseUrl),
    models_endpoint: said(draft.modelsEndpoint),
    inference_endpoint: said(draft.inferenceEndpoint),
    headers: sentHeaders(draft).map((one) => headerIn(one, type)),
    options: Object.fromEntries(sentOptions(draft).map((one) => [one.name.trim(), readOption(one, type.options).value])),
  };
}

export function toProvider(draft: ProviderDraft, type: ProviderTypeOut): ProviderIn {
  const prices = sentPrices(draft).map((one) => ({ model: one.model.trim(), input_usd_per_million: one.input ?? 0, output_usd_per_million: one.output ?? 0 }));
  return { name: draft.name.trim(), ...toConnection(draft, type), prices };
}

export function toTest(draft: ProviderDraft, type: ProviderTypeOut, id: string | null): ProviderTestIn {
  return { ...toConnection(draft, type), ...(id !== null && { id }), ...(!BLANK.test(draft.name) && { name: draft.name.trim() }) };
}

/** Return the missing required fields, keyed by the path of the field that shows the message. */
export function missing(draft: ProviderDraft, type: ProviderTypeOut): Record<string, string> {
  const found: Record<string, string> = missingToTest(draft, type);
  if (BLANK.test(draft.name)) found.name = "Enter a name; runs show it.";
  for (const [index, one] of sentPrices(draft).entries()) {
    if (BLANK.test(one.model)) found[`prices.${index}.model`] = "Enter the model.";
    if (one.input === null) found[`prices.${index}.input_usd_per_million`] = "Enter a price; 0 is allowed.";
    if (one.output === null) found[`prices.${index}.output_usd_per_million`] = "Enter a price; 0 is allowed.";
  }
  return found;
}

export function missingToTest(draft: ProviderDraft, type: ProviderTypeOut): Record<string, string> {
  const found: Record<string, string> = {};
  if (BLANK.test(draft.baseUrl) && type.base_url === null) found.base_url = `Enter the address, for example ${type.base_url_example}.`;
  for (const [index, one] of sentHeaders(draft).entries()) {
    if (BLANK.test(one.name)) found[`headers.${index}.header_key`] = "Enter the name of the header.";
    if (!isKept(one) && BLANK.test(one.value)) found[`headers.${index}.header_value`] = one.kept ? "A renamed or shown header needs its value again." : "Give it a value, or remove the header.";
  }
  const names = sentOptions(draft).map((one) => one.name.trim());
  for (const one of sentOptions(draft)) {
    const name = one.name.trim();
    const fault = name === "" ? "Enter the name of the option." : names.filter((other) => other === name).length > 1 ? "This option is there twice." : readOption(one, type.options).fault;
    if (fault) found[`options.${name}`] = fault;
  }
  return found;
}
