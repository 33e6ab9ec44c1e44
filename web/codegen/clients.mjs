/**
 * Write the API client of a service with many features from `openapi/`: its types in one file, its endpoints in one file per tag.
 *
 * A type costs the browser nothing, so all are in `generated/<service>.ts`. An endpoint is code: a screen loads only
 * the tags that it imports from `generated/<service>/<tag>.ts`.
 */

import { generateEndpoints } from "@rtk-query/codegen-openapi";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SERVICES = { orchestrator: "orchestratorApi", "config-api": "configApi" };
const OUTPUT = new URL("../src/api/generated/", import.meta.url);

const fileOf = (tag) => tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/** Return the tags of a document, each once. */
function tagsOf(schemaFile) {
  const { paths } = JSON.parse(readFileSync(schemaFile, "utf8"));
  return [...new Set(Object.values(paths).flatMap((methods) => Object.values(methods).map(({ tags }) => tags[0])))];
}

/** Return the generated client in three parts: endpoints, types and hooks. */
function partsOf(text) {
  const types = text.search(/^export type /m);
  const hooks = text.search(/^export const \{/m);
  if (types < 0 || hooks < types) throw new Error("the generated client has another shape than expected");
  return { endpoints: text.slice(0, types), types: text.slice(types, hooks), hooks: text.slice(hooks) };
}

for (const [service, exportName] of Object.entries(SERVICES)) {
  const schemaFile = fileURLToPath(new URL(`../openapi/${service}.json`, import.meta.url));
  const generate = (filterEndpoints) =>
    generateEndpoints({
      schemaFile,
      filterEndpoints,
      apiFile: fileURLToPath(new URL("../src/api/base-api.ts", import.meta.url)),
      apiImport: "baseApi",
      exportName,
      hooks: true,
      tag: false,
      encodePathParams: true,
    });
  const folder = new URL(`${service}/`, OUTPUT);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });

  const whole = partsOf(await generate());
  writeFileSync(new URL(`${service}.ts`, OUTPUT), `// Types only: the endpoints are in ${service}/, a file per tag.\n\n${whole.types}`);
  for (const tag of tagsOf(schemaFile)) {
    const { endpoints, hooks } = partsOf(await generate((_name, { operation }) => operation.tags[0] === tag));
    const named = [...endpoints.matchAll(/build\.\w+<\s*(\w+),\s*(\w+)\s*>/g)].flatMap(([, response, arg]) => [response, arg]);
    const imported = `import type {\n${[...new Set(named)].map((name) => `  ${name},\n`).join("")}} from "../${service}";\n`;
    writeFileSync(new URL(`${fileOf(tag)}.ts`, folder), endpoints.replace(/^import .*\n/, `import { baseApi as api } from "../../base-api";\n${imported}\n`) + hooks);
  }
}
