import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import type { BudgetOut, UsageOut } from "@/api/usage";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import UsagePage from "./UsagePage";

const SUMS = { calls: 4, unpriced_calls: 2, prompt_tokens: 1200, completion_tokens: 300, cost_usd: 2.5, items: 3 };
const FINE: BudgetOut = { month: "2026-11-01", ends_on: "2026-12-01", budget_usd: 10, spent_usd: 2.5, unpriced_calls: 2, state: "fine", message: null, default_evaluators: [] };
const USAGE: UsageOut = {
  since: "2026-11-01",
  until: "2026-11-02",
  group_by: "day",
  rows: [{ ...SUMS, day: "2026-11-02" }],
  totals: SUMS,
  days: [{ ...SUMS, day: "2026-11-02" }],
  models: ["gpt", "llama"],
  people: [],
  storage: { bytes: 2048, limit_bytes: 1024 * 1024, people: [] },
};

function open(path = "/usage", usage: Partial<UsageOut> = {}, budget: Partial<BudgetOut> = {}) {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get("*/api/auth/session", () => HttpResponse.json({ auth: "off", signed_in: false, first_owner_needed: false, allowed: [] })),
    http.get("*/api/usage", ({ request }) => {
      const search = new URL(request.url).searchParams;
      asked.push(search);
      return HttpResponse.json({ ...USAGE, ...usage, group_by: (search.get("group_by") ?? "day") as UsageOut["group_by"] });
    }),
    http.get("*/api/usage/budget", () => HttpResponse.json({ ...FINE, ...budget })),
  );
  return { ...renderAt(path, [{ path: "/usage", Component: UsagePage }]), asked };
}

test("totals, unknown costs and storage are shown, and each day of the period", async () => {
  open();
  const totals = within(await screen.findByLabelText("Totals"));
  expect(totals.getByText("$2.50")).toBeVisible();
  expect(totals.getByText("2 calls of unknown cost")).toBeVisible();
  expect(totals.getByText("of 1.0 MiB")).toBeVisible();
  expect(await totals.findByText("$2.50 of $10.00")).toBeVisible();
  expect(screen.getByRole("link", { name: "2026-11-02: $2.50, 4 calls" })).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("filters are in the address, and in the link of the CSV file", async () => {
  const { asked, router } = open("/usage?by=model&since=2026-11-01");
  await screen.findByRole("option", { name: "llama" });
  await userEvent.selectOptions(screen.getByLabelText("Model"), "llama");
  await waitFor(() => expect(router.state.location.search).toBe("?by=model&since=2026-11-01&model=llama"));
  await waitFor(() => expect(asked.at(-1)?.get("model")).toBe("llama"));
  expect(asked.at(-1)?.get("group_by")).toBe("model");
  expect(screen.getByRole("link", { name: "CSV" })).toHaveAttribute("href", "/api/usage/export?since=2026-11-01&model=llama");
});

test("a spent budget is an alert that says what to do", async () => {
  open("/usage", {}, { state: "spent", message: "The budget is spent: an owner can raise it." });
  expect(await screen.findByRole("alert")).toHaveTextContent("an owner can raise it");
});

test("a period without calls says so", async () => {
  open("/usage", { rows: [], days: [] });
  expect(await screen.findByText("No calls in this period")).toBeVisible();
});
