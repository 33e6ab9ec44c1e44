// @vitest-environment jsdom
import { expect, test } from "vitest";
import { nextSort, readFilter, readRows, readSort, writeView } from "./task-view";

test("the view is read from the URL, and nonsense is passed over", () => {
  const search = new URLSearchParams("q=sum&category=law&collection=c1&sort=-category&x=1");
  expect(readFilter(search)).toEqual({ q: "sum", category: "law", collectionId: "c1" });
  expect(readSort(search)).toBe("-category");
  expect(readSort(new URLSearchParams("sort=size"))).toBeUndefined();
});

test("another category drops the subcategory, and every change begins with the first rows", () => {
  const search = new URLSearchParams("category=law&subcategory=rent&rows=150");
  expect(writeView(search, { category: "geo" }).toString()).toBe("category=geo");
  expect(writeView(search, { q: "x" }).toString()).toBe("category=law&subcategory=rent&q=x");
  expect(writeView(search, { category: null }).toString()).toBe("");
});

test("a column sorts upwards, downwards, not at all", () => {
  expect(nextSort(undefined, "category")).toBe("category");
  expect(nextSort("category", "category")).toBe("-category");
  expect(nextSort("-category", "category")).toBeUndefined();
  expect(nextSort("-category", "task_id")).toBe("task_id");
});

test("as many rows as were read come back at once, within reason", () => {
  expect(["", "rows=1", "rows=120", "rows=99999", "rows=x"].map((one) => readRows(new URLSearchParams(one)))).toEqual([50, 50, 150, 500, 50]);
});
