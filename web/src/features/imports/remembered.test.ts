// @vitest-environment jsdom
import { beforeEach, expect, test } from "vitest";
import { session } from "@/lib/rights";
import { rememberedMapping, rememberMapping } from "./remembered";

beforeEach(() => localStorage.clear());

test("a mapping is found again by the header, in any order of its columns, and forgotten when it is empty", () => {
  rememberMapping(["Frage", "Antwort"], new Map([["Antwort", "expected_output"]]));
  expect(rememberedMapping(["Antwort", "Frage"])).toEqual(new Map([["Antwort", "expected_output"]]));
  expect(rememberedMapping(["Antwort"])).toBeNull();
  rememberMapping(["Antwort", "Frage"], new Map());
  expect(rememberedMapping(["Antwort", "Frage"])).toBeNull();
});

test("each organisation has its own, at most thirty are kept, and what is broken is nothing", () => {
  for (let index = 0; index < 40; index += 1) rememberMapping([`c${index}`], new Map([[`c${index}`, "prompt"]]));
  expect(rememberedMapping(["c9"])).toBeNull();
  expect(rememberedMapping(["c39"])).not.toBeNull();
  session.set({ auth: "on", organisation: { id: "other", name: "Other", slug: "other" } } as never);
  expect(rememberedMapping(["c39"])).toBeNull();
  session.set(null);
  localStorage.setItem("llmbench.mappings.", '[{"header": 7}, null]');
  expect(rememberedMapping(["c39"])).toBeNull();
  localStorage.setItem("llmbench.mappings.", "{");
  expect(rememberedMapping(["c39"])).toBeNull();
});
