import { expect, test } from "vitest";
import { azureType, ollamaType } from "@/testing/config-samples";
import { newOption, optionDrafts, readOption } from "./option-draft";

const known = [...azureType.options, ...ollamaType.options];
const read = (name: string, text: string) => readOption(newOption(name, text), known);

test("text is text where the option can be nothing else", () => {
  expect(read("api_version", "2024")).toEqual({ value: "2024", kind: "text" });
  expect(read("api_version", '"2024"').value).toBe("2024");
  expect(read("keep_alive", "10m").value).toBe("10m");
  expect(read("keep_alive", "-1").value).toBe(-1);
});

test("the rest is JSON", () => {
  expect(read("deployments", '["a"]').value).toEqual(["a"]);
  expect(read("unknown", "true").value).toBe(true);
  expect(read("unknown", "fast").value).toBe("fast");
});

test("what the option cannot be is said", () => {
  expect(read("num_ctx", "many").fault).toBe("It has to be a number, as in 8192.");
  expect(read("deployments", "a, b").fault).toMatch(/list of texts/);
  expect(read("unknown", "{a").fault).toMatch(/not valid JSON/);
  expect(read("num_ctx", " ").fault).toMatch(/value/);
});

test("what is stored comes back as it was", () => {
  const options = { num_ctx: 4096, keep_alive: "10", api_version: "2024", deployments: ["a", "b"], on: true, word: "fast", number_as_text: "40", quoted: '"x"' };
  const back = Object.fromEntries(optionDrafts(options, known).map((one) => [one.name, readOption(one, known).value]));
  expect(back).toEqual(options);
});
