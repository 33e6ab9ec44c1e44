import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { SessionOut } from "@/api/generated/identity";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import Account from "../Account";
import { Leave } from "../leave";
import InvitationPage from "../sign-in/InvitationPage";
import SignInPage from "../sign-in/SignInPage";
import LinkedAccountsPage from "./LinkedAccountsPage";

const OUT: SessionOut = { auth: "on", signed_in: false, first_owner_needed: false };
const ADA: SessionOut = {
  auth: "on",
  signed_in: true,
  first_owner_needed: false,
  person: { id: "ada", name: "Ada", email: "ada@example.org" },
  organisation: { id: "lab", name: "Lab", slug: "lab" },
  role: "viewer",
  organisations: [{ id: "lab", name: "Lab", slug: "lab", role: "viewer" }],
  csrf_token: "token-1",
  allowed: ["organisation:read"],
};
const at = "2026-01-01T12:00:00.000Z";
const LOGIN = { id: "login-1", issuer: "Company", created_at: at, last_used_at: at };

let left: string[];
beforeEach(() => {
  left = [];
});

function open(path: string, session: SessionOut, { issuers = [{ name: "company", title: "Company" }], logins = [LOGIN] } = {}) {
  server.use(
    http.get("*/api/auth/session", () => HttpResponse.json(session)),
    http.get("*/api/auth/issuers", () => HttpResponse.json({ items: issuers })),
    http.get("*/api/auth/logins", () => HttpResponse.json({ items: logins })),
  );
  const pages = [
    { path: "/sign-in", Component: SignInPage },
    { path: "/invitation", Component: InvitationPage },
    { path: "/settings/linked-accounts", Component: LinkedAccountsPage },
    { path: "/runs", Component: Account },
  ];
  return renderAt(path, pages.map(({ path: here, Component }) => ({ path: here, element: <Leave value={(to) => void left.push(to)}><Component /></Leave> })));
}

test("the button of an issuer leads there, with the way back", async () => {
  let sent: unknown;
  server.use(
    http.post("*/api/auth/issuers/:name/sign-in", async ({ request, params }) => {
      sent = [params.name, await request.json()];
      return HttpResponse.json({ location: "https://id.example/authorize?state=x" });
    }),
  );
  open("/sign-in?next=/tasks", OUT);
  await userEvent.click(await screen.findByRole("button", { name: "Sign in with Company" }));
  await waitFor(() => expect(left).toEqual(["https://id.example/authorize?state=x"]));
  expect(sent).toEqual(["company", { next: "/tasks" }]);
});

test("an invitation is accepted with the account at an issuer", async () => {
  let sent: unknown;
  server.use(
    http.post("*/api/auth/issuers/:name/sign-in", async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json({ location: "https://id.example/authorize?state=x" });
    }),
  );
  open("/invitation#link-token", OUT);
  await userEvent.click(await screen.findByRole("button", { name: "Join with Company" }));
  await waitFor(() => expect(left).toEqual(["https://id.example/authorize?state=x"]));
  expect(sent).toEqual({ next: "/", invitation: "link-token" });
});

test("an issuer that does not answer is named at the buttons", async () => {
  server.use(http.post("*/api/auth/issuers/:name/sign-in", () => HttpResponse.json({ title: "Issuer unavailable", status: 502, detail: "Company does not answer as it should." }, { status: 502 })));
  open("/sign-in", OUT);
  await userEvent.click(await screen.findByRole("button", { name: "Sign in with Company" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("Company does not answer as it should.");
  expect(left).toEqual([]);
});

test("without issuers there is the form alone", async () => {
  open("/sign-in", OUT, { issuers: [] });
  expect(await screen.findByRole("button", { name: "Sign in" })).toBeVisible();
  expect(screen.queryByText("or with a password")).toBeNull();
});

test.each([
  ["account-exists", /link the other one under Linked accounts/],
  ["not-allowed", /Ask an admin/],
  ["<script>", /The sign-in failed/],
])("the refusal %s is explained", async (reason, sentence) => {
  open(`/sign-in?${new URLSearchParams({ refused: reason })}`, OUT);
  expect(await screen.findByRole("alert")).toHaveTextContent(sentence);
});

test("an account is linked with the CSRF token, and removed after a question", async () => {
  const asked: string[] = [];
  server.use(
    http.post("*/api/auth/issuers/:name/link", ({ request, params }) => {
      asked.push(`link ${String(params.name)} ${request.headers.get("x-csrf-token")}`);
      return HttpResponse.json({ location: "https://id.example/link" });
    }),
    http.delete("*/api/auth/logins/:id", ({ request, params }) => {
      asked.push(`remove ${String(params.id)} ${request.headers.get("x-csrf-token")}`);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  open("/settings/linked-accounts?refused=taken", ADA);
  expect(await screen.findByRole("alert")).toHaveTextContent("belongs to another account");
  await userEvent.click(await screen.findByRole("button", { name: "Remove Company" }));
  await userEvent.click(await screen.findByRole("button", { name: "Delete it" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Delete it" })).toBeNull());
  await userEvent.click(screen.getByRole("button", { name: "Link Company" }));
  await waitFor(() => expect(left).toEqual(["https://id.example/link"]));
  expect(asked).toEqual(["remove login-1 token-1", "link company token-1"]);
});

test("signing out leads to the issuer where the session began", async () => {
  server.use(http.post("*/api/auth/issuers/sign-out", () => HttpResponse.json({ location: "https://id.example/logout" })));
  open("/runs", ADA);
  await userEvent.click(await screen.findByRole("button", { name: "Ada" }));
  expect(await screen.findByRole("menuitem", { name: "Linked accounts" })).toBeVisible();
  await userEvent.click(screen.getByRole("menuitem", { name: "Sign out" }));
  await waitFor(() => expect(left).toEqual(["https://id.example/logout"]));
});
