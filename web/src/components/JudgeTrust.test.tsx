import { screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import type { JudgesOfRuns } from "@/api/generated/orchestrator";
import { session } from "@/lib/rights";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import { JudgeTrust } from "./JudgeTrust";

const JUDGE = { evaluator_revision_id: "revision-1", title: "Rubric", judge: "large", run_id: "run-2", calibration_id: null };

function answer(judges: JudgesOfRuns["judges"]) {
  let asked: string[] = [];
  server.use(
    http.get("*/api/calibrations/judges", ({ request }) => {
      asked = [...asked, new URL(request.url).search];
      return HttpResponse.json({ judges });
    }),
  );
  return () => asked;
}

test("a judge without a calibration is named, with one request for all runs", async () => {
  session.set(null);
  const asked = answer([JUDGE, { ...JUDGE, evaluator_revision_id: "revision-2", judge: "measured", calibration_id: "calibration-1" }]);
  renderAt("/", [{ path: "/", element: <JudgeTrust runIds={["run-2", "run-1", "run-2"]} /> }]);
  expect(await screen.findByText(/Rubric by large was not measured against people/)).toBeVisible();
  expect(screen.queryByText(/measured was/)).toBeNull();
  expect(asked()).toEqual(["?run_id=run-1&run_id=run-2"]);
  expect(screen.getByRole("link", { name: "Measure it" })).toHaveAttribute("href", "/calibrations/new?run=run-2&judge=revision-1");
});

test("nothing is asked without a run, and who may not measure gets no link", async () => {
  session.set({ auth: "on", signed_in: true, first_owner_needed: false, role: "viewer", allowed: ["runs:read"] });
  const asked = answer([JUDGE]);
  renderAt("/", [{ path: "/", element: <><JudgeTrust runIds={[]} /><JudgeTrust runIds={["run-1"]} /></> }]);
  expect(await screen.findByText(/was not measured against people/)).toBeVisible();
  expect(screen.queryByRole("link", { name: "Measure it" })).toBeNull();
  expect(asked()).toEqual(["?run_id=run-1"]);
  session.set(null);
});
