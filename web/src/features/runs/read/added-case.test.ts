import { expect, test } from "vitest";
import { caseLine, withCase } from "./added-case";

const given = { id: "c", task_id: "sum", category: "arithmetic", question: "17 + 25?", metadata: { tags: ["hard"] } };

test("a case becomes a line with what is right, its category and its metadata", () => {
  expect(JSON.parse(caseLine(given, " 42 "))).toEqual({ id: "sum", prompt: "17 + 25?", expected_output: "42", metadata: { category: "arithmetic", tags: ["hard"] } });
  expect(JSON.parse(caseLine(given, ""))).not.toHaveProperty("expected_output");
});

test("a case is appended, and replaces one with its id", () => {
  const file = '{"id":"law","prompt":"?"}\n{"id":"sum","prompt":"old"}\n';
  expect(withCase(file, caseLine(given, "42")).trim().split("\n").map((line) => (JSON.parse(line) as { id: string; prompt: string }).prompt)).toEqual(["?", "17 + 25?"]);
});
