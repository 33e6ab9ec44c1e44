import { expect, test } from "vitest";
import { priceSentence } from "./priced-ceiling";
import { emptyForm, newTarget, NO_LIMITS } from "./run-form";
import { NOTHING_SAID } from "@/lib/sampling-form";

const providers = [{ id: "p", prices: [{ model: "a", input_usd_per_million: 1, output_usd_per_million: 10 }, { model: "b", input_usd_per_million: 1, output_usd_per_million: 2 }] }];
const [a, b, free] = [newTarget("p", "a", "1"), newTarget("p", "b", "2"), newTarget("q", "free", "3")];

test("with token limits the cost of the answers has an upper bound", () => {
  const form = { ...emptyForm(), sampling: { ...NOTHING_SAID, maxTokens: 500 } };
  // 20 tasks × 500 tokens × $10 per million.
  expect(priceSentence(form, 20, [a], providers)).toBe("By your prices and the token limits, the answers of this model cost at most $0.10. The prompts come on top.");
  const longer = { ...b, sampling: { ...NOTHING_SAID, maxTokens: 1000 } };
  expect(priceSentence(form, 20, [a, longer, free], providers)).toContain("the answers of 2 models that have not run here cost at most $0.14");
});

test("without a limit the cost is that of so many tokens", () => {
  const form = { ...emptyForm(), limits: { ...NO_LIMITS, epochs: 2 } };
  expect(priceSentence(form, 10, [b, free], providers)).toBe("By your prices, the answers of 1 model that has not run here cost $0.0400 for each 1,000 tokens of an answer. The prompts come on top.");
});

test("nothing is said without a price or a task", () => {
  expect(priceSentence(emptyForm(), 10, [free], providers)).toBeNull();
  expect(priceSentence(emptyForm(), 0, [a], providers)).toBeNull();
});
