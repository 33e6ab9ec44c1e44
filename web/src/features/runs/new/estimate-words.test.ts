import { expect, test } from "vitest";
import { stepNotes, sumText } from "./estimate-words";

const UNKNOWN = { seconds: null, usd: null };
const size = { tasks: 20, items: 40, calls: 83, isCounted: true };

test("each step says what it has made of the run", () => {
  const estimate = { answers: { seconds: 60, usd: 0.2 }, judging: { seconds: 10, usd: null }, known: 1, models: 2, unknown: [] };
  expect(stepNotes(size, 100, 2, estimate, false)).toEqual({
    what: "20 of 100 cases",
    who: "2 targets · 40 answers · about 1 min 00 s, $0.20",
    how: "about 10\u00a0s",
    end: "83 model calls · about 1 min 10 s, $0.20",
  });
});

test("what is not chosen or not known is left out, never zero", () => {
  const estimate = { answers: UNKNOWN, judging: UNKNOWN, known: 0, models: 0, unknown: [] };
  expect(stepNotes({ tasks: 0, items: 0, calls: 0, isCounted: true }, null, 0, estimate, false)).toEqual({ what: "", who: "", how: "", end: "" });
  expect(stepNotes(size, null, 1, estimate, true)).toEqual({ what: "20 cases", who: "1 target · 40 answers", how: "by program", end: "83 model calls" });
  expect(sumText(UNKNOWN)).toBe("–");
});
