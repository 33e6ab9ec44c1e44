import { expect, test } from "vitest";
import { itemDetail, itemRow } from "@/testing/samples";
import { toolCallsOf, traceOf } from "./trace";

test("a call is told from its request to its scores, with times where they were recorded", () => {
  const item = itemDetail(itemRow(0, { attempts: 2 }), { timings: { total_ms: 900, first_token_ms: 200, first_content_ms: 600 }, reasoning: "Let me think.", notes: ["temperature was left out"], request: {}, scores: [] });
  const steps = traceOf(item);
  expect(steps.map((one) => one.atMs)).toEqual([null, 0, 200, null, 600, 900, null]);
  expect(steps[0]?.what).toBe("1 earlier attempt failed");
  expect(steps.at(-1)?.what).toBe("temperature was left out");
});

test("tool calls are read from any response, and a hostile one has none", () => {
  expect(toolCallsOf({ choices: [{ message: { tool_calls: [{ function: { name: "add", arguments: "{\"a\":1}" } }] } }] })).toEqual([{ name: "add", args: "{\"a\":1}" }]);
  for (const odd of [null, 7, { choices: 3 }, { choices: [null] }, { choices: [{ message: { tool_calls: [5, { function: {} }] } }] }]) expect(toolCallsOf(odd)).toEqual([]);
});
