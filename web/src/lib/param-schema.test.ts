import { expect, test } from "vitest";
import { paramsInWords, paramsOf, withParam } from "./param-schema";

const schema = {
  type: "object",
  required: ["pattern"],
  properties: {
    references: { type: "array", items: { type: "string", maxLength: 20 }, maxItems: 50, default: [], title: "References", description: "Right answers." },
    threshold: { type: "number", minimum: 0, maximum: 1, default: 0.8, title: "Threshold" },
    method: { type: "string", enum: ["ratio", "partial"], default: "ratio", title: "Method" },
    ignore_case: { type: "boolean", default: true, title: "Ignore Case" },
    pattern: { type: "string", maxLength: 2000, title: "Pattern" },
    pass_mark: { anyOf: [{ type: "number", minimum: 0, maximum: 1 }, { type: "null" }], default: null, title: "Pass Mark" },
    required: { anyOf: [{ type: "boolean" }, { type: "null" }], default: null, title: "Required" },
    anchors: { anyOf: [{ type: "array", prefixItems: [{ type: "string" }, { type: "string" }] }, { type: "null" }], default: null, title: "Anchors" },
    shows: { type: "array", items: { type: "string", enum: ["context", "reference"] }, default: [], title: "Shows" },
    units: { type: "object", additionalProperties: { type: "number", exclusiveMinimum: 0 }, title: "Units" },
    json_schema: { type: "object", additionalProperties: true, title: "Json Schema" },
    max_usd: { type: "number", title: "Max Usd" },
    else: { oneOf: [{ type: "string" }, { type: "number" }], title: "Else" },
  },
};

test("every shape of a parameter has its field", () => {
  const fields = Object.fromEntries(paramsOf(schema).map((one) => [one.name, one.field]));
  expect(fields).toEqual({
    references: { kind: "texts", most: 50 },
    threshold: { kind: "number", integer: false, min: 0, max: 1, value: 0.8 },
    method: { kind: "choice", options: ["ratio", "partial"], value: "ratio" },
    ignore_case: { kind: "flag", value: true },
    pattern: { kind: "text", maxLength: 2000, value: "" },
    pass_mark: { kind: "number", integer: false, min: 0, max: 1, value: null },
    required: { kind: "maybe" },
    anchors: { kind: "places", count: 2 },
    shows: { kind: "words", options: ["context", "reference"] },
    units: { kind: "numbers" },
    json_schema: { kind: "json" },
    max_usd: { kind: "number", integer: false, min: undefined, max: undefined, value: null },
    else: { kind: "json" },
  });
});

test("labels are sentences, and what works without is told from the rest", () => {
  const params = paramsOf(schema);
  expect(params.map((one) => one.label)).toContain("Max US dollars");
  expect(params.filter((one) => one.required).map((one) => one.name)).toEqual(["pattern"]);
  expect(params.filter((one) => one.isExtra).map((one) => one.name)).toEqual(["references", "pass_mark", "required", "anchors", "shows"]);
});

test("a schema without properties has no field", () => {
  expect(paramsOf({})).toEqual([]);
});

test("what says nothing is not sent, and what differs is said", () => {
  expect(withParam({ threshold: 0.9, method: "ratio" }, "threshold", null)).toEqual({ method: "ratio" });
  expect(withParam({}, "references", [])).toEqual({});
  expect(withParam({}, "ignore_case", false)).toEqual({ ignore_case: false });
  expect(paramsInWords(paramsOf(schema), { threshold: 0.9, method: "ratio", ignore_case: false, references: ["a", "b"] })).toBe("References (2), Threshold 0.9, not ignore case");
});
