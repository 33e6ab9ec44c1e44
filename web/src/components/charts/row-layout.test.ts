import { expect, test } from "vitest";
import { rowLayout } from "./row-layout";

test("names stand above their rows where a phone would cut them", () => {
  const long = ["cedar-8b", "aurora-70b-instruct-q4_K_M"];
  expect(rowLayout(324, long)).toEqual({ isAbove: true, left: 14, height: 40, room: 324 });
  expect(rowLayout(324, ["cedar-8b"])).toMatchObject({ isAbove: false, height: 28 });
  expect(rowLayout(900, long)).toEqual({ isAbove: false, left: 200, height: 28, room: 184 });
});
