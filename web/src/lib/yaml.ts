/** Write a JSON value as YAML that every reader understands in the same way. */

type Json = unknown;

const PLAIN = /^[A-Za-z_][\w ./+-]*[\w./+-]$|^[A-Za-z_]$/;
/** Words that some readers take for a truth value, nothing or a number. */
const RESERVED = /^(true|false|yes|no|on|off|null|y|n|nan|inf)$/i;
/** Characters that readers refuse, or that change the order of what one sees. */
// eslint-disable-next-line no-control-regex, no-misleading-character-class
const INVISIBLE = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/g;
// eslint-disable-next-line no-control-regex
const BLOCK = /^[^\s#\u0000-\u001f][^\u0000-\u0009\u000b-\u001f]*$/;

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

function text(value: string): string {
  return PLAIN.test(value) && !RESERVED.test(value) ? value : JSON.stringify(value).replaceAll(INVISIBLE, escaped);
}

function scalar(value: Json): string {
  if (typeof value === "string") return text(value);
  // Some readers take 1e-7 for a text, because it has no point.
  if (typeof value === "number") return String(value).replace(/^(-?\d+)e/, "$1.0e");
  return JSON.stringify(value ?? null);
}

const isRecord = (value: Json): value is Record<string, Json> => typeof value === "object" && value !== null && !Array.isArray(value);
const isEmpty = (value: Json) => (Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0);

/** Return whether a text is written as lines of its own: it has several, and nothing that a reader would change. */
function isBlock(value: Json): value is string {
  return typeof value === "string" && value.includes("\n") && BLOCK.test(value) && value.search(INVISIBLE) === -1 && !/[ \t]\n|\s$/.test(value);
}

function lines(value: Json, indent: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((one) => {
      const [first = "", ...others] = entry("-", one, `${indent}  `, true);
      return [`${indent}${first}`, ...others];
    });
  }
  if (!isRecord(value)) return [`${indent}${scalar(value)}`];
  return Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .flatMap(([name, one]) => {
      const [first = "", ...others] = entry(`${text(name)}:`, one, `${indent}  `, false);
      return [`${indent}${first}`, ...others];
    });
}

/** Return the lines of a value behind `key: ` or `- `; the first has no indent of its own. */
function entry(lead: string, value: Json, indent: string, isItem: boolean): string[] {
  if (isBlock(value)) return [`${lead} |-`, ...value.split("\n").map((line) => (line === "" ? "" : `${indent}${line}`))];
  if (isEmpty(value)) return [`${lead} ${Array.isArray(value) ? "[]" : "{}"}`];
  if (typeof value !== "object" || value === null) return [`${lead} ${scalar(value)}`];
  const inner = lines(value, indent);
  if (!isItem) return [lead, ...inner];
  return [`${lead} ${inner[0]!.slice(indent.length)}`, ...inner.slice(1)];
}

export const toYaml = (value: Json): string => `${lines(value, "").join("\n")}\n`;
