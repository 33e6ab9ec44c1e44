import { expect, test } from "vitest";
import { collection, tried } from "@/testing/config-samples";
import { lineOf, obstacle, toRequest, USUAL_PLAN } from "./import-plan";

const file = { name: "tasks.csv", content: new Blob(["x"]), text: "x" };

test("a collection is meant by its id or by the name of a new one", () => {
  const there = [collection()];
  expect(toRequest(file, { ...USUAL_PLAN, collection: "collection-1" }, there, true)).toMatchObject({ collectionId: "collection-1", dryRun: true, fileName: "tasks.csv" });
  expect(toRequest(file, { ...USUAL_PLAN, collection: " New " }, there, false)).toMatchObject({ collectionName: "New", dryRun: false });
  expect(toRequest(file, USUAL_PLAN, there, true)).not.toHaveProperty("format");
});

test("bad rows stand in the way until they are skipped", () => {
  const result = tried({ row_count: 3, bad_row_count: 1 });
  expect(obstacle(result, USUAL_PLAN)).toMatch(/1 row is bad/);
  expect(obstacle(result, { ...USUAL_PLAN, skipBadRows: true })).toBeNull();
  expect(obstacle(tried({ row_count: 1, bad_row_count: 1 }), { ...USUAL_PLAN, skipBadRows: true })).toMatch(/No row/);
});

test("a line is found in the file by its number", () => {
  const text = "head\r\nfirst\nlast";
  expect([1, 2, 3, 4].map((line) => lineOf(text, line))).toEqual(["head", "first", "last", ""]);
});
