import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { CreateSchedule, DueTimes, FiringOut, FiringPage, ScheduleOut, SchedulePage as Page } from "@/api/generated/orchestrator";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import SchedulePage from "./SchedulePage";
import SchedulesPage from "./SchedulesPage";

const REQUEST = { targets: [{ provider_id: "provider-1", model: "model-a" }], collection_ids: ["collection-1"] };
const TIMES = [{ at: "2026-11-25T01:00:00.000Z", local: "2026-11-25T02:00:00+01:00" }];
const FAILED: FiringOut = {
  id: "firing-1", cause: "DUE", status: "FAILED", due_at: "2026-11-24T01:00:00Z", fired_at: "2026-11-24T01:00:00Z", missed: 2,
  reason: "there is no provider of that id", run: null,
};

function schedule(more: Partial<ScheduleOut> = {}): ScheduleOut {
  return {
    id: "schedule-1", name: "Nightly", cron: "0 2 * * *", time_zone: "Europe/Berlin", what: { kind: "run", request: REQUEST }, skip_if_running: true,
    paused: false, next_times: TIMES, last: null, version: 1, created_at: "2026-11-20T00:00:00Z", updated_at: "2026-11-20T00:00:00Z", ...more,
  };
}

const ROUTES = [
  { path: "/runs/schedules", Component: SchedulesPage },
  { path: "/runs/schedules/:scheduleId", Component: SchedulePage },
];

let all: ScheduleOut[];
beforeEach(() => {
  all = [];
  server.use(
    http.get("*/api/schedules/next-times", () => HttpResponse.json({ time_zone: "Europe/Berlin", items: TIMES } satisfies DueTimes)),
    http.get("*/api/schedules", () => HttpResponse.json({ items: all, next_cursor: null } satisfies Page)),
    http.get("*/api/schedules/:id", () => HttpResponse.json(all[0])),
    http.get("*/api/schedules/:id/firings", () => HttpResponse.json({ items: [FAILED], next_cursor: null } satisfies FiringPage)),
  );
});

test("schedules are listed with the next time in their zone, and why the last one failed", async () => {
  all = [schedule({ last: FAILED }), schedule({ id: "schedule-2", name: "Weekly", paused: true, next_times: [] })];
  renderAt("/runs/schedules", ROUTES);
  const failed = within(await screen.findByRole("row", { name: /Nightly/ }));
  expect(failed.getAllByText("Wed, Nov 25, 2026, 02:00")[0]).toBeVisible();
  expect(failed.getByText("Not started")).toBeVisible();
  expect(failed.getByText("there is no provider of that id")).toBeVisible();
  expect(within(screen.getByRole("row", { name: /Weekly/ })).getAllByText("Paused")[0]).toBeVisible();
});

test("without schedules the page says how to make one", async () => {
  renderAt("/runs/schedules", ROUTES);
  expect(await screen.findByRole("heading", { name: "No schedules yet" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Compose a run" })).toHaveAttribute("href", "/runs/new");
});

test("a composed run is scheduled as it was composed", async () => {
  let sent: CreateSchedule | undefined;
  server.use(
    http.post("*/api/schedules", async ({ request }) => {
      sent = (await request.json()) as CreateSchedule;
      all = [schedule({ name: sent.name })];
      return HttpResponse.json(all[0], { status: 201 });
    }),
  );
  const { router } = renderAt("/runs/schedules", ROUTES);
  await router.navigate("/runs/schedules", { state: { what: { kind: "run", request: REQUEST } } });
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText("Wed, Nov 25, 2026, 02:00")).toBeVisible();
  await userEvent.click(dialog.getByRole("button", { name: "Create" }));
  expect(dialog.getByText(/^Enter a name/)).toBeVisible();
  await userEvent.type(dialog.getByRole("textbox", { name: /^Name/ }), "Each night");
  await userEvent.click(dialog.getByRole("button", { name: "Create" }));
  expect(await screen.findByRole("heading", { name: "Each night" })).toBeVisible();
  expect(sent).toMatchObject({ name: "Each night", cron: "0 2 * * *", skip_if_running: true, what: { kind: "run", request: REQUEST } });
});

test("an expression that is never due is said at its field", async () => {
  server.use(
    http.get("*/api/schedules/next-times", () =>
      HttpResponse.json({ title: "Invalid schedule", status: 422, detail: "", errors: [{ field: "cron", message: "is never due" }] }, { status: 422 }),
    ),
  );
  const { router } = renderAt("/runs/schedules", ROUTES);
  await router.navigate("/runs/schedules", { state: { what: { kind: "run", request: REQUEST } } });
  expect(await screen.findByText("is never due")).toBeVisible();
});

test("the history says what was missed and why nothing ran", async () => {
  all = [schedule()];
  renderAt("/runs/schedules/schedule-1", ROUTES);
  const history = within(await screen.findByRole("region", { name: "History" }));
  expect(await history.findByText("and 2 later times, missed too")).toBeVisible();
  expect(history.getAllByText("there is no provider of that id")[0]).toBeVisible();
});

test("a suite is scheduled, and the secret of its webhook is shown once", async () => {
  const request = { suite_id: "suite-1", models: [{ provider: "provider-1", name: "model-a" }], webhook_url: "https://hook.example.org" };
  let sent: CreateSchedule | undefined;
  server.use(
    http.post("*/api/schedules", async ({ request: body }) => {
      sent = (await body.json()) as CreateSchedule;
      all = [schedule({ name: sent.name, what: { kind: "suite", request } })];
      return HttpResponse.json({ ...all[0], webhook_secret: "whsec_once" }, { status: 201 });
    }),
  );
  const { router } = renderAt("/runs/schedules", ROUTES);
  await router.navigate("/runs/schedules", { state: { what: { kind: "suite", request } } });
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("model-a on a suite")).toBeVisible();
  await userEvent.type(dialog.getByRole("textbox", { name: /^Name/ }), "Each night");
  await userEvent.click(dialog.getByRole("button", { name: "Create" }));
  expect(await screen.findByText("whsec_once")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Done" }));
  expect(await screen.findByRole("heading", { name: "Each night" })).toBeVisible();
  expect(screen.queryByText("whsec_once")).toBeNull();
  expect(sent).toMatchObject({ name: "Each night", what: { kind: "suite", request } });
});
