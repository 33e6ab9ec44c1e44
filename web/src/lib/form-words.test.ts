import { expect, test } from "vitest";
import { forForm } from "./form-words";
import { toProblem } from "./problem";

test.each([
  ["Mock has no model 'x'; it has a. Send `check_providers: false` to start without asking for the models", "Mock has no model 'x'; it has a. Clear the box “Check first that …” to start without this check"],
  ["Choose another judge, or set allow_self_judging if that is what you want.", "Choose another judge, or tick “Let it judge its own answers”."],
  ["is missing; where another column has it, say so: map <column>=prompt", "is missing. If another column holds it, assign that column as prompt"],
  ["must not be empty", "must not be empty"],
])("%s", (message, shown) => {
  expect(forForm(message)).toBe(shown);
});

test("a refusal and its fields are shown in the words of the forms", () => {
  const errors = [{ field: "judge.model", message: "or set allow_self_judging if that is what you want." }];
  const data = { title: "Invalid run", detail: "judge.model: or set allow_self_judging if that is what you want.", errors };
  const { detail, fields } = toProblem({ status: 422, data });
  expect([detail, fields["judge.model"]]).not.toContainEqual(expect.stringContaining("allow_self_judging"));
});
