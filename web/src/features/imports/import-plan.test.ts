import { expect, test } from "vitest";
import { GRADE_NAMES } from "@/lib/grades";
import { collection } from "@/testing/config-samples";
import { fieldLabel, fieldsOf, inDataset } from "./fields";
import { lineOf, obstacle, toCases, toTasks, USUAL_PLAN } from "./import-plan";

const rows = new Blob(["x"]);
const found = { rows: 3, bad: 1, isHeaderBad: false };

test("a collection is meant by its id or by the name of a new one", () => {
  const there = [collection()];
  expect(toTasks(rows, "tasks.csv", { ...USUAL_PLAN, collection: "collection-1" }, there, true)).toMatchObject({ collectionId: "collection-1", dryRun: true, fileName: "tasks.csv", recognise: true });
  expect(toTasks(rows, "tasks.csv", { ...USUAL_PLAN, collection: " New " }, there, false)).toMatchObject({ collectionName: "New", dryRun: false });
  const unlisted = "0199aaaa-0000-7000-8000-000000000001";
  expect(toTasks(rows, "tasks.csv", { ...USUAL_PLAN, collection: unlisted }, there, false)).toMatchObject({ collectionId: unlisted });
  expect(toTasks(rows, "tasks.csv", USUAL_PLAN, there, true)).not.toHaveProperty("format");
});

test("one mapping serves tasks and datasets, which keep what only tasks have as metadata", () => {
  const mapping = new Map([["Frage", "prompt"], ["Fach", "category"], ["Note", "ignore"]]);
  expect(toTasks(rows, "a.csv", { ...USUAL_PLAN, mapping }, [], true).map).toEqual(["Frage=prompt", "Fach=category", "Note=ignore"]);
  expect(toCases(rows, "a.csv", { ...USUAL_PLAN, mapping }).map).toEqual(["Frage=prompt", "Fach=metadata.category", "Note=ignore"]);
  expect([...inDataset(new Map([["__proto__", "good"]]))]).toEqual([["__proto__", "metadata.good"]]);
});

test("the grades of the rubric have the names of the task form", () => {
  expect(fieldsOf("tasks")).toEqual(expect.arrayContaining(Object.entries(GRADE_NAMES)));
  expect(fieldLabel("incorrect_answer_direction")).toBe("Incorrect");
});

test("bad rows stand in the way until they are skipped, and of a dataset always", () => {
  expect(obstacle(found, USUAL_PLAN)).toMatch(/1 row is bad/);
  expect(obstacle(found, { ...USUAL_PLAN, skipBadRows: true })).toBeNull();
  expect(obstacle({ ...found, rows: 1 }, { ...USUAL_PLAN, skipBadRows: true })).toMatch(/No row/);
  const into = { ...USUAL_PLAN, to: "dataset" as const, skipBadRows: true };
  expect(obstacle({ ...found, bad: 0 }, into)).toMatch(/Choose a dataset/);
  expect(obstacle(found, { ...into, dataset: "New" })).toMatch(/1 row is bad/);
  expect(obstacle({ ...found, bad: 0, isHeaderBad: true }, { ...into, dataset: "New" })).toMatch(/header/);
});

test("a line is found in the file by its number", () => {
  const text = "head\r\nfirst\nlast";
  expect([1, 2, 3, 4].map((line) => lineOf(text, line))).toEqual(["head", "first", "last", ""]);
});
