import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import { renderAt } from "@/testing/render";
import { runSummary } from "@/testing/samples";
import { answers, server } from "@/testing/server";
import { readOrder, toggled, writeOrder } from "./run-order";
import RunsPage from "./RunsPage";
import { targetBars } from "./target-bars";

const open = (path: string) => renderAt(path, [{ path: "/runs", Component: RunsPage }]);
const score = (id: string, mean: number | null) => ({ target_id: id, scored: mean === null ? 0 : 1, mean_score: mean, mean_score_interval: null });
const three = () => ["a", "b", "c"].map((id) => runSummary({ id, name: `Run ${id}`, status: "FINISHED", tags: id === "c" ? [] : ["nightly"] }));

test("the usual order has no place in the URL, and a second click turns a column round", () => {
  expect(readOrder(new URLSearchParams("sort=colour&order=up&group=judge"))).toEqual({ sort: "created_at", order: "desc", group: null });
  expect(String(writeOrder(new URLSearchParams("q=x&sort=name"), "created_at", "desc"))).toBe("q=x");
  expect(String(writeOrder(new URLSearchParams(), "best_score", "asc"))).toBe("sort=best_score&order=asc");
  expect([toggled({ sort: "name", order: "asc" }, "name"), toggled({ sort: "name", order: "asc" }, "cost_usd")]).toEqual(["desc", "desc"]);
});

test("bars stand by score, and targets without one come last", () => {
  const targets = ["a", "b", "c"].map((id) => ({ ...runSummary().targets[0]!, id, label: id }));
  expect(targetBars({ targets, target_scores: [score("a", 0.2), score("b", null), score("c", 0)] }).map((one) => one.id)).toEqual(["a", "c", "b"]);
  expect(targetBars({ targets }).map((one) => one.mean)).toEqual([null, null, null]);
});

test("a run of 20 targets shows its best three and how many more", async () => {
  const targets = Array.from({ length: 20 }, (_, place) => ({ ...runSummary().targets[0]!, id: `t${place}`, label: `Target ${place}` }));
  const scores = targets.map((one, place) => ({ target_id: one.id, scored: 1, mean_score: place / 20, mean_score_interval: null }));
  server.use(answers.runs(() => ({ items: [runSummary({ targets, target_scores: scores })], next_cursor: null })));
  open("/runs");
  const [list] = await screen.findAllByRole("list", { name: "Targets" });
  expect(within(list!).getAllByRole("listitem").map((one) => one.textContent)).toEqual(["Target 1995.0%", "Target 1890.0%", "Target 1785.0%"]);
  expect(screen.getAllByText("and 17 more")[0]).toBeVisible();
});

test("a heading sorts on the server, and the URL keeps it", async () => {
  const asked: string[] = [];
  server.use(
    http.get("*/api/runs", ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(`${searchParams.get("sort")} ${searchParams.get("order")}`);
      return HttpResponse.json({ items: three(), next_cursor: null });
    }),
  );
  const { router } = open("/runs?sort=cost_usd");
  const cost = await screen.findByRole("columnheader", { name: "Cost" });
  expect(cost).toHaveAttribute("aria-sort", "descending");
  await userEvent.click(within(screen.getByRole("columnheader", { name: "Targets and scores" })).getByRole("button"));
  await waitFor(() => expect(router.state.location.search).toBe("?sort=best_score"));
  await userEvent.click(within(screen.getByRole("columnheader", { name: "Targets and scores" })).getByRole("button"));
  await waitFor(() => expect(router.state.location.search).toBe("?sort=best_score&order=asc"));
  await userEvent.selectOptions(await screen.findByRole("combobox", { name: "Sort by" }), "Failures");
  await waitFor(() => expect(asked).toEqual(["cost_usd desc", "best_score desc", "best_score asc", "failed desc"]));
});

test("groups load their runs when they are open", async () => {
  const asked: string[] = [];
  server.use(
    http.get("*/api/runs/groups", () => HttpResponse.json({ items: [{ key: "nightly", runs: 2 }, { key: null, runs: 1 }], next_cursor: null })),
    http.get("*/api/runs", ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(searchParams.get("tag") ?? searchParams.get("has_tag") ?? "all");
      const chosen = three().filter((run) => (searchParams.has("tag") ? run.tags.length > 0 : searchParams.has("has_tag") ? run.tags.length === 0 : true));
      return HttpResponse.json({ items: chosen, next_cursor: null });
    }),
  );
  const { router } = open("/runs?group=tag&shut=nightly");
  const without = within(await screen.findByRole("region", { name: /Without a tag/ }));
  expect(await without.findByRole("link", { name: "Run c" })).toBeVisible();
  const nightly = within(screen.getByRole("region", { name: /nightly/ }));
  expect(nightly.queryByRole("link")).toBeNull();
  expect(asked).not.toContain("nightly");
  await userEvent.click(nightly.getByRole("button", { name: /nightly/, expanded: false }));
  expect(await nightly.findByRole("link", { name: "Run a" })).toBeVisible();
  expect(router.state.location.search).toBe("?group=tag");
});

test("chosen runs get and lose tags by one request", async () => {
  let sent: unknown;
  server.use(
    answers.runs(() => ({ items: three(), next_cursor: null })),
    http.post("*/api/runs/tag", async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json({ changed: 2 });
    }),
  );
  open("/runs");
  await userEvent.click(await screen.findByRole("checkbox", { name: "Choose Run a" }));
  await userEvent.click(screen.getByRole("checkbox", { name: "Choose Run b" }));
  expect(screen.getByRole("link", { name: "Compare" })).toHaveAttribute("href", "/compare?run=a&run=b");
  await userEvent.click(screen.getByRole("button", { name: "Tags" }));
  await userEvent.type(await screen.findByRole("combobox", { name: "Add" }), "good{Enter}");
  await userEvent.type(screen.getByRole("combobox", { name: "Remove" }), "nightly{Enter}");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent).toEqual({ run_ids: ["a", "b"], add: ["good"], remove: ["nightly"] }));
});

test("all shown runs are deleted after their number was typed, and a refused one can be left out", async () => {
  const sent: string[][] = [];
  server.use(
    answers.runs(() => ({ items: three(), next_cursor: null })),
    http.post("*/api/runs/delete", async ({ request }) => {
      const { run_ids: ids } = (await request.json()) as { run_ids: string[] };
      sent.push(ids);
      const problem = { title: "Some runs cannot be deleted", status: 409, detail: "No run was deleted. 'Run b' is RUNNING.", refused: [{ run_id: "b", name: "Run b", reason: "It is RUNNING." }] };
      return ids.includes("b") ? HttpResponse.json(problem, { status: 409 }) : HttpResponse.json({ deleted: ids, missing: [] });
    }),
  );
  open("/runs");
  await userEvent.click(await screen.findByRole("checkbox", { name: "Choose all shown" }));
  await userEvent.click(screen.getByRole("button", { name: "Delete" }));
  await userEvent.type(await screen.findByRole("textbox", { name: /Type delete 3 to confirm/ }), "delete 3{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent("'Run b' is RUNNING.");
  await userEvent.click(screen.getByRole("button", { name: "Leave that run out" }));
  const again = await screen.findByRole("textbox", { name: /Type delete 2 to confirm/ });
  await userEvent.clear(again);
  await userEvent.type(again, "delete 2{Enter}");
  await waitFor(() => expect(sent.map((ids) => ids.toSorted())).toEqual([["a", "b", "c"], ["a", "c"]]));
  await waitFor(() => expect(screen.queryByRole("region", { name: "Chosen runs" })).toBeNull());
});
