import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import type { ApiKeyIn, MemberOut, OrganisationOut, SessionOut } from "@/api/generated/identity";
import type { Right } from "@/lib/rights";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import ApiKeysPage from "./ApiKeysPage";
import AccountPage from "./AccountPage";
import AuditLogPage from "./AuditLogPage";
import MembersPage from "./MembersPage";
import OrganisationPage from "./OrganisationPage";

const at = "2026-01-01T12:00:00.000Z";
const ALL: Right[] = ["members:read", "members:update", "members:delete", "invitations:read", "invitations:create", "invitations:delete", "api-keys:read", "api-keys:create", "api-keys:delete", "audit-log:read"];
const ADA: MemberOut = { id: "ada", name: "Ada", email: "ada@example.org", role: "owner", created_at: at };
const BOB: MemberOut = { id: "bob", name: "Bob", email: "bob@example.org", role: "member", created_at: at };

function open(path: string, { role = "admin", allowed = ALL }: Partial<SessionOut> = {}) {
  const session: SessionOut = { auth: "on", signed_in: true, first_owner_needed: false, role, allowed, csrf_token: "token-1", person: { id: "bob", name: "Bob", email: "bob@example.org" } };
  server.use(
    http.get("*/api/auth/session", () => HttpResponse.json(session)),
    http.get("*/api/members", () => HttpResponse.json({ items: [ADA, BOB], next_cursor: null })),
    http.get("*/api/invitations", () => HttpResponse.json({ items: [], next_cursor: null })),
    http.get("*/api/api-keys", () => HttpResponse.json({ items: [], next_cursor: null })),
  );
  return renderAt(path, [
    { path: "/members", Component: MembersPage },
    { path: "/account", Component: AccountPage },
    { path: "/keys", Component: ApiKeysPage },
    { path: "/log", Component: AuditLogPage },
    { path: "/organisation", Component: OrganisationPage },
  ]);
}

test("an admin changes the role of a member, and cannot touch an owner", async () => {
  let sent: unknown;
  server.use(
    http.patch("*/api/members/:id", async ({ request, params }) => {
      sent = [params.id, await request.json(), request.headers.get("x-csrf-token")];
      return HttpResponse.json({ ...BOB, role: "viewer" });
    }),
  );
  open("/members");
  await userEvent.selectOptions(await screen.findByLabelText("Role of Bob"), "viewer");
  await waitFor(() => expect(sent).toEqual(["bob", { role: "viewer" }, "token-1"]));
  expect(screen.queryByLabelText("Role of Ada")).toBeNull();
  expect(screen.queryByRole("button", { name: "Remove Ada" })).toBeNull();
});

test("a person renews the recovery codes, which are shown once", async () => {
  const sent: unknown[] = [];
  server.use(
    http.get("*/api/auth/sessions", () => HttpResponse.json({ items: [] })),
    http.get("*/api/auth/second-factor", () => HttpResponse.json({ enabled: true, required: false, recovery_codes: 2 })),
    http.post("*/api/auth/second-factor/recovery-codes", async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ codes: ["aaaa-bbbb-cccc-dddd", "eeee-ffff-gggg-hhhh"] });
    }),
  );
  open("/account");
  expect(await screen.findByText(/2 recovery codes left/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Renew the recovery codes" }));
  await userEvent.click(screen.getByRole("button", { name: "Renew them" }));
  expect(await screen.findByText("Enter your password, or a code of your app.")).toBeVisible();
  await userEvent.type(screen.getByLabelText(/^Code of your app/), "123456");
  await userEvent.click(screen.getByRole("button", { name: "Renew them" }));
  expect(await screen.findByText(/aaaa-bbbb-cccc-dddd/)).toBeVisible();
  expect(sent).toEqual([{ code: "123456" }]);
});

test("a viewer is offered no action", async () => {
  open("/members", { role: "viewer", allowed: ["members:read"] });
  const list = within(await screen.findByRole("list", { name: "Members" }));
  expect(list.queryByRole("combobox")).toBeNull();
  expect(screen.queryByRole("button", { name: /Remove|Invite/ })).toBeNull();
});

test("a role without the right gets an explanation in place of the list", async () => {
  open("/keys", { role: "viewer", allowed: ["members:read"] });
  expect(await screen.findByText("Your role does not allow this")).toBeVisible();
});

test("the link of an invitation is shown once", async () => {
  server.use(http.post("*/api/invitations", () => HttpResponse.json({ id: "i", role: "member", email: null, created_by: "bob", created_at: at, expires_at: at, token: "t", path: "/invitation#t" }, { status: 201 })));
  open("/members");
  await userEvent.click(await screen.findByRole("button", { name: "Invite somebody" }));
  await userEvent.click(await screen.findByRole("button", { name: "Make the link" }));
  expect(await screen.findByText(`${location.origin}/invitation#t`)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "I have kept it" }));
  await waitFor(() => expect(screen.queryByText(`${location.origin}/invitation#t`)).toBeNull());
});

test("a key is made with the chosen rights, and a taken name is shown at its field", async () => {
  const sent: ApiKeyIn[] = [];
  server.use(
    http.post("*/api/api-keys", async ({ request }) => {
      const body = (await request.json()) as ApiKeyIn;
      sent.push(body);
      if (body.name === "ci") return HttpResponse.json({ title: "Already exists", status: 409, detail: "This name is taken.", errors: [{ field: "name", message: "is taken" }] }, { status: 409 });
      return HttpResponse.json({ id: "k", person_id: "bob", person_name: "Bob", created_at: at, expires_at: null, last_used_at: null, ...body, key: "llmb_secret" }, { status: 201 });
    }),
  );
  open("/keys");
  await userEvent.click(await screen.findByRole("button", { name: "New API key" }));
  const name = await screen.findByLabelText(/^Name/);
  await userEvent.type(name, "ci");
  await userEvent.click(screen.getByLabelText("Only some of my rights"));
  await userEvent.click(screen.getByRole("button", { name: "Make the key" }));
  expect(await screen.findByText("Choose at least one.")).toBeVisible();
  await userEvent.click(screen.getByLabelText("members:read"));
  await userEvent.click(screen.getByRole("button", { name: "Make the key" }));
  await waitFor(() => expect(name).toHaveAccessibleDescription("is taken"));
  await userEvent.type(name, "2{Enter}");
  expect(await screen.findByText("llmb_secret")).toBeVisible();
  expect(sent.at(-1)).toEqual({ name: "ci2", scopes: ["members:read"], expires_at: null, service_account_id: null });
});

test("the audit log is filtered by the address, and paged", async () => {
  const asked: string[] = [];
  server.use(
    http.get("*/api/audit-log", ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(`${searchParams.get("resource")} ${searchParams.get("cursor")}`);
      const entry = { id: "e", at, person_id: "ada", person_name: "Ada", address: null, action: "created", resource: "api-key", resource_id: "k", before: null, after: { name: "ci" } };
      return HttpResponse.json({ items: [entry], next_cursor: searchParams.has("cursor") ? null : "c1" });
    }),
  );
  open("/log?resource=api-key");
  expect(await screen.findByText('after: {"name":"ci"}')).toBeVisible();
  expect(screen.getByRole("link", { name: "CSV" })).toHaveAttribute("href", "/api/audit-log/export?resource=api-key");
  await userEvent.click(screen.getByRole("button", { name: "Next" }));
  expect(await screen.findByText("Page 2")).toBeVisible();
  await waitFor(() => expect(asked).toEqual(["api-key null", "api-key c1"]));
});

const ENGINES: OrganisationOut = {
  id: "engines", name: "Engines", slug: "engines", plan: "STARTER", billing_email: null, require_second_factor: false, closable: true, version: 1, created_at: at, updated_at: at,
  settings: { cost_budget_monthly_usd: null, default_evaluators: [], data_retention_days: 30 },
  limits: { concurrency: 20, runs_a_day: 100, storage_bytes: null, members: 10 },
};

function openOrganisation(allowed: Right[]) {
  server.use(
    http.get("*/api/organisations/current", () => HttpResponse.json(ENGINES)),
    http.get("*/api/evaluators", () => HttpResponse.json({ items: [] })),
  );
  return open("/organisation", { role: "owner", allowed });
}

test("an owner sets a budget and removes the age of runs", async () => {
  let sent: unknown;
  server.use(
    http.patch("*/api/organisations/current", async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json({ ...ENGINES, version: 2 });
    }),
  );
  openOrganisation(["organisation:read", "organisation:update"]);
  await userEvent.type(await screen.findByLabelText(/^Budget per month/), "12.5");
  await userEvent.clear(screen.getByLabelText(/^Remove finished runs/));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent).toEqual({ name: "Engines", billing_email: null, settings: { cost_budget_monthly_usd: 12.5, data_retention_days: null, default_evaluators: null } }));
});

test("an owner closes the organisation after typing a word", async () => {
  let sent: string | null = null;
  server.use(
    http.delete("*/api/organisations/current", ({ request }) => {
      sent = new URL(request.url).searchParams.get("slug");
      return HttpResponse.json({ title: "Not confirmed", status: 422, detail: "Send the short name of the organisation, motors." }, { status: 422 });
    }),
  );
  openOrganisation(["organisation:read", "organisation:update", "organisation:delete"]);
  await userEvent.click(await screen.findByRole("button", { name: "Close the organisation…" }));
  expect(await screen.findByRole("button", { name: "Close it" })).toBeDisabled();
  await userEvent.type(screen.getByLabelText(/^Type/), "close");
  await userEvent.click(screen.getByRole("button", { name: "Close it" }));
  expect(await screen.findByText(/Send the short name/)).toBeVisible();
  expect(sent).toBe("engines");
});

test("a member sees the plan, and changes nothing", async () => {
  openOrganisation(["organisation:read"]);
  expect(await screen.findByText("STARTER")).toBeVisible();
  expect(screen.getByLabelText(/^Budget per month/)).toBeDisabled();
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
});
