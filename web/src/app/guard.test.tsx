import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { SessionOut } from "@/api/generated/identity";
import { session } from "@/lib/rights";
import { renderAt } from "@/testing/render";
import { guarded } from "./guard";

const ADA: SessionOut = { auth: "on", signed_in: true, first_owner_needed: false, person: { id: "ada", name: "Ada", email: "ada@example.org" }, allowed: [] };
const ROUTES = [{ path: "/runs", Component: guarded(() => <p>The runs</p>, "runs:read") }];

test("a person without an organisation is told to ask for an invitation", async () => {
  session.set(ADA);
  renderAt("/runs", ROUTES);
  expect(await screen.findByText("Ask somebody to invite you, and open the link that you get.")).toBeVisible();
});

test("a person whose organisation was closed is led to the others", async () => {
  session.set({ ...ADA, organisations: [{ id: "other", name: "Engines", slug: "engines", role: "owner" }] });
  renderAt("/runs", ROUTES);
  expect(await screen.findByText(/You are being moved to another one/)).toBeVisible();
});
