import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import type { Trend, TrendPoint } from "@/api/generated/orchestrator";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import TrendsPage from "./TrendsPage";

const point = (run: number, over: Partial<TrendPoint> = {}): TrendPoint => ({
  run_id: `run-${run}`, at: `2026-01-0${run}T12:00:00.000Z`, model: "m", items: 40, completed: 38, failed: 2, scored: 38, mean_score: 0.5 + run / 10, mean_score_interval: { low: 0.4, high: 0.9 },
  pass_rate: 0.8, pass_rate_interval: { low: 0.7, high: 0.9 }, priced: 40, cost_usd: 0.4, mean_time_ms: 1200, mean_tokens_per_second: 30, breaks: [], completeness: null, ...over,
});
const trend = (name: string, points: TrendPoint[]): Trend => ({ name, runs: points.length, more: false, series: points.length > 0 ? [{ label: "model-a", points }] : [] });

const listed = (name: string, runs: number, day: number) => ({ name, runs, last_run_id: `run-${day}`, last_at: `2026-01-0${day}T12:00:00.000Z` });

const open = (search = "") => renderAt(`/trends${search}`, [{ path: "/trends", Component: TrendsPage }]);

test("the last name is shown with the newest run first, and what changed stands beside its run", async () => {
  server.use(
    http.get("*/api/trends/names", () => HttpResponse.json({ items: [{ name: "Nightly", runs: 3, last_run_id: "run-3", last_at: "2026-01-03T12:00:00.000Z" }], suites: [] })),
    http.get("*/api/trends", ({ request }) => HttpResponse.json(trend(new URL(request.url).searchParams.get("name") ?? "", [point(1), point(2, { breaks: ["judge", "cases"] }), point(3)]))),
  );
  open();
  const runs = within(await screen.findByRole("group", { name: "Runs of model-a" })).getAllByRole("row");
  expect(runs.map((row) => within(row).queryByRole("link")?.getAttribute("href"))).toEqual([undefined, "/runs/run-3", "/runs/run-2", "/runs/run-1"]);
  expect(runs[2]).toHaveTextContent(/another judge\s*other cases/);
  expect(runs[1]).not.toHaveTextContent("another judge");
  await userEvent.click(screen.getByRole("button", { name: "Cost per answer" }));
  expect(screen.getByRole("button", { name: "Cost per answer" })).toHaveAttribute("aria-pressed", "true");
});

test("without a name that has two finished runs, the page says how to get one", async () => {
  server.use(http.get("*/api/trends/names", () => HttpResponse.json({ items: [], suites: [] })));
  open();
  expect(await screen.findByText("No name and no suite has two finished runs yet")).toBeVisible();
});

test("a name of a link is shown, also when no run of it has finished", async () => {
  server.use(
    http.get("*/api/trends/names", () => HttpResponse.json({ items: [], suites: [] })),
    http.get("*/api/trends", ({ request }) => HttpResponse.json(trend(new URL(request.url).searchParams.get("name") ?? "", []))),
  );
  open("?name=Mine");
  expect(await screen.findByText("No finished run has this name")).toBeVisible();
});

test("a suite is shown with its score, which says what it does not cover", async () => {
  const without = "The score covers 1 of 2 tasks, without 'sums'.";
  server.use(
    http.get("*/api/trends/names", () => HttpResponse.json({ items: [], suites: [] })),
    http.get("*/api/trends", ({ request }) => {
      const asked = new URL(request.url).searchParams;
      return HttpResponse.json(trend(asked.get("suite") ?? "", asked.has("name") ? [] : [point(1), point(2, { breaks: ["suite"], completeness: without })]));
    }),
  );
  open("?suite=Nightly");
  const runs = within(await screen.findByRole("group", { name: "Runs of model-a" })).getAllByRole("row");
  expect(within(screen.getByRole("list", { name: "Notes on model-a" })).getAllByRole("listitem").map((one) => one.textContent)).toEqual([`1 ${without}`]);
  expect([runs[1], runs[2]].map((row) => row?.querySelector("sup")?.textContent)).toEqual(["1", undefined]);
  expect(runs[1]).toHaveTextContent("another version or other tasks of the suite");
  expect(screen.getByText("Runs of the suite Nightly over time, with its score")).toBeVisible();
  expect(screen.getByRole("combobox", { name: "Name or suite of the runs" })).toHaveValue("Nightly");
});

test("suites are found by typing in the box of the names, and one of the same name is another choice", async () => {
  server.use(
    http.get("*/api/trends/names", () => HttpResponse.json({ items: [listed("Nightly", 3, 4), listed("Weekly", 2, 2)], suites: [listed("Nightly", 5, 3)] })),
    http.get("*/api/trends", ({ request }) => {
      const asked = new URL(request.url).searchParams;
      return HttpResponse.json(trend(asked.get("suite") ?? asked.get("name") ?? "", asked.has("suite") && asked.has("name") ? [] : [point(1), point(2)]));
    }),
  );
  const { router } = open("?metric=cost&name=Weekly");
  const box = await screen.findByRole("combobox", { name: "Name or suite of the runs" });
  await userEvent.clear(box);
  await userEvent.type(box, "night");
  expect((await screen.findAllByRole("option")).map((one) => one.textContent)).toEqual(["Nightly3 runs", "Nightlysuite, 5 runs"]);
  await userEvent.click(screen.getByRole("option", { name: /suite, 5 runs/ }));
  expect(await screen.findByText("Runs of the suite Nightly over time, with its score")).toBeVisible();
  expect(router.state.location.search).toBe("?metric=cost&suite=Nightly");
  await userEvent.clear(box);
  await userEvent.type(box, "nightly");
  await userEvent.click(await screen.findByRole("option", { name: /Nightly.*3 runs/ }));
  expect(router.state.location.search).toBe("?metric=cost&name=Nightly");
});
