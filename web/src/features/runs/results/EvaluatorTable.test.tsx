import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { evaluatorOut } from "@/testing/samples";
import { EvaluatorTable } from "./EvaluatorTable";

const JUDGING = { asked: 40, parse_rate: 0.9, repair_rate: 0.025, swapped: 20, swap_consistency: 0.5, repeated: 0, self_agreement: null, modes: {} };

test("how far a judge can be relied on stands with its evaluator, each figure where there is one", () => {
  const view = render(<EvaluatorTable evaluators={[evaluatorOut({ judging: JUDGING })]} />);
  const figures = within(screen.getByRole("list", { name: "The judge’s own figures" })).getAllByRole("listitem");
  expect(figures.map((one) => one.textContent)).toEqual(["90.0 % parsed", "2.5 % repaired", "swap consistency 50.0 %"]);
  view.rerender(<EvaluatorTable evaluators={[evaluatorOut({ judging: null })]} />);
  expect(screen.queryByRole("list", { name: "The judge’s own figures" })).toBeNull();
});
