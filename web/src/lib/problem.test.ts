import { expect, test } from "vitest";
import { toProblem } from "./problem";

test("a problem+json speaks for itself", () => {
  const error = { status: 409, data: { title: "Another run is active", detail: "Pause it first.", status: 409 } };
  expect(toProblem(error)).toEqual({ status: 409, title: "Another run is active", detail: "Pause it first." });
});

test("no connection says what to check", () => {
  expect(toProblem({ status: "FETCH_ERROR", error: "TypeError" }).title).toBe("The server cannot be reached");
});

test("anything else is still a sentence", () => {
  expect(toProblem({ status: 502, data: "<html>" }).title).toBe("The server answered 502");
  expect(toProblem(null).title).toBe("Something went wrong");
});
