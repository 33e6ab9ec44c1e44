import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import type { ReportLinkOut } from "@/api/generated/orchestrator";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import ShareDialog from "./ShareDialog";
import SharedReportPage from "./SharedReportPage";

const link = (id: string, more: Partial<ReportLinkOut> = {}): ReportLinkOut => ({ id, created_at: "2020-03-01T12:00:00Z", expires_at: "2020-03-08T12:00:00Z", opened_at: null, ...more });

test("a link is made, shown once, and revoked", async () => {
  const user = userEvent.setup();
  let links = [link("old", { opened_at: "2020-03-02T12:00:00Z" })];
  const sent: unknown[] = [];
  let closed = 0;
  server.use(
    http.get("*/api/runs/run/report-links", () => HttpResponse.json({ items: links })),
    http.post("*/api/runs/run/report-links", async ({ request }) => {
      sent.push(await request.json());
      links = [link("new", { expires_at: "2020-03-31T12:00:00Z" }), ...links];
      return HttpResponse.json({ link: links[0], token: "t0ken", path: "/shared-report#t0ken" }, { status: 201 });
    }),
    http.delete("*/api/runs/run/report-links/:id", ({ params }) => {
      links = links.filter(({ id }) => id !== params.id);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  renderAt("/", [{ path: "/", element: <ShareDialog runId="run" onClose={() => (closed += 1)} /> }]);
  const list = await screen.findByRole("list", { name: "Links that work" });
  expect(within(list).getByRole("listitem")).toHaveTextContent(/opened last/);
  await user.selectOptions(screen.getByLabelText("The link works for"), "30 days");
  await user.click(screen.getByRole("button", { name: "Make a link" }));
  expect(await screen.findByLabelText("Link")).toHaveValue(`${location.origin}/shared-report#t0ken`);
  expect(sent).toEqual([{ expires_in_days: 30 }]);
  // The test's page is at localhost.
  expect(screen.getByText(/^Only this machine can open it\. .* LLMBENCH_PUBLIC_ORIGINS/)).toBeVisible();
  await waitFor(() => expect(within(list).getAllByRole("listitem")).toHaveLength(2));
  await user.keyboard("{Escape}");
  expect(closed).toBe(0);
  await user.click(screen.getByRole("button", { name: /^Revoke the link until Mar 31/ }));
  await waitFor(() => expect(within(list).getAllByRole("listitem")).toHaveLength(1));
  expect(screen.queryByLabelText("Link")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(closed).toBe(1);
});

test("a link opens the report by a form, so that no address has the token", async () => {
  const seen: (string | null)[] = [];
  server.use(
    http.get("*/api/runs/shared/report", ({ request }) => {
      seen.push(request.headers.get("Llmbench-Report-Link"));
      return HttpResponse.json({ name: "Nightly <b>", expires_at: "2020-03-08T12:00:00Z" });
    }),
  );
  const { router } = renderAt("/shared-report#t0ken", [{ path: "/shared-report", Component: SharedReportPage }]);
  const form = (await screen.findByRole("button", { name: "Open the report" })).closest("form")!;
  expect(screen.getByRole("heading", { name: "Nightly <b>", level: 2 })).toBeVisible();
  expect([form.method, new URL(form.action).pathname, new FormData(form).get("token")]).toEqual(["post", "/api/runs/shared/report", "t0ken"]);
  expect(document.querySelector('meta[name="referrer"]')).toHaveAttribute("content", "same-origin");
  await waitFor(() => expect(router.state.location.hash).toBe(""));
  expect(new Set(seen)).toEqual(new Set(["t0ken"]));
});

test("a link that does not work is explained in the words of the server", async () => {
  sessionStorage.clear();
  server.use(http.get("*/api/runs/shared/report", () => HttpResponse.json({ type: "about:blank", title: "The link does not work", status: 410, detail: "Ask for a new one." }, { status: 410 })));
  renderAt("/shared-report#ended", [{ path: "/shared-report", Component: SharedReportPage }]);
  expect(await screen.findByRole("heading", { name: "The link does not work", level: 2 })).toBeVisible();
  expect(screen.getByText("Ask for a new one.")).toBeVisible();
});

test("a link without its token is said to be incomplete", async () => {
  sessionStorage.clear();
  renderAt("/shared-report", [{ path: "/shared-report", Component: SharedReportPage }]);
  expect(await screen.findByRole("heading", { name: "The link is incomplete" })).toBeVisible();
});
