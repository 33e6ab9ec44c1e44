import { screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import type { Right } from "@/lib/rights";
import { session } from "@/lib/rights";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import { CreatedBy } from "./CreatedBy";

const BOB = { id: "bob", name: "Bob", email: "bob@example.org", role: "member", created_at: "2026-11-01T10:00:00Z" };

function show(ids: readonly (string | null)[], { allowed = ["members:read", "service-accounts:read"], next = null }: { allowed?: Right[]; next?: string | null } = {}) {
  session.set({ auth: "on", signed_in: true, first_owner_needed: false, role: "admin", allowed });
  server.use(
    http.get("*/api/members", () => HttpResponse.json({ items: [BOB], next_cursor: next })),
    http.get("*/api/service-accounts", () => HttpResponse.json({ items: [{ id: "robot", name: "Nightly", role: "member", created_at: BOB.created_at, created_by: "bob" }], next_cursor: null })),
  );
  renderAt("/", [{ path: "/", element: <>{ids.map((id) => <p key={id}><CreatedBy id={id} /></p>)}<p>all of the page</p></> }]);
}

test("people and service accounts are named, and who left is not", async () => {
  show(["bob", "robot", "gone", null]);
  expect(await screen.findByText("created by Bob")).toBeVisible();
  expect(await screen.findByText("created by Nightly")).toBeVisible();
  expect(await screen.findByText("created by somebody who left")).toBeVisible();
  expect(screen.getAllByText(/created by/)).toHaveLength(3);
});

test("a list that goes on does not show that somebody left", async () => {
  show(["bob", "gone"], { next: "cursor" });
  expect(await screen.findByText("created by Bob")).toBeVisible();
  expect(screen.getAllByText(/created by/)).toHaveLength(1);
});

test("nobody is named to a role that does not see the members", async () => {
  show(["bob"], { allowed: ["runs:read"] });
  expect(await screen.findByText("all of the page")).toBeVisible();
  expect(screen.queryByText(/created by/)).toBeNull();
});
