import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { RunDetail } from "@/api/generated/orchestrator";
import { renderAt } from "@/testing/render";
import { noFigures, runDetail } from "@/testing/samples";
import { TargetTable } from "./TargetTable";

const NOTE = "3 answers were refused; they count as 0 when this run is compared, and are left out of this mean.";

function show(results: RunDetail["results"]) {
  renderAt("/runs/1", [{ path: "/runs/1", element: <TargetTable run={{ ...runDetail({ status: "FINISHED" }), results }} /> }]);
}

const result = (label: string, zeros: RunDetail["results"][number]["zeros"]) => ({ ...noFigures, target_id: label, label, model: "small", passes: [], zeros });

test("answers that a mean leaves out and a comparison counts as 0 are told of, per target", async () => {
  show([result("a", { refused: 3, malformed: 0, later_turns: 0, note: NOTE }), result("b", null)]);
  expect(await screen.findByText(`a: ${NOTE}`)).toBeVisible();
  expect(screen.queryByText(/^b:/)).not.toBeInTheDocument();
});
