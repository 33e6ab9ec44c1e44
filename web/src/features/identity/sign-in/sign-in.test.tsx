import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { SessionOut } from "@/api/generated/identity";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import Account from "../Account";
import { Leave, wayBack } from "../leave";
import InvitationPage from "./InvitationPage";
import SignInPage from "./SignInPage";

const OUT: SessionOut = { auth: "on", signed_in: false, first_owner_needed: false };
const ADA: SessionOut = {
  auth: "on",
  signed_in: true,
  first_owner_needed: false,
  person: { id: "ada", name: "Ada", email: "ada@example.org" },
  organisation: { id: "lab", name: "Lab", slug: "lab" },
  role: "member",
  organisations: [
    { id: "lab", name: "Lab", slug: "lab", role: "member" },
    { id: "team", name: "Team", slug: "team", role: "owner" },
  ],
  csrf_token: "token-1",
  allowed: ["members:read"],
};

let left: string[];
const answer = (session: SessionOut) =>
  server.use(
    http.get("*/api/auth/session", () => HttpResponse.json(session)),
    http.get("*/api/auth/issuers", () => HttpResponse.json({ items: [] })),
  );
const open = (path: string) =>
  renderAt(
    path,
    [
      { path: "/sign-in", Component: SignInPage },
      { path: "/invitation", Component: InvitationPage },
      { path: "/runs", Component: Account },
    ].map(({ path: at, Component }) => ({ path: at, element: <Leave value={(to) => void left.push(to)}><Component /></Leave> })),
  );
beforeEach(() => {
  left = [];
});

test("who has not signed in is led to the sign-in, and back to where they were", async () => {
  answer(OUT);
  server.use(http.post("*/api/auth/sign-in", () => HttpResponse.json(ADA)));
  const { router } = open("/runs?status=FAILED#end");
  await userEvent.type(await screen.findByLabelText(/^E-mail address/), "ada@example.org");
  await userEvent.type(screen.getByLabelText(/^Password/), "correct horse{Enter}");
  await waitFor(() => expect(left).toEqual(["/runs?status=FAILED#end"]));
  expect(router.state.location.pathname).toBe("/sign-in");
});

test("an empty form names each field, and a refusal is shown", async () => {
  answer(OUT);
  server.use(http.post("*/api/auth/sign-in", () => HttpResponse.json({ title: "Not signed in", status: 401, detail: "The e-mail address or the password is wrong." }, { status: 401 })));
  open("/sign-in");
  await userEvent.click(await screen.findByRole("button", { name: "Sign in" }));
  const email = screen.getByLabelText(/^E-mail address/);
  expect(email).toHaveAccessibleDescription("Enter: e-mail address.");
  await waitFor(() => expect(email).toHaveFocus());
  await userEvent.type(email, "ada@example.org");
  await userEvent.type(screen.getByLabelText(/^Password/), "wrong{Enter}");
  expect(await screen.findByText(/the password is wrong/)).toBeVisible();
  expect(left).toEqual([]);
});

test("the token of an invitation leaves the address and is sent once", async () => {
  answer(OUT);
  let sent: unknown;
  server.use(
    http.post("*/api/auth/invitations/accept", async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json(ADA, { status: 201 });
    }),
  );
  const { router } = open("/invitation#secret");
  await userEvent.type(await screen.findByLabelText(/^Your name/), "Ada");
  expect(router.state.location.hash).toBe("");
  await userEvent.type(screen.getByLabelText(/^E-mail address/), "ada@example.org");
  await userEvent.type(screen.getByLabelText(/^Password/), "ten letters{Enter}");
  await waitFor(() => expect(left).toEqual(["/"]));
  expect(sent).toEqual({ token: "secret", name: "Ada", email: "ada@example.org", password: "ten letters", code: null });
});

test("the account menu offers what the role allows, and changes send the CSRF token", async () => {
  answer(ADA);
  let token: string | null = null;
  server.use(
    http.post("*/api/auth/organisation", ({ request }) => {
      token = request.headers.get("x-csrf-token");
      return HttpResponse.json(ADA);
    }),
  );
  open("/runs");
  await userEvent.click(await screen.findByRole("button", { name: "Ada" }));
  expect(await screen.findByRole("menuitem", { name: "Members" })).toBeVisible();
  expect(screen.queryByRole("menuitem", { name: "API keys" })).toBeNull();
  await userEvent.click(screen.getByRole("menuitem", { name: /Change to Team/ }));
  await waitFor(() => expect(left).toEqual(["/"]));
  expect(token).toBe("token-1");
});

test.each([
  ["https://evil.example/x", "/"],
  ["//evil.example/x", "/"],
  ["/\\evil.example", "/"],
  ["/runs/1?x=2", "/runs/1?x=2"],
  ["/sign-in?next=/sign-in", "/"],
])("the way back from %s is %s", (next, expected) => {
  expect(wayBack(new URLSearchParams({ next }), "https://bench.example")).toBe(expected);
});
