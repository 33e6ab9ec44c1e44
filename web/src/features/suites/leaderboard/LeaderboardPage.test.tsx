import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { Leaderboard, LeaderboardEntry, LeaderboardList } from "@/api/generated/orchestrator";
import { provider } from "@/testing/config-samples";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import { rankText, readFilter } from "./leaderboard-words";
import LeaderboardPage from "./LeaderboardPage";

const entry = (label: string, more: Partial<LeaderboardEntry> = {}): LeaderboardEntry => ({
  score: 0.5, interval: { low: 0.4, high: 0.6 }, note: null, rank_low: 1, rank_high: 2, label, model: label, provider_id: "provider-1", provider_name: "Mock", run_id: `run-${label}`, target_id: `target-${label}`,
  finished_at: "2026-11-20T12:00:00Z", scored: 40, items: 40, answers: 40, priced: 40, cost_usd: 0.25, mean_time_ms: 120, p95_time_ms: 300, mean_tokens_per_second: 30, ...more,
});
const list = (more: Partial<LeaderboardList> = {}): LeaderboardList => ({
  suite_id: "suite-1", version_number: 2, evaluators: ["sums/contains"], judges: [], differs: [], entries: [], not_listed: [], head_to_head: null, ...more,
});

const ROUTES = [{ path: "/suites/:suiteId/leaderboard", Component: LeaderboardPage }];

let board: Leaderboard;
let asked: URLSearchParams;
beforeEach(() => {
  board = { name: "Nightly", versions: [2, 1], categories: ["arithmetic", "language"], lists: [], more: false };
  server.use(
    http.get("*/api/leaderboards", ({ request }) => {
      asked = new URL(request.url).searchParams;
      return asked.get("suite") === "suite-1" ? HttpResponse.json(board) : HttpResponse.json({ title: "No such suite", status: 404 }, { status: 404 });
    }),
    http.get("*/api/providers", () => HttpResponse.json({ items: [provider({ id: "provider-1", name: "Mock" })], next_cursor: null })),
  );
});

test("targets are listed by rank, and lists that cannot be compared say why", async () => {
  board.lists = [
    list({ entries: [entry("small", { rank_high: 1, score: 0.9, note: "all scores of 'sums' are the same" }), entry("tiny", { rank_low: 2 })], not_listed: [{ label: "huge", run_id: "run-9", reason: "sums: all of its answers failed" }] }),
    list({ version_number: 1, judges: ["judge"], differs: ["version", "evaluators"], entries: [entry("small")] }),
  ];
  renderAt("/suites/suite-1/leaderboard", ROUTES);
  const first = within(await screen.findByRole("region", { name: "Version 2" }));
  const row = first.getByRole("row", { name: /small/ });
  const cells = within(row).getAllByRole("cell").map((cell) => cell.textContent.replaceAll("\u00a0", " "));
  expect(cells.slice(0, 5)).toEqual(["1", "90.0% 40.0 – 60.0", "40 of 40", "$0.25", "120 ms"]);
  expect(within(row).getByRole("link", { name: /, run of small$/ })).toHaveAttribute("href", "/runs/run-small");
  expect(first.getByRole("row", { name: /tiny/ })).toHaveTextContent(/^2/);
  expect(within(first.getByRole("list", { name: "Notes of list 1" })).getByRole("listitem")).toHaveTextContent("small: all scores of 'sums' are the same.");
  expect(first.getAllByRole("listitem").at(-1)).toHaveTextContent("huge is not listed: sums: all of its answers failed.");
  const second = within(screen.getByRole("region", { name: "Version 1, judged by judge (list 2)" }));
  expect(second.getByText(/it has another version of the suite and other evaluators/)).toBeVisible();
});

test("the head-to-head ranking is shown, or the reason why there is none", async () => {
  const player = { label: "reference answers", target_id: null, strength: -0.25, interval: { low: -1, high: 0.5 }, rank_low: 1, rank_high: 2, games: 24 };
  board.lists = [list({ head_to_head: { players: [player], reason: null } }), list({ version_number: 1, head_to_head: { players: [], reason: "No finite strengths: small never lost." } })];
  renderAt("/suites/suite-1/leaderboard", ROUTES);
  expect(await screen.findByRole("row", { name: "1 to 2 reference answers −0.25 −1.00 to 0.50 24" })).toBeVisible();
  expect(screen.getByText("No finite strengths: small never lost.")).toBeVisible();
});

test("the address holds the filters, which are sent to the server", async () => {
  const user = userEvent.setup();
  renderAt("/suites/suite-1/leaderboard?version=1&tag=hard&provider=provider-1&since=2026-11-01", ROUTES);
  expect(await screen.findByText("No finished run fits")).toBeVisible();
  expect(asked.getAll("tag")).toEqual(["hard"]);
  expect(asked.getAll("provider_id")).toEqual(["provider-1"]);
  expect(asked.get("version")).toBe("1");
  expect(asked.get("since")).toBe(new Date(2026, 10, 1).toISOString());
  await user.selectOptions(screen.getByRole("combobox", { name: "Category" }), "language");
  expect(await screen.findByText("No finished run fits")).toBeVisible();
  expect(asked.get("category")).toBe("language");
});

test("an unknown suite is said to be unknown", async () => {
  renderAt("/suites/suite-9/leaderboard", ROUTES);
  expect(await screen.findByText("There is no such suite")).toBeVisible();
});

test("values that the server would refuse are left out", () => {
  expect(readFilter(new URLSearchParams("version=x&since=yesterday&category="))).toEqual({ version: undefined, providerId: [], since: undefined, category: undefined, tag: [] });
  expect([rankText(1, 1), rankText(2, 4)]).toEqual(["1", "2 to 4"]);
});
