import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { scoreOut } from "@/testing/samples";
import ScoreDetails from "./ScoreDetails";

test("a score shows what was read from the answer and from the reference, and by which rule", () => {
  const extraction = { answer: "72", answer_rule: "last number", reference: "72", reference_rule: "marker:####" };
  render(<ScoreDetails score={scoreOut({ extraction, details: { extraction } })} />);
  expect(screen.getByText("Read from the answer").nextElementSibling).toHaveTextContent("72The last number");
  expect(screen.getByText("Read from the reference").nextElementSibling).toHaveTextContent("72The text after the last ####");
  // The details would only repeat it.
  expect(screen.queryByText("How the score was computed")).toBeNull();
});

test("what could not be read is said, and what compares nothing has no reference", () => {
  const view = render(<ScoreDetails score={scoreOut({ extraction: { answer: null, answer_rule: "no JSON", reference: null, reference_rule: null } })} />);
  expect(screen.getByText("Read from the answer").nextElementSibling).toHaveTextContent("nothing");
  expect(screen.getByText("nothing").tagName).toBe("P");
  expect(screen.queryByText("Read from the reference")).toBeNull();
  view.rerender(<ScoreDetails score={scoreOut({})} />);
  expect(screen.queryByText("Read from the answer")).toBeNull();
});
