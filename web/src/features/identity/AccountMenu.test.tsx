import { screen, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import type { SessionOut } from "@/api/generated/identity";
import { toasts } from "@/components/Toast";
import { session } from "@/lib/rights";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import AccountMenu from "./AccountMenu";
import { Leave } from "./leave";

const ENGINES = { id: "engines-id", name: "Engines", slug: "engines", role: "owner" as const };
const MOTORS = { id: "motors-id", name: "Motors", slug: "motors", role: "member" as const };
const ADA: SessionOut = { auth: "on", signed_in: true, first_owner_needed: false, csrf_token: "token-1", person: { id: "ada", name: "Ada", email: "ada@example.org" }, allowed: [] };

/** Show the menu of a session. Return the organisations that it has changed to, and where the app was reloaded. */
function open(known: SessionOut, status = 200) {
  session.set(known);
  const switched: unknown[] = [];
  const left: string[] = [];
  server.use(
    http.get("*/api/auth/session", () => HttpResponse.json(known)),
    http.post("*/api/auth/organisation", async ({ request }) => {
      switched.push(await request.json());
      return HttpResponse.json(status === 200 ? known : { title: "No such organisation", status, detail: "It is closed." }, { status });
    }),
  );
  renderAt("/", [{ path: "/", element: <Leave value={(path) => void left.push(path)}><AccountMenu session={known} /></Leave> }]);
  return { switched, left };
}

test("a session whose organisation was closed moves to another one, and the next page says so", async () => {
  const { switched, left } = open({ ...ADA, organisations: [ENGINES, MOTORS] });
  await waitFor(() => expect(left).toEqual(["/"]));
  expect(switched).toEqual([{ id: "engines-id" }]);
  open({ ...ADA, organisation: ENGINES, role: "owner", organisations: [ENGINES, MOTORS] });
  expect(toasts.get().at(-1)?.text).toBe("Your organisation was closed, or you were removed from it. You are in Engines now.");
  expect(sessionStorage.getItem("llmbench.notice")).toBeNull();
});

test("a session stays where it is in an organisation, without any, and if the other one is closed as well", async () => {
  const inOne = open({ ...ADA, organisation: ENGINES, role: "owner", organisations: [ENGINES, MOTORS] });
  const inNone = open({ ...ADA, organisations: [] });
  const refused = open({ ...ADA, organisations: [MOTORS] }, 404);
  await waitFor(() => expect(toasts.get().at(-1)?.text).toBe("It is closed."));
  expect(refused.left).toEqual([]);
  await waitFor(() => expect(screen.getAllByRole("button", { name: "Ada" })).toHaveLength(3));
  expect([...inOne.switched, ...inNone.switched]).toEqual([]);
});
