import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ItemExcerpt } from "@/api/generated/orchestrator";
import { Excerpts } from "./excerpts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const excerpt = (id: string): ItemExcerpt => ({ id, question: `Question ${id}`, answer: null, expected: null, tags: [], scores: [] });

test("rows on screen are fetched together, once for each state, and never those that left it", async () => {
  const asked: string[][] = [];
  const excerpts = new Excerpts(async (ids) => {
    asked.push(ids);
    return ids.map(excerpt);
  });
  excerpts.want("a", "NEW");
  const withdraw = excerpts.want("b", "NEW");
  excerpts.want("c", "NEW");
  withdraw();
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual([["a", "c"]]);
  expect(excerpts.rows.get("c")?.question).toBe("Question c");
  excerpts.want("a", "NEW");
  excerpts.want("a", "COMPLETED");
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual([["a", "c"], ["a"]]);
});

test("a request that failed is made again for the next wish", async () => {
  let fails = true;
  const excerpts = new Excerpts(async (ids) => {
    if (fails) throw new Error("away");
    return ids.map(excerpt);
  });
  excerpts.want("a", "NEW");
  await vi.advanceTimersByTimeAsync(1000);
  fails = false;
  excerpts.want("a", "NEW");
  await vi.advanceTimersByTimeAsync(1000);
  expect(excerpts.rows.get("a")?.id).toBe("a");
});
