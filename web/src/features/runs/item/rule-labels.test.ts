import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LABELS, ruleLabel } from "./rule-labels";

const page = readFileSync(new URL("../../../../../docs/how-to/extraction-rules.md", import.meta.url), "utf8");

test("the documentation has every rule in the words of the screen", () => {
  const documented = new Map([...page.matchAll(/^\| `(.+)` \| (.+) \|$/gm)].map(([, rule = "", label = ""]) => [rule, label]));
  expect(documented).toEqual(new Map(Object.entries(LABELS)));
});

test("a rule that is new is shown by its own word", () => {
  expect(ruleLabel("only")).toBe("Nothing but the letter");
  expect(ruleLabel("whole text without case")).toBe("Whole text without case");
});
