import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { EvaluatorOut } from "@/api/generated/orchestrator";
import { evaluatorOut } from "@/testing/samples";
import { EvaluatorTable } from "./EvaluatorTable";

const JUDGING = { asked: 40, parse_rate: 0.9, repair_rate: 0.025, swapped: 20, swap_consistency: 0.5, repeated: 0, self_agreement: null, modes: {} };

test("how far a judge can be relied on stands with its evaluator, each figure where there is one", () => {
  const view = render(<EvaluatorTable evaluators={[evaluatorOut({ judging: JUDGING })]} />);
  const figures = within(screen.getByRole("list", { name: "The judge’s own figures" })).getAllByRole("listitem");
  expect(figures.map((one) => one.textContent.replaceAll("\u00a0", " "))).toEqual(["90.0% parsed", "2.5% repaired", "swap consistency 50.0%"]);
  view.rerender(<EvaluatorTable evaluators={[evaluatorOut({ judging: null })]} />);
  expect(screen.queryByRole("list", { name: "The judge’s own figures" })).toBeNull();
});

test("another judge of the same evaluator is made primary by hand, once the run is over", async () => {
  const first = evaluatorOut();
  const second = evaluatorOut({ revision_id: "revision-2", judge_model: "judge-2", primary: false });
  const failed = evaluatorOut({ revision_id: "revision-3", judge_model: "judge-3", primary: false, scored: 0 });
  const onPromote = vi.fn<(one: EvaluatorOut) => void>();
  const view = render(<EvaluatorTable evaluators={[first, second]} />);
  expect(screen.queryByRole("button", { name: /^Make primary/ })).toBeNull();
  view.rerender(<EvaluatorTable evaluators={[first, second, failed]} onPromote={onPromote} />);
  expect(screen.getAllByRole("button", { name: /^Make primary/ }), "one that scored nothing is not offered").toHaveLength(1);
  await userEvent.click(screen.getByRole("button", { name: /^Make primary.*judge-2/ }));
  expect(onPromote).toHaveBeenCalledExactlyOnceWith(second);
  expect(screen.getByText("primary")).toBeDefined();
});
