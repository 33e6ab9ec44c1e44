import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import { renderAt } from "@/testing/render";
import { RUN_ID, runSummary, statusChanged } from "@/testing/samples";
import { answers, server } from "@/testing/server";
import RunsPage from "./RunsPage";

const open = (path = "/runs") => renderAt(path, [{ path: "/runs", Component: RunsPage }]);

test("a run is a row with its facts and a link", async () => {
  server.use(answers.runs(() => ({ items: [runSummary({ target_scores: [{ target_id: "target-1", scored: 4, mean_score: 0.725, mean_score_interval: { low: 0.6, high: 0.85 } }] })], next_cursor: null })));
  open();
  const row = (await screen.findByRole("link", { name: "First run" })).closest("tr")!;
  expect(within(row).getByRole("link")).toHaveAttribute("href", `/runs/${RUN_ID}`);
  for (const text of ["Running", "Benchmarking", "judge-1", "Arithmetic"]) expect(within(row).getByText(text)).toBeVisible();
  expect(within(within(row).getAllByRole("list", { name: "Targets" })[0]!).getByRole("listitem")).toHaveTextContent("tiny t=072.5%, 95% interval 60.0 – 85.0");
  expect(within(row).getByRole("progressbar")).toHaveAttribute("aria-valuetext", "0 of 4: 0 judged, 0 failed, 1 answered");
});

test("without runs it says what to do next", async () => {
  server.use(answers.runs(() => ({ items: [], next_cursor: null })));
  open();
  expect(await screen.findByRole("heading", { name: "No runs yet" })).toBeVisible();
  expect(screen.getByText("make demo")).toBeVisible();
  expect(screen.getAllByRole("listitem").map((one) => one.querySelector("a")?.getAttribute("href"))).toEqual(["/providers", "/import", "/runs/new"]);
});

test("a failure gives its reason, and trying again helps", async () => {
  server.use(answers.problem("*/api/runs", { title: "Service unavailable", status: 503, detail: "The database does not answer." }));
  open();
  expect(await screen.findByRole("alert")).toHaveTextContent("The database does not answer.");
  server.use(answers.runs(() => ({ items: [runSummary()], next_cursor: null })));
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("link", { name: "First run" })).toBeVisible();
});

test("the status filter is read from the URL and written to it", async () => {
  const asked: string[][] = [];
  server.use(
    answers.runs((status) => {
      asked.push(status);
      return { items: status.includes("PAUSED") ? [] : [runSummary()], next_cursor: null };
    }),
  );
  const { router } = open("/runs?status=PAUSED");
  expect(await screen.findByRole("heading", { name: "No run matches these filters" })).toBeVisible();
  await userEvent.click(await screen.findByRole("button", { name: "Paused" }));
  expect(await screen.findByRole("link", { name: "First run" })).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Running" }));
  expect(router.state.location.search).toBe("?status=RUNNING");
  await waitFor(() => expect(asked).toEqual([["PAUSED"], [], ["RUNNING"]]));
});

test("more runs are loaded by the cursor", async () => {
  server.use(
    answers.runs((_status, cursor) =>
      cursor === "older"
        ? { items: [runSummary({ id: "2", name: "Older run" })], next_cursor: null }
        : { items: [runSummary()], next_cursor: "older" },
    ),
  );
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Load more" }));
  expect(await screen.findByRole("link", { name: "Older run" })).toBeVisible();
  expect(screen.getByRole("link", { name: "First run" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Load more" })).toBeNull();
});

test("events move a row without a reload", async () => {
  server.use(answers.runs(() => ({ items: [runSummary()], next_cursor: null })));
  const { connection } = open();
  await screen.findByRole("link", { name: "First run" });
  const progressed = { type: "llmbench.run.progressed.v1", run_id: RUN_ID, run_seq: 9, at: "2026-01-01T12:00:01.000Z", phase: "JUDGING", items: 4, answered: 4, judged: 3, failed: 1 };
  act(() => connection.send("/topic/runs", JSON.stringify(progressed)));
  await waitFor(() => expect(screen.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "4"));
  expect(screen.getByText("Judging")).toBeVisible();
});

test("a run that is new to the list makes it ask again", async () => {
  const runs = [runSummary()];
  server.use(answers.runs(() => ({ items: [...runs], next_cursor: null })));
  const { connection } = open();
  await screen.findByRole("link", { name: "First run" });
  runs.unshift(runSummary({ id: "new", name: "New run" }));
  act(() => connection.send("/topic/runs", JSON.stringify({ ...statusChanged(1, "RUNNING"), run_id: "new" })));
  expect(await screen.findByRole("link", { name: "New run" })).toBeVisible();
});

test("text, tags and days are filters of the server, and live in the URL", async () => {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get("*/api/runs", ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ items: [runSummary({ tags: ["nightly"] })], next_cursor: null });
    }),
  );
  const { router } = open("/runs?tag=nightly&tag=weekly&provider=p&provider=q&suite=Nightly&from=2026-01-02&to=2026-01-03");
  await screen.findByRole("link", { name: "First run" });
  expect(asked[0]!.getAll("tag")).toEqual(["nightly", "weekly"]);
  expect(asked[0]!.getAll("provider_id")).toEqual(["p", "q"]);
  expect(asked[0]!.get("suite")).toBe("Nightly");
  expect(screen.getByRole("combobox", { name: "Suite" })).toHaveDisplayValue("Nightly");
  expect(new Date(asked[0]!.get("created_from")!)).toEqual(new Date(2026, 0, 2));
  expect(new Date(asked[0]!.get("created_before")!)).toEqual(new Date(2026, 0, 4));
  await userEvent.type(screen.getByRole("searchbox"), "first");
  await waitFor(() => expect(asked.at(-1)!.get("q")).toBe("first"));
  expect(router.state.location.search).toContain("q=first");
});

test("a run is deleted once its name is typed; one that is active says why it cannot be", async () => {
  const runs = [runSummary({ id: "done", name: "Done", status: "FINISHED" }), runSummary()];
  server.use(
    answers.runs(() => ({ items: [...runs], next_cursor: null })),
    http.delete("*/api/runs/done", () => {
      runs.shift();
      return new HttpResponse(null, { status: 204 });
    }),
  );
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Actions for First run" }));
  const refused = await screen.findByRole("menuitem", { name: /^Delete/ });
  expect(refused).toHaveAttribute("aria-disabled", "true");
  expect(refused).toHaveTextContent("Pause or cancel it first.");
  await userEvent.keyboard("{Escape}");
  await userEvent.click(screen.getByRole("button", { name: "Actions for Done" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Delete" }));
  await userEvent.type(await screen.findByRole("textbox", { name: /Type delete to confirm/ }), "delete{Enter}");
  // While the dialog is open, no link of the page behind it is accessible.
  expect(await screen.findByRole("link", { name: "First run" })).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("link", { name: "Done" })).toBeNull());
});

const queued = (id: string, position: number) => runSummary({ id, name: `Run ${id}`, status: "QUEUED", queue: { position, priority: 0, estimated_start: null } });

test("queued runs stand on top in their order; one is moved up, and one is cancelled after a question", async () => {
  const waiting = [queued("a", 1), queued("b", 2)];
  const sent: unknown[] = [];
  server.use(
    answers.runs(() => ({ items: [runSummary()], next_cursor: null })),
    http.get("*/api/runs/queue", () => HttpResponse.json({ items: waiting, next_cursor: null })),
    http.post("*/api/runs/b/move", async ({ request }) => {
      sent.push(await request.json());
      waiting.reverse();
      return HttpResponse.json(waiting[0]);
    }),
    http.post("*/api/runs/a/cancel", () => HttpResponse.json(waiting.pop(), { status: 202 })),
  );
  open();
  const queue = within(await screen.findByRole("region", { name: "Queue" }));
  expect(queue.getAllByRole("listitem").map((one) => one.textContent)).toEqual([expect.stringContaining("Run a"), expect.stringContaining("Run b")]);
  expect(queue.getByRole("button", { name: "Move Run a up" })).toBeDisabled();
  await userEvent.click(queue.getByRole("button", { name: "Move Run b up" }));
  await waitFor(() => expect(queue.getAllByRole("listitem")[0]).toHaveTextContent("Run b"));
  expect(sent).toEqual([{ position: 1 }]);
  await userEvent.click(queue.getByRole("button", { name: "Cancel Run a" }));
  await userEvent.click(await screen.findByRole("button", { name: "Cancel the run" }));
  await waitFor(() => expect(queue.getAllByRole("listitem")).toHaveLength(1));
});

test("where there is the built-in model, one click runs sample tasks on it", async () => {
  let sent: unknown;
  server.use(
    answers.runs(() => ({ items: [], next_cursor: null })),
    http.get("*/api/providers", () => HttpResponse.json({ items: [{ id: "built-in", name: "Built-in SmolLM2" }], next_cursor: null })),
    http.get("*/api/providers/built-in/models", () => HttpResponse.json({ models: [{ id: "small" }], latency_ms: 1, supported: true })),
    http.post("*/api/tasks/import", () => HttpResponse.json({ format: "yaml", dry_run: false, row_count: 48, collection: { id: "samples", name: "Sample tasks" } })),
    http.post("*/api/runs", async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json({ id: RUN_ID }, { status: 201 });
    }),
  );
  const { router } = open();
  await userEvent.click(await screen.findByRole("button", { name: "Run 16 sample tasks now" }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/runs/${RUN_ID}`));
  expect(sent).toMatchObject({ collection_ids: ["samples"], sample: { size: 16 }, allow_self_judging: true, judge: { provider_id: "built-in", model: "small" } });
});
