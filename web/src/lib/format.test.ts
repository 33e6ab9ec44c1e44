import { expect, test } from "vitest";
import { formatChance, formatCount, formatDuration, formatLatency, formatPart, formatPercent, formatRate, formatScore, formatUsd, plural, knownCost, withKind } from "./format";

/** Units are tied to their numbers by a space that does not break. */
const breakable = (text: string) => text.replaceAll("\u00a0", " ");

test.each([
  [0, "0 ms"],
  [84.4, "84 ms"],
  [999, "999 ms"],
  [1240, "1.24 s"],
  [9996, "10.0 s"],
  [42_300, "42.3 s"],
  [125_000, "2 min 05 s"],
])("a call of %d ms takes %s", (ms, text) => expect(breakable(formatLatency(ms))).toBe(text));

test.each([
  [0, "0 s"],
  [59.6, "1 min 00 s"],
  [185, "3 min 05 s"],
  [7800, "2 h 10 min"],
  [100_800, "1 d 4 h"],
])("%d seconds are %s", (seconds, text) => expect(breakable(formatDuration(seconds))).toBe(text));

test("a missing figure is a dash and never a zero", () => {
  for (const format of [formatCount, formatLatency, formatDuration, formatPercent, formatRate, formatScore]) {
    expect(format(null)).toBe("–");
    expect(format(undefined)).toBe("–");
    expect(format(0)).not.toBe("–");
  }
});

test("scores keep their scale, shares become percent", () => {
  expect(formatScore(9)).toBe("9");
  expect(formatScore(7.254)).toBe("7.25");
  expect(formatPercent(0.8725)).toBe("87.3%");
  expect(formatPart(24, 1024)).toBe("24\u00a0of\u00a01,024");
  expect(formatRate(9.26)).toBe("9.3");
  expect(plural(1, "run")).toBe("1 run");
  expect(plural(1200, "run")).toBe("1,200 runs");
});

test("a small sum keeps two digits that say something", () => {
  expect([0, 0.0000001, 0.0000421, 0.00022, 0.0031, 0.5, 12.4].map(formatUsd)).toEqual(["$0", "< $0.000001", "$0.000042", "$0.00022", "$0.0031", "$0.50", "$12.40"]);
});

test("the sum of unknown costs is unknown, and a kind is not said twice", () => {
  expect([knownCost({ cost_usd: 0, unpriced_calls: 3 }), knownCost({ cost_usd: 0.5, unpriced_calls: 3 }), knownCost({ cost_usd: 0, unpriced_calls: 0 })]).toEqual([null, 0.5, 0]);
  expect([withKind("Suite", "Nightly"), withKind("Suite", "suite of sums")]).toEqual(["Suite Nightly", "suite of sums"]);
});

test("a probability is 0 or 100 only if it is certain", () => {
  expect([1, 0.99998, 0.914, 0.002].map(formatChance)).toEqual(["100", "more than 99", "91", "fewer than 1"]);
});
