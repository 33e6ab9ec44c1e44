/** Write `src/api/generated/run-events.ts`: zod schemas of a run's events, from docs/generated/schemas. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const SCHEMAS = new URL("../../docs/generated/schemas/", import.meta.url);
const OUTPUT = new URL("../src/api/generated/run-events.ts", import.meta.url);

const events = readdirSync(SCHEMAS)
  .filter((name) => name.startsWith("llmbench.run."))
  .toSorted()
  .map((name) => JSON.parse(readFileSync(new URL(name, SCHEMAS), "utf8")));

const identifier = (title) => title.charAt(0).toLowerCase() + title.slice(1);

/** Return the zod expression of a JSON Schema, and note the definitions that it refers to. */
function expression(schema, refer) {
  if (schema.$ref) return refer(schema.$ref.replace("#/$defs/", ""));
  if (schema.const !== undefined) return `z.literal(${JSON.stringify(schema.const)})`;
  if (schema.enum) return `z.enum(${JSON.stringify(schema.enum)})`;
  if (schema.anyOf) {
    const [some, ...others] = schema.anyOf.filter(({ type }) => type !== "null");
    if (!some || others.length > 0 || schema.anyOf.length !== 2) throw new Error(`only "or null" is known: ${JSON.stringify(schema)}`);
    return `z.nullable(${expression(some, refer)})`;
  }
  switch (schema.type) {
    case "string":
      return "z.string()";
    case "boolean":
      return "z.boolean()";
    case "integer":
    case "number":
      return "z.number()";
    case "array":
      return `z.array(${expression(schema.items, refer)})`;
    case "object":
      return object(schema, refer);
    default:
      throw new Error(`this kind of schema is not known: ${JSON.stringify(schema)}`);
  }
}

function object({ properties = {}, required = [] }, refer) {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const written = expression(schema, refer);
    // Constants are required, because they discriminate the events; other properties with a default may be missing.
    return `  ${name}: ${required.includes(name) || schema.const !== undefined ? written : `z.optional(${written})`},`;
  });
  return ["z.object({", ...fields, "})"].join("\n");
}

/** Return the definitions of all events, each after those it refers to. */
const written = new Map();
function define(name, definitions) {
  if (written.has(name)) return;
  const schema = definitions[name];
  if (!schema) throw new Error(`there is no definition ${name}`);
  const text = expression(schema, (other) => {
    define(other, definitions);
    return identifier(other);
  });
  written.set(name, `const ${identifier(name)} = ${text};`);
}

const members = events.map((event) => {
  const name = event.title;
  define(name, { ...event.$defs, [name]: event });
  return identifier(name);
});
const topics = events.map((event) => event["x-subject"].split(".").at(-1));

writeFileSync(
  OUTPUT,
  `// Made by codegen/run-events.mjs from docs/generated/schemas; \`make gen\` writes it anew.

import * as z from "zod/mini";

// Compiled parsers need \`new Function\`, which the Content-Security-Policy forbids.
z.config({ jitless: true });

/** The last parts of \`/topic/run/{runId}/…\`. */
export const RUN_TOPICS = ${JSON.stringify(topics)} as const;

${[...written.values()].join("\n\n")}

export const runEvent = z.discriminatedUnion("type", [${members.join(", ")}]);
`,
);
