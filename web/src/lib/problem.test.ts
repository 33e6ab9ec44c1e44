import { expect, test } from "vitest";
import { toProblem } from "./problem";

test("a problem+json speaks for itself", () => {
  const error = { status: 409, data: { title: "Another run is active", detail: "Pause it first.", status: 409 } };
  expect(toProblem(error)).toMatchObject({ status: 409, title: "Another run is active", detail: "Pause it first." });
});

test("what is wrong with a field is found by the field's path", () => {
  const errors = [{ field: "targets.0.model", message: "there is no such model" }, { field: "name" }];
  expect(toProblem({ status: 422, data: { title: "Invalid run", errors } }).fields).toEqual({ "targets.0.model": "there is no such model" });
});

test("no connection says what to check", () => {
  expect(toProblem({ status: "FETCH_ERROR", error: "TypeError" }).title).toBe("The server cannot be reached");
});

test("anything else is still a sentence", () => {
  expect(toProblem({ status: 502, data: "<html>" }).title).toBe("The server answered 502");
  expect(toProblem(null).title).toBe("Something went wrong");
});
