import { expect, test } from "vitest";
import { arrange, readColumns, writeColumns } from "./column-choice";

const all = ["task", "status", "answer", "score.rubric"].map((id) => ({ id, header: id, width: 100, grow: 1, render: () => null }));

test("columns and widths survive the URL", () => {
  const chosen = readColumns("task,score.rubric:120,answer");
  expect(chosen).toEqual([{ id: "task", width: undefined }, { id: "score.rubric", width: 120 }, { id: "answer", width: undefined }]);
  expect(writeColumns(chosen!)).toBe("task,score.rubric:120,answer");
  for (const nothing of [null, "", ","]) expect(readColumns(nothing)).toBeNull();
});

test("columns appear in the chosen order, a chosen width is fixed, and the task is always there", () => {
  const arranged = arrange(all, [{ id: "answer", width: 300 }, { id: "of another run" }, { id: "status" }]);
  expect(arranged.map((one) => [one.id, one.width, one.grow])).toEqual([["task", 100, 1], ["answer", 300, undefined], ["status", 100, 1]]);
});
