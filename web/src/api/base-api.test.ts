// @vitest-environment jsdom
import { expect, test } from "vitest";
import { serializeParams } from "./base-api";

test("a list is sent as repeated keys, and what is absent is left out", () => {
  expect(serializeParams({ status: ["A", "B"], limit: 50, cursor: null, q: undefined })).toBe("status=A&status=B&limit=50");
});
