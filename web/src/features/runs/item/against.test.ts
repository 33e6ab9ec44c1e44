import { expect, test } from "vitest";
import { itemDetail, itemRow } from "@/testing/samples";
import { comparisonsOf } from "./against";

const TARGETS = [{ id: "a", label: "tiny" }, { id: "b", label: "large" }];
const item = (references: object) => {
  const one = itemDetail(itemRow(0, { target_id: "a" }), { answer: "Paris" });
  return { ...one, case: { ...one.case, excellent: null, ...references } };
};
const labels = (...of: Parameters<typeof comparisonsOf>) => comparisonsOf(...of).map(({ label }) => label);

test("an answer is compared with each of several references and with the answers of the other targets", () => {
  expect(labels(item({ excellent: "Paris.", good: "It is Paris", incorrect_answer_direction: "Lyon" }), TARGETS)).toEqual(["Nearest reference", "Reference: Excellent", "Reference: Good", "Reference: Incorrect", "large"]);
  expect(labels(item({ good: "Paris" }), TARGETS)).toEqual(["Reference: Good", "large"]);
});

test("a wrong answer alone is no reference", () => {
  expect(labels(item({ incorrect_answer_direction: "Lyon" }), TARGETS)).toEqual(["large"]);
  expect(labels(item({ incorrect_answer_direction: "Lyon" }), TARGETS.slice(0, 1))).toEqual([]);
});
