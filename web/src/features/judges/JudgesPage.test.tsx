import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import type { CheckedCase, CheckFiguresOut, JudgeCheckDetail, RateOut } from "@/api/generated/orchestrator";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import { bySet, verdictWords } from "./judge-words";
import JudgesPage from "./JudgesPage";

const rate = (value: number | null): RateOut => ({ value, low: value === null ? null : Math.max(0, value - 0.05), high: value === null ? null : Math.min(1, value + 0.05), cases: value === null ? 0 : 98 });
const figures = (over: Partial<CheckFiguresOut> = {}): CheckFiguresOut => ({
  cases: 143, asked: 286, outcomes: { scored: 286 }, by_program: 0, accuracy: rate(0.9), pairs: rate(0.88), answers: rate(0.95), verdict_accuracy: rate(0.93), swap_consistency: rate(0.91), first_chosen: rate(0.52), longer_chosen: rate(0.61), longer_right: 0.52,
  right_longer: rate(0.97), right_shorter: rate(0.81), injection: rate(0.7), too_lenient: rate(0.1), too_strict: rate(0), self_agreement: rate(0.99), cost_usd: 0.5, cost_per_verdict_usd: 0.002, categories: [{ category: "terse", cases: 10, accuracy: rate(0.6) }], ...over,
});
const check = (id: string, over: Partial<JudgeCheckDetail> = {}): JudgeCheckDetail => ({
  id, name: `Check ${id}`, status: "FINISHED", status_reason: null, judge: { provider_id: "p", provider_name: "Mock", model: `model-${id}`, params: {}, prompts: { pairwise: "abc" } }, set: { name: "llmbench adversarial 1", digest: "d1", cases: 143, built_in: true },
  repeats: 2, figures: figures(), created_at: "2026-11-01T12:00:00Z", finished_at: "2026-11-01T12:05:00Z", ...over,
});
const wrongCase: CheckedCase = {
  id: "terse-1", category: "terse", question: "What is the capital of Australia?", context: null, first: "Canberra. <img src=x onerror=alert(1)>", second: "Sydney, of course.", right: "first", why: "Canberra is the capital.",
  verdicts: [{ repeat: 1, item_id: "i1", outcome: "scored", verdict: "tie", choices: ["first", "second"], score: 0.5, reason: "It is longer.", error: null, by_program: false }],
};

const open = (search = "") => renderAt(`/judges${search}`, [{ path: "/judges", Component: JudgesPage }]);

test("judges stand side by side, by the cases that they were checked on", async () => {
  server.use(http.get("*/api/judge-checks", () => HttpResponse.json({ items: [check("a"), check("b"), check("c", { set: { name: "LLMBar", digest: "d2", cases: 100, built_in: false }, status: "RUNNING", finished_at: null })], next_cursor: null })));
  open();
  const own = within(await screen.findByRole("group", { name: "Judges on llmbench adversarial 1" }));
  expect(own.getAllByRole("link").map((one) => one.textContent)).toEqual(["model-a", "model-b"]);
  expect(own.getAllByRole("row")[1]).toHaveTextContent("90.0%");
  expect(screen.getByRole("group", { name: "Judges on LLMBar" })).toHaveTextContent("running");
});

test("without a check, the page says what one is", async () => {
  server.use(http.get("*/api/judge-checks", () => HttpResponse.json({ items: [], next_cursor: null })));
  open();
  expect(await screen.findByText("No judge has been checked yet")).toBeVisible();
});

test("a check shows its figures beside what is fair, and the cases that it got wrong", async () => {
  server.use(
    http.get("*/api/judge-checks/a", () => HttpResponse.json(check("a"))),
    http.get("*/api/judge-checks/a/cases", ({ request }) => HttpResponse.json({ items: new URL(request.url).searchParams.get("found") === "wrong" ? [wrongCase] : [], next_cursor: null })),
  );
  const { router } = open("?check=a");
  const longer = await screen.findByRole("row", { name: /Chose the longer text/ });
  expect(longer).toHaveTextContent("The longer is better: 52.0%");
  expect(screen.getByRole("row", { name: /^terse/ })).toHaveTextContent("60.0%");
  await userEvent.click(await screen.findByText("What is the capital of Australia?"));
  expect(screen.getByText("Canberra. <img src=x onerror=alert(1)>")).toBeVisible();
  expect(screen.getByText(/the first answer, and when swapped the second answer/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Verdict 1" })).toHaveAttribute("href", "/runs/a/items?item=i1");
  await userEvent.click(screen.getByRole("button", { name: "Without a verdict" }));
  expect(await screen.findByText("No such case")).toBeVisible();
  expect(router.state.location.search).toBe("?check=a&found=missing");
});

test("verdicts are said in words", () => {
  const verdict = wrongCase.verdicts[0];
  if (!verdict) throw new Error("the sample has a verdict");
  expect(verdictWords({ ...verdict, choices: ["second", "second"], verdict: "second" })).toBe("the second answer");
  expect(verdictWords({ ...verdict, choices: [], verdict: "pass", score: 9 })).toBe("passes with 9");
  expect(verdictWords({ ...verdict, choices: [], verdict: null, outcome: "unparsed" })).toBe("unparsed");
  expect(bySet([]).length).toBe(0);
});
