/**
 * Derive form fields from the JSON Schema of an evaluator's parameters. A parameter without a matching field is edited
 * as JSON.
 */

export type ParamField =
  | { kind: "flag"; value: boolean }
  | { kind: "choice"; options: readonly string[]; value: string }
  /** True, false or not set. */
  | { kind: "maybe" }
  | { kind: "number"; integer: boolean; min: number | undefined; max: number | undefined; value: number | null }
  | { kind: "text"; maxLength: number | undefined; value: string }
  /** A list of texts with a maximum length. */
  | { kind: "texts"; most: number | undefined }
  /** Any of the given words. */
  | { kind: "words"; options: readonly string[] }
  /** A fixed number of texts, each with its position. */
  | { kind: "places"; count: number }
  /** Names with a number each. */
  | { kind: "numbers" }
  | { kind: "json" };

export interface Param {
  name: string;
  label: string;
  hint: string | undefined;
  required: boolean;
  /** The default is empty or null, so the parameter can be left out. */
  isExtra: boolean;
  field: ParamField;
}

/** The supported subset of JSON Schema. */
interface Schema {
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  title?: string;
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  maxLength?: number;
  maxItems?: number;
}

export function paramsOf(schema: Readonly<Record<string, unknown>>): Param[] {
  const { properties = {}, required = [] } = schema as Schema;
  return Object.entries(properties).map(([name, one]) => ({
    name,
    label: labelOf(one.title ?? name),
    hint: one.description?.replaceAll(/`([^`]+)`/g, "“$1”"),
    required: required.includes(name),
    isExtra: "default" in one && isNothing(one.default),
    field: fieldOf(one),
  }));
}

const isNothing = (value: unknown) => value === null || value === "" || (Array.isArray(value) && value.length === 0);

const SPELT: Readonly<Record<string, string>> = { usd: "US dollars", ms: "ms", json: "JSON", abs: "absolute", rel: "relative" };

/** `Max Usd` is “Max US dollars”. */
function labelOf(title: string): string {
  const words = title.toLowerCase().split(/[\s_]+/).map((word) => SPELT[word] ?? word);
  return words.join(" ").replace(/^./, (letter) => letter.toUpperCase());
}

function fieldOf(schema: Schema): ParamField {
  const optional = schema.anyOf?.filter((one) => one.type !== "null");
  if (optional?.length === 1 && optional[0]) {
    const inner = optional[0];
    return inner.type === "boolean" ? { kind: "maybe" } : fieldOf({ ...inner, default: schema.default });
  }
  switch (schema.type) {
    case "boolean":
      return { kind: "flag", value: schema.default === true };
    case "integer":
    case "number":
      return {
        kind: "number",
        integer: schema.type === "integer",
        min: schema.minimum ?? schema.exclusiveMinimum,
        max: schema.maximum,
        value: typeof schema.default === "number" ? schema.default : null,
      };
    case "string":
      return textField(schema);
    case "array":
      return listField(schema);
    case "object":
      return typeof schema.additionalProperties === "object" && ["number", "integer"].includes(schema.additionalProperties.type ?? "") ? { kind: "numbers" } : { kind: "json" };
    default:
      return { kind: "json" };
  }
}

const isText = (value: unknown): value is string => typeof value === "string";

function textField(schema: Schema): ParamField {
  const value = isText(schema.default) ? schema.default : "";
  return schema.enum?.every(isText) ? { kind: "choice", options: schema.enum, value } : { kind: "text", maxLength: schema.maxLength, value };
}

function listField(schema: Schema): ParamField {
  if (schema.prefixItems?.every((one) => one.type === "string")) return { kind: "places", count: schema.prefixItems.length };
  if (schema.items?.type !== "string") return { kind: "json" };
  return schema.items.enum?.every(isText) ? { kind: "words", options: schema.items.enum } : { kind: "texts", most: schema.maxItems };
}

/** Return the parameters with one changed; an empty value is omitted, so that the default applies. */
export function withParam(params: Readonly<Record<string, unknown>>, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _, ...others } = params;
  return value === undefined || isNothing(value) ? others : { ...others, [name]: value };
}

/** Return the differences from the defaults as one line: `Threshold 0.9, ignore case`. */
export function paramsInWords(params: readonly Param[], values: Readonly<Record<string, unknown>>): string {
  return params.flatMap(({ name, label, field }) => wordsOf(label, field, values[name])).join(", ");
}

function wordsOf(label: string, field: ParamField, value: unknown): string[] {
  if (value === undefined || isNothing(value)) return [];
  if ("value" in field && field.value === value) return [];
  if (typeof value === "boolean") return [value ? label : `not ${label.toLowerCase()}`];
  if (typeof value === "number" || (isText(value) && value.length <= 40)) return [`${label} ${value}`];
  return [Array.isArray(value) ? `${label} (${value.length})` : label];
}
