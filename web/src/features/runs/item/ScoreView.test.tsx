import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { scoreOut } from "@/testing/samples";
import { ScoreView } from "./ScoreView";

test("what was changed about the judge's request or reply is told", () => {
  render(<ScoreView score={scoreOut({ notes: ["temperature 0 was not sent."], redactions: 1 })} evaluators={[]} />);
  expect(screen.getByText("temperature 0 was not sent.")).toBeVisible();
  expect(screen.getByText(/repeated a secret of this call in 1 place; each reads •••/)).toBeVisible();
});

test("a score has its scale and verdict, and its details follow", async () => {
  render(<ScoreView score={scoreOut({ evaluator: "rubric", raw: 3, scale_max: 10, passed: false, judge_reply: "Three." })} evaluators={[]} />);
  expect(screen.getByRole("region", { name: "rubric, by program" })).toHaveTextContent(/3 of 10Not passed/);
  expect(await screen.findByText("Three.")).toBeVisible();
});
