import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import type { BaselineOut, DecidedGate, RunDetail } from "@/api/generated/orchestrator";
import { renderAt } from "@/testing/render";
import { runDetail } from "@/testing/samples";
import { server } from "@/testing/server";
import { GateSection } from "./GateSection";
import { PromoteDialog } from "./PromoteDialog";

const AT = "2026-01-01T12:00:00Z";

function decided(over: Partial<DecidedGate> = {}): DecidedGate {
  return {
    gate_id: "g", baseline_id: "b", label: "main", role: "baseline", baseline_run_id: "run-0", baseline_run_name: "Release", metric: "score", task: null, title: "mean score", relative: false,
    margin: 0.05, undecided: "fail", verdict: "worse", passed: false, lower_than_baseline: false, sentence: "mean score -0.3: a loss of 0.05 or more is certain.", pairs: [],
    ...over,
  };
}

const finished = (over: Partial<RunDetail>) => runDetail({ status: "FINISHED", outcome: "complete", ...over });
const show = (run: RunDetail) => renderAt("/", [{ path: "/", Component: () => <GateSection run={run} /> }]);

test("each gate names its verdict, its margin and the run it was compared with", async () => {
  const anchor = decided({ role: "anchor", metric: "cost", title: "cost", relative: true, margin: 0.1, verdict: "undecided", passed: true, baseline_run_name: "First" });
  show(finished({ gate: { verdict: "worse", passed: false, sentence: "worse", decided_at: AT }, gates: [decided(), anchor] }));
  const [first, second] = within(await screen.findByRole("region", { name: "Compared with the baseline" })).getAllByRole("listitem");
  expect(first).toHaveTextContent("WorseMean scoremargin 5 pointsbaseline of main: Release");
  expect(first).toHaveTextContent("a loss of 0.05 or more is certain");
  expect(second).toHaveTextContent("Undecided, forgivenCostmargin 10%anchor of main: First");
  expect(within(first!).getByRole("link", { name: "Release" })).toHaveAttribute("href", "/runs/run-0");
});

test("a judge that changed is named, with the answers that show it", async () => {
  const judge_check = { run_id: "check-1", answers: 10, repeats: 2, shift: -0.3, p: 0.000017, changed: true };
  const sentence = "It gives 10 stored answers of 'Release' 0.300 less on average.";
  show(finished({ gate: { verdict: "the judge changed", passed: false, sentence, decided_at: AT }, gates: [decided({ verdict: "the judge changed", sentence, judge_check })] }));
  const [gate] = within(await screen.findByRole("region", { name: "Compared with the baseline" })).getAllByRole("listitem");
  expect(gate).toHaveTextContent("The judge changedMean score");
  expect(gate).toHaveTextContent("10 stored answers judged again, 2 times each: -30 points on average (p = 0.000017), beyond the judge's own spread.");
  expect(within(gate!).getByRole("link", { name: "10 stored answers judged again" })).toHaveAttribute("href", "/runs/check-1");
});

test("a run that has just ended says that it is being compared", async () => {
  show(finished({ gate: { verdict: "pending", passed: null, sentence: null, decided_at: null }, gates: [] }));
  expect(await screen.findByRole("status")).toHaveTextContent("The run has ended and is being compared.");
  expect(screen.getByRole("button", { name: "Compare again" })).toBeDisabled();
});

function baseline(): BaselineOut {
  const subject = { kind: "preset", id: "preset-1", name: "Nightly" } as const;
  return { id: "b", subject, label: "main", run: { id: "run-0", name: "Release" }, anchor: { id: "run-0", name: "Release" }, gates: [], probability_fine: null, created_at: AT, updated_at: AT };
}

function dialog(existing: BaselineOut[]) {
  const sent: unknown[] = [];
  const keep = async ({ request }: { request: Request }) => {
    sent.push([new URL(request.url).pathname, await request.json()]);
    return HttpResponse.json(baseline(), { status: 201 });
  };
  const preset = { id: "preset-1", name: "Nightly", description: null, settings: {}, run: { concurrency: 1, timeout_s: 60, max_attempts: 3, max_conversation_history: 10 }, notes: [], version: 1, created_at: AT, updated_at: AT };
  server.use(
    http.get("*/api/evaluation-presets", () => HttpResponse.json({ items: [preset], next_cursor: null })),
    http.get("*/api/baselines", () => HttpResponse.json({ items: existing, next_cursor: null })),
    http.post("*/api/baselines", keep),
    http.post("*/api/baselines/b/promote", keep),
  );
  const run = finished({ id: "run-1" });
  renderAt("/", [{ path: "/", Component: () => <PromoteDialog run={run} onClose={() => undefined} /> }]);
  return sent;
}

test("the first run of a label becomes its baseline", async () => {
  const sent = dialog([]);
  await userEvent.type(await screen.findByLabelText("Note"), "the release");
  await userEvent.click(screen.getByRole("button", { name: "Promote" }));
  await expect.poll(() => sent).toEqual([["/api/baselines", { subject: { kind: "preset", id: "preset-1" }, label: "main", run_id: "run-1", note: "the release" }]]);
});

test("a later run replaces the baseline, and the anchor only on purpose", async () => {
  const sent = dialog([baseline()]);
  await userEvent.selectOptions(await screen.findByLabelText("Replace"), "anchor");
  await userEvent.click(screen.getByRole("button", { name: "Promote" }));
  await expect.poll(() => sent).toEqual([["/api/baselines/b/promote", { run_id: "run-1", role: "anchor", note: null }]]);
});

test("a run of a suite becomes the baseline of its suite", async () => {
  const sent: unknown[] = [];
  server.use(
    http.get("*/api/baselines", () => HttpResponse.json({ items: [], next_cursor: null })),
    http.post("*/api/baselines", async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(baseline(), { status: 201 });
    }),
  );
  const run = finished({ id: "run-1", subject: { kind: "suite", id: "family-1", name: "Nightly" } });
  renderAt("/", [{ path: "/", Component: () => <PromoteDialog run={run} onClose={() => undefined} /> }]);
  expect(await screen.findByText(/Later runs of the suite/)).toHaveTextContent("Later runs of the suite Nightly, of any version, are compared with this run");
  expect(screen.queryByLabelText("Preset")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Promote" }));
  await expect.poll(() => sent).toEqual([{ subject: { kind: "suite", id: "family-1" }, label: "main", run_id: "run-1", note: null }]);
});
