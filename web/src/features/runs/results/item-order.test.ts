import { expect, test } from "vitest";
import { columnKey, readItemOrder, scoreKey, sortedBy } from "./item-filter";

const search = (text: string) => new URLSearchParams(text);

test("the score of an evaluator sorts ascending, then descending, then no more", () => {
  const key = scoreKey("revision-1");
  const once = sortedBy(search("q=x"), key);
  expect(once.toString()).toBe("q=x&sort=evaluator_score&evaluator_revision_id=revision-1");
  expect(columnKey(readItemOrder(once))).toBe(key);
  const twice = sortedBy(once, key);
  expect(twice.toString()).toBe("q=x&sort=evaluator_score&evaluator_revision_id=revision-1&order=desc");
  expect(sortedBy(twice, key).toString()).toBe("q=x");
});

test("another column takes the sorting over, without the evaluator", () => {
  expect(sortedBy(search("sort=evaluator_score&evaluator_revision_id=r"), "cost_usd").toString()).toBe("sort=cost_usd&order=desc");
  expect(sortedBy(search("sort=cost_usd&order=desc"), "cost_usd").toString()).toBe("sort=cost_usd");
});

test("an order that names no evaluator, or no key, is that of the run", () => {
  for (const wrong of ["sort=evaluator_score", "sort=of+luck"]) expect(readItemOrder(search(wrong)).sort).toBe("position");
  expect(readItemOrder(search("sort=score&evaluator_revision_id=r")).evaluatorRevisionId).toBeUndefined();
});
