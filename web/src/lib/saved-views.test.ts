// @vitest-environment jsdom
import { beforeEach, expect, test } from "vitest";
import { deleteView, savedViews, saveView } from "./saved-views";

beforeEach(() => localStorage.clear());

test("views are kept by table and name, and replaced or deleted by name", () => {
  saveView("items", { name: "Worst", search: "sort=score" });
  saveView("items", { name: "Failed", search: "status=FAILED" });
  saveView("items", { name: "Worst", search: "sort=score&passed=false" });
  expect(savedViews("items")).toEqual([{ name: "Failed", search: "status=FAILED" }, { name: "Worst", search: "sort=score&passed=false" }]);
  expect(savedViews("runs")).toEqual([]);
  expect(deleteView("items", "Failed")).toHaveLength(1);
});

test("a storage that somebody else wrote is ignored", () => {
  for (const odd of ["{", "null", "[]", '{"items":3}', '{"items":[{"name":1}]}']) {
    localStorage.setItem("llmbench.views", odd);
    expect(savedViews("items")).toEqual([]);
  }
});
