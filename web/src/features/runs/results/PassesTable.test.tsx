import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { TargetResult } from "@/api/generated/orchestrator";
import { noFigures } from "@/testing/samples";
import { PassesTable } from "./PassesTable";

const result = (passes: TargetResult["passes"]): TargetResult => ({ ...noFigures, target_id: "t", label: "small", model: "small", passes });

test("each k has both chances, with the cases they are the means of", () => {
  const at = { cases: 20, pass_at_k_interval: { low: 0.4, high: 0.8 }, pass_hat_k_interval: null };
  render(<PassesTable results={[result([{ k: 1, pass_at_k: 0.6, pass_hat_k: 0.6, ...at }, { k: 2, pass_at_k: 0.8, pass_hat_k: 0.4, ...at }])]} />);
  const [, , second] = screen.getAllByRole("row");
  expect(within(second!).getAllByRole("cell").map((cell) => cell.textContent)).toEqual(["2", expect.stringContaining("80"), expect.stringContaining("40"), "20"]);
});

test("a run that asked each case once has no such table", () => {
  const { container } = render(<PassesTable results={[result([])]} />);
  expect(container).toBeEmptyDOMElement();
});
