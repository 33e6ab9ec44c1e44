import { screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import { renderAt } from "@/testing/render";
import { KEEPS_ALL, server } from "@/testing/server";
import { RetentionHint } from "./RetentionHint";

test("it says after how long runs are removed, and which is the next", async () => {
  const next = { id: "run-1", name: "Nightly", status: "FINISHED", finished_at: "2026-01-01T00:00:00Z", items: 3, reason: "too_young", why: "It is not old enough.", removes_at: "2026-01-31T12:00:00Z" };
  const plan = { ...KEEPS_ALL, retention_days: 30, older_than_days: 30, kept: [next], kept_runs: [{ reason: "too_young", runs: 4 }] };
  server.use(http.get("*/api/retention", () => HttpResponse.json(plan)));
  renderAt("/runs", [{ path: "/runs", Component: RetentionHint }]);
  expect(await screen.findByText(/removed 30 days after they end/)).toHaveTextContent(/Next of 4 runs: Nightly, .*31/);
  expect(screen.getByRole("link", { name: "Nightly" })).toHaveAttribute("href", "/runs/run-1");
});
