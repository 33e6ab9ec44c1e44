import { expect, test } from "vitest";
import { estimated } from "./estimated";

test("a figure of estimated tokens is marked, and a missing one is not", () => {
  expect(estimated({ estimated_usage: 1 }, "12.5")).toBe("~12.5");
  expect(estimated({ estimated_usage: 0 }, "12.5")).toBe("12.5");
  expect(estimated({ estimated_usage: 1 }, "–")).toBe("–");
});
