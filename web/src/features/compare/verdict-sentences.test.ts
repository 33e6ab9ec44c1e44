import { expect, test } from "vitest";
import type { ComparedColumn } from "@/api/generated/orchestrator";
import { noFigures } from "@/testing/samples";
import { costSentence } from "./verdict-sentences";

const column = (cost_usd: number | null, priced: number, cached = 0) => ({ figures: { ...noFigures, cost_usd, priced, cached, timed: 4 - cached } }) as unknown as ComparedColumn;

test("the cost of an answer is that of the answers that were paid for", () => {
  expect(costSentence(column(0.2, 4), column(0.1, 4))).toBe("An answer costs $0.0500 instead of $0.0250 (2.0 ×).");
  expect(costSentence(column(0.1, 2, 2), column(0.2, 4))).toBe("Both cost $0.0500 an answer.");
  expect(costSentence(column(0.288, 24), column(0.36, 30))).toBe("Both cost $0.0120 an answer.");
  expect(costSentence(column(0, 0, 4), column(0.2, 4))).toBe("Its answers came from the cache and cost nothing here; the baseline’s cost $0.0500 each.");
  expect(costSentence(column(0, 0, 4), column(null, 0))).toBeNull();
  expect(costSentence(column(0, 4), column(0, 4))).toBe("Neither costs anything.");
});
