import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { AskPlayground, ItemOut, RunDetail } from "@/api/generated/orchestrator";
import { renderAt } from "@/testing/render";
import { itemDetail, itemRow, RUN_ID, runDetail, scoreOut, target } from "@/testing/samples";
import { server } from "@/testing/server";
import PlaygroundPage from "./PlaygroundPage";
import { formOfItem, newTarget, toRequest } from "./playground-form";
import { readStreamed } from "./streamed";

let asked: AskPlayground[];
let run: RunDetail;
let rows: ItemOut[];
beforeEach(() => {
  asked = [];
  run = runDetail({ type: "PLAYGROUND", status: "RUNNING", evaluators: [], targets: [{ ...target, label: "tiny" }] });
  rows = [itemRow(0, { status: "IN_PROGRESS", target_label: "tiny" })];
  server.use(
    http.get("*/api/auth/session", () => HttpResponse.json({ auth: "off", signed_in: false, first_owner_needed: false, allowed: [] })),
    http.get("*/api/usage/budget", () => HttpResponse.json({ month: "2026-11-01", ends_on: "2026-12-01", budget_usd: null, spent_usd: 0, unpriced_calls: 0, state: "none", message: null, default_evaluators: [] })),
    http.get("*/api/providers", () => HttpResponse.json({ items: [{ id: "p", name: "Local", type: "OLLAMA" }], next_cursor: null })),
    http.get("*/api/providers/:id/models", () => HttpResponse.json({ supported: true, models: [{ id: "tiny" }, { id: "small" }] })),
    http.get("*/api/tasks", () => HttpResponse.json({ items: [], next_cursor: null })),
    http.post("*/api/playground", async ({ request }) => {
      asked.push((await request.json()) as AskPlayground);
      return HttpResponse.json(run, { status: 201 });
    }),
    http.get("*/api/runs/:id", () => HttpResponse.json(run)),
    http.get("*/api/runs/:id/items", () => HttpResponse.json({ items: rows, next_cursor: null })),
    http.get("*/api/runs/:id/items/:item", () => HttpResponse.json(itemDetail(rows[0]!, { answer: "It is **42**.", scores: [] }))),
  );
});

const open = (path = "/playground") => renderAt(path, [{ path: "/playground", Component: PlaygroundPage }]);

async function fill() {
  await userEvent.type(await screen.findByRole("textbox", { name: /Question/ }), "What is 17 + 25?");
  await userEvent.selectOptions(screen.getByLabelText("Provider"), "p");
  await userEvent.type(screen.getByRole("combobox", { name: "Model" }), "tiny");
  await userEvent.click(await screen.findByRole("option", { name: "tiny" }));
}

test("an answer is shown as it arrives, and then as it is stored", async () => {
  const { connection, router } = open();
  await fill();
  await userEvent.click(screen.getByRole("button", { name: "Ask" }));
  await waitFor(() => expect(router.state.location.search).toBe(`?run=${RUN_ID}`));
  expect(asked).toEqual([{ question: "What is 17 + 25?", targets: [{ provider_id: "p", model: "tiny" }], params: {} }]);
  const answer = within(await screen.findByRole("list", { name: "Answers" }));
  expect(answer.getByText("Waiting for the first words…")).toBeVisible();
  act(() => connection.send(`/topic/run/${RUN_ID}/answer`, JSON.stringify({ item_id: rows[0]!.id, content: "It is", reasoning: "" })));
  expect(await answer.findByText("It is")).toBeVisible();
  rows = [{ ...rows[0]!, status: "COMPLETED" }];
  run = { ...run, status: "FINISHED", outcome: "complete" };
  act(() => connection.send(`/topic/run/${RUN_ID}/status`, "{}"));
  expect((await answer.findByText("42")).closest("strong")).toBeVisible();
  expect(await screen.findByText("Answered")).toBeVisible();
});

test("missing fields are named, and nothing is asked", async () => {
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Ask" }));
  expect(await screen.findByText("Write a question, or take the one of a task.")).toBeVisible();
  expect(screen.getByText("Choose a provider.")).toBeVisible();
  expect(asked).toEqual([]);
});

test("a refusal names the run that holds the local model", async () => {
  server.use(http.post("*/api/playground", () => HttpResponse.json({ type: "about:blank", status: 409, title: "A run holds the local model", detail: "'Nightly' is active and uses a local model." }, { status: 409 })));
  open();
  await fill();
  await userEvent.keyboard("{Escape}");
  await userEvent.click(screen.getByRole("button", { name: "Ask" }));
  expect(await screen.findByText(/'Nightly' is active/)).toBeVisible();
});

test("a finished question is judged on request, and kept as a run", async () => {
  run = { ...run, status: "FINISHED", outcome: "complete" };
  rows = [{ ...rows[0]!, status: "COMPLETED" }];
  const sent: unknown[] = [];
  server.use(
    http.post("*/api/runs/:id/evaluators", async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(run, { status: 202 });
    }),
    http.post("*/api/playground/:id/keep", () => {
      run = { ...run, type: "BENCHMARK" };
      return HttpResponse.json(run);
    }),
  );
  open(`/playground?run=${RUN_ID}`);
  await userEvent.click(await screen.findByRole("button", { name: "Judge the answers" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.selectOptions(dialog.getByLabelText("Provider"), "p");
  await userEvent.type(dialog.getByRole("combobox", { name: "Model" }), "small");
  await userEvent.click(await screen.findByRole("option", { name: "small" }));
  await userEvent.click(dialog.getByRole("button", { name: "Judge" }));
  await waitFor(() => expect(sent).toEqual([{ evaluators: [{ kind: "rubric" }], judge: { provider_id: "p", model: "small", params: { temperature: 0, max_tokens: 1024 } }, allow_self_judging: false }]));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await userEvent.click(await screen.findByRole("button", { name: "Keep as a run" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Keep as a run" })).toBeNull());
});

test("the scores of an answer are shown, although nobody saw that it was being judged", async () => {
  run = { ...run, status: "FINISHED", outcome: "complete" };
  rows = [{ ...rows[0]!, status: "COMPLETED" }];
  let item = itemDetail(rows[0]!, { answer: "It is **42**.", scores: [] });
  server.use(http.get("*/api/runs/:id/items/:item", () => HttpResponse.json(item)));
  const { connection } = open(`/playground?run=${RUN_ID}`);
  const answer = within(await screen.findByRole("list", { name: "Answers" }));
  expect(await answer.findByText("42")).toBeVisible();
  item = { ...item, scores: [scoreOut({ raw: 7, reason: "Right." })] };
  act(() => connection.send(`/topic/run/${RUN_ID}/status`, "{}"));
  expect(await answer.findByRole("list", { name: "Scores" })).toHaveTextContent("7");
});

test("the form of an item has its references, and each model once", () => {
  const item = itemDetail(itemRow(0));
  const form = formOfItem({ ...item.case, question: "Q", excellent: "E" }, [target, { ...target, id: "other", label: "again" }]);
  expect(form.targets.map(({ providerId, model }) => [providerId, model])).toEqual([["p", "tiny"]]);
  const request = toRequest({ ...form, targets: [newTarget("p", "tiny"), newTarget("p", "tiny")] });
  expect(request).toMatchObject({ question: "Q", excellent: "E", case_name: item.case.task_id });
  expect(request.targets.map(({ label }) => label)).toEqual([undefined, "tiny (2)"]);
});

test("messages that are none are ignored", () => {
  expect(["", "[]", "{}", '{"item_id": 1, "content": "x"}'].map(readStreamed)).toEqual([null, null, null, null]);
});
