import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { itemDetail, itemRow } from "@/testing/samples";
import { ItemBody } from "./ItemBody";

const WHY = "No overall score, because not every evaluator with a weight gave one. tone (unparsed): No score in it.";

test("an item that is completed without an overall score says why", () => {
  const row = itemRow(0, { status: "COMPLETED", score: null, score_normalised: null, reason: WHY });
  const view = render(<ItemBody item={itemDetail(row)} row={row} evaluators={[]} />);
  expect(screen.getByText(WHY)).toBeVisible();
  const scored = itemRow(0, { status: "COMPLETED", score: 9, reason: "The sum is right." });
  view.rerender(<ItemBody item={itemDetail(scored)} row={scored} evaluators={[]} />);
  expect(screen.queryByText(WHY)).toBeNull();
});
