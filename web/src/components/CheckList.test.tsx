import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { CheckList } from "./CheckList";

test("each check says what it asks for and what became of it", () => {
  render(
    <CheckList
      label="Checks"
      checks={[
        { kind: "contains", params: { texts: ["Paris", "Lyon"], ignore_case: true }, weight: 2, negate: true, passed: false, reason: "1 of 2 texts is in the answer." },
        { kind: "case_checks", params: { pass_share: 0.5, checks: [{ kind: "latency", params: { max_ms: 500 } }] } },
      ]}
    />,
  );
  const [first, set] = within(screen.getByRole("list", { name: "Checks" })).getAllByRole("listitem");
  expect(first).toHaveTextContent("not contains");
  expect(first).toHaveTextContent("weight 2");
  expect(first).toHaveTextContent("Does not pass");
  expect(first).toHaveTextContent("texts: Paris, Lyon; ignore case: true");
  expect(set).toHaveTextContent("set of checks");
  expect(screen.getByRole("list", { name: "Checks of the set" })).toHaveTextContent("max ms: 500");
});
