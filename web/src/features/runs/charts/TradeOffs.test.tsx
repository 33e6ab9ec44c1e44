import { screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import type { Verdict } from "@/api/generated/orchestrator";
import { compared, comparison, scored } from "@/testing/comparison-samples";
import { renderAt } from "@/testing/render";
import { noFigures, runDetail } from "@/testing/samples";
import { server } from "@/testing/server";
import { TradeOffs } from "./TradeOffs";

const result = (label: string, mean: number, time: number) => ({ ...noFigures, target_id: label, label, model: label, mean_score: mean, p50_time_ms: time, passes: [] });
const run = runDetail({ id: "run-1", results: [result("quick", 0.8, 100), result("slow", 0.7, 900)] });

const answer = (verdict: Verdict | null) => server.use(http.get("*/api/comparisons", () => HttpResponse.json(comparison({ comparisons: [compared({ score: scored({ verdict }), coverage: 25 / 28, cases_in_both: 28 })] }))));

test("low coverage names the limit that was missed, and is no property of the score", async () => {
  answer("low coverage");
  renderAt("/", [{ path: "/", Component: () => <TradeOffs run={run} /> }]);
  expect((await screen.findByRole("link", { name: "to compare the two" })).closest("li")).toHaveTextContent("quick is faster, but only 25 of the 28 cases that both have are scored in both, and 90% are needed to compare the two");
});

test.each<[Verdict | null, string]>([
  ["better", "quick is faster and better"],
  ["not separable", "quick is faster, and its score is not separable"],
  [null, "quick is faster, and its score is not compared yet"],
])("a higher mean is called better only where the comparison says %s", async (verdict, words) => {
  const asked: string[][] = [];
  server.use(
    http.get("*/api/comparisons", ({ request }) => {
      asked.push(new URL(request.url).searchParams.getAll("column"));
      return HttpResponse.json(comparison({ comparisons: [compared({ score: scored({ verdict }) })] }));
    }),
  );
  renderAt("/", [{ path: "/", Component: () => <TradeOffs run={run} /> }]);
  const link = await screen.findByRole("link", { name: verdict ?? "not compared yet" });
  expect(link.closest("li")).toHaveTextContent(words);
  expect(link).toHaveAttribute("href", "/compare?column=run-1%3Aslow&column=run-1%3Aquick");
  expect(asked).toEqual([["run-1:slow", "run-1:quick"]]);
});
