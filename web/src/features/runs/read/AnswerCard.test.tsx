import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { scoreOut } from "@/testing/samples";
import { Scores } from "./AnswerCard";

test("each score shows the beginning of its reason, and all of it on request", async () => {
  const scores = [
    scoreOut({ id: "a", evaluator: "rubric", raw: 0, scale_max: 10, passed: false, reason: `It is <b>wrong</b>. ${"Again. ".repeat(60)}The end.` }),
    scoreOut({ id: "b", evaluator: "tone", raw: null, outcome: "errored", passed: null, reason: null, error: "No reply." }),
  ];
  render(<Scores item={{ scores }} />);
  const [rubric, tone] = screen.getAllByRole("listitem");
  expect(rubric).toHaveTextContent(/^rubric 0 not passedIt is <b>wrong<\/b>\. Again\./);
  expect(tone).toHaveTextContent("tone erroredNo reply.");
  await userEvent.click(screen.getByRole("button", { name: /Show all/ }));
  expect(rubric).toHaveTextContent("The end.");
});
