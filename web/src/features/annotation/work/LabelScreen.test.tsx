import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { AnnotationIn, Draft, NextItem, Submitted } from "@/api/generated/config-api";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import { chooseAnnotator } from "./entries";
import LabelPage from "./LabelPage";

const TASK = "*/v1/annotations/tasks/task-1";
const ROUTES = [{ path: "/annotation/:annotationId/label", Component: LabelPage }];

function item(number: number, more: Partial<NextItem> = {}): NextItem {
  return {
    item_id: `item-${number}`, position: number, total_remaining: 4 - number, leased_until: "2099-01-01T00:00:00Z", draft: null, allow_skip: true, time_limit_seconds: null,
    test_case: { input: { prompt: `<b>Question ${number}</b>`, context: "Some context" }, output: null, reference: null },
    instructions: "Be **fair**.",
    annotation_schema: { fields: [
      { name: "verdict", type: "classification", options: [{ value: "good" }, { value: "bad" }] },
      { name: "why", type: "text", title: "Why?", only_if: { field: "verdict", values: ["bad"] } },
    ] },
    ...more,
  };
}

const submitted = (next: NextItem | null, surplus = false): Submitted => ({ annotation_id: "a", surplus, next, next_item_id: next?.item_id ?? null });
const refused = (status: number, title: string, detail: string) => HttpResponse.json({ type: "about:blank", title, status, detail }, { status });

let sent: AnnotationIn[];
let saved: Draft[];
beforeEach(() => {
  sent = [];
  saved = [];
  sessionStorage.clear();
  chooseAnnotator("ada");
  server.use(
    http.get("*/v1/annotations/work", () => HttpResponse.json({ tasks: [] })),
    http.get(`${TASK}/next`, () => HttpResponse.json(item(1))),
    http.put(`${TASK}/items/:id/draft`, async ({ request }) => {
      saved.push((await request.json()) as Draft);
      return HttpResponse.json({ leased_until: "2099-01-01T00:00:00Z" });
    }),
    http.post(`${TASK}/items/:id`, async ({ request, params }) => {
      sent.push((await request.json()) as AnnotationIn);
      return HttpResponse.json(submitted(item(Number(String(params.id).slice(5)) + 1)));
    }),
  );
});

const shown = async (number: number) => screen.findByText(`Item ${number}`);

test("an item is labelled by keyboard: a condition asks for more, and Enter goes where something is missing", async () => {
  renderAt("/annotation/task-1/label", ROUTES);
  await shown(1);
  expect(screen.getByText("<b>Question 1</b>")).toBeVisible();
  await userEvent.keyboard("2{Enter}");
  const why = screen.getByRole("textbox", { name: "Why?" });
  expect(why).toHaveFocus();
  expect(screen.getByText("This question needs an answer.")).toBeVisible();
  await userEvent.keyboard("It is off{Control>}{Enter}{/Control}");
  await shown(2);
  expect(sent).toEqual([expect.objectContaining({ labels: { verdict: "bad", why: "It is off" }, skipped: false, flagged: false, note: null })]);
  await userEvent.keyboard("1{Enter}");
  await shown(3);
  expect(sent[1]!.labels).toEqual({ verdict: "good" });
});

test("note, flag and skip are written by keyboard and sent with the item", async () => {
  renderAt("/annotation/task-1/label", ROUTES);
  await shown(1);
  await userEvent.keyboard("n");
  await userEvent.keyboard("Unclear{Escape}f");
  await userEvent.keyboard("Typo{Enter}");
  await userEvent.keyboard("1{Enter}");
  await shown(2);
  expect(sent[0]).toMatchObject({ note: "Unclear", flagged: true, flag_reason: "Typo" });
  await userEvent.keyboard("s");
  await userEvent.keyboard("Not mine{Enter}");
  await shown(3);
  expect(sent[1]).toMatchObject({ skipped: true, skip_reason: "Not mine", labels: {} });
});

test("the draft is saved by itself, and a pause hides the item", async () => {
  renderAt("/annotation/task-1/label", ROUTES);
  await shown(1);
  await userEvent.keyboard("2");
  await screen.findByText("Draft saved");
  expect(saved.at(-1)!.labels).toEqual({ verdict: "bad" });
  await userEvent.keyboard("p");
  expect(screen.getByRole("heading", { name: "Paused" })).toBeVisible();
  expect(screen.queryByText("<b>Question 1</b>")).toBeNull();
  await userEvent.keyboard("p");
  expect(screen.getByRole("radio", { name: "bad" })).toBeChecked();
});

test("an item that is not held any more can still be submitted, and surplus labels are said to be so", async () => {
  server.use(
    http.put(`${TASK}/items/:id/draft`, () => refused(409, "Not held", "You do not hold this item any more.")),
    http.post(`${TASK}/items/:id`, () => HttpResponse.json(submitted(item(2), true))),
  );
  renderAt("/annotation/task-1/label", ROUTES);
  await shown(1);
  await userEvent.keyboard("1");
  expect(await screen.findByText(/no longer reserved for you/)).toBeVisible();
  await userEvent.keyboard("{Enter}");
  await shown(2);
  expect(screen.getByText(/already had all its labels/)).toBeVisible();
  expect(screen.queryByText(/no longer reserved for you/)).toBeNull();
});

test("while the server is away the labels are kept, and submitted again", async () => {
  let isAway = true;
  server.use(
    http.put(`${TASK}/items/:id/draft`, () => HttpResponse.error()),
    http.post(`${TASK}/items/:id`, () => (isAway ? HttpResponse.error() : HttpResponse.json(submitted(item(2))))),
  );
  renderAt("/annotation/task-1/label", ROUTES);
  await shown(1);
  await userEvent.keyboard("1{Enter}");
  expect(await screen.findByText(/kept in this window\. Submit them again/)).toBeVisible();
  expect(screen.getByRole("radio", { name: "good" })).toBeChecked();
  isAway = false;
  await userEvent.keyboard("{Enter}");
  await shown(2);
});

test("a task that was paused or completed meanwhile says so, and a foreign item leads to another one", async () => {
  server.use(
    http.post(`${TASK}/items/:id`, () => HttpResponse.json(submitted(null))),
    http.get(`${TASK}/next`, () => refused(409, "Not active", "The task 'T' is PAUSED."), { once: false }),
  );
  server.use(http.get(`${TASK}/next`, () => HttpResponse.json(item(1)), { once: true }));
  renderAt("/annotation/task-1/label", ROUTES);
  await shown(1);
  await userEvent.keyboard("1{Enter}");
  expect(await screen.findByRole("heading", { name: "There is nothing to label now" })).toBeVisible();
  expect(screen.getByText("The task 'T' is PAUSED.")).toBeVisible();
  server.use(http.get(`${TASK}/next`, () => new HttpResponse(null, { status: 204 })));
  await userEvent.click(screen.getByRole("button", { name: "Look again" }));
  expect(await screen.findByRole("heading", { name: "Nothing is left for you" })).toBeVisible();
});

test("what the server refuses is shown at its question", async () => {
  server.use(
    http.post(`${TASK}/items/:id`, () =>
      HttpResponse.json({ type: "about:blank", title: "Invalid labels", status: 422, detail: "labels.verdict: no", errors: [{ field: "labels.verdict", message: "must be one of 'good', 'bad'" }] }, { status: 422 }),
    ),
  );
  renderAt("/annotation/task-1/label", ROUTES);
  await shown(1);
  await userEvent.keyboard("1{Enter}");
  const question = within(await screen.findByRole("region", { name: "verdict" }));
  await waitFor(() => expect(question.getByText("must be one of 'good', 'bad'")).toBeVisible());
});

test("a window without a person asks who labels, and keeps the answer to itself", async () => {
  chooseAnnotator(null);
  server.use(
    http.get("*/v1/annotations/annotators", () => HttpResponse.json({ annotators: [], total: 0, has_more: false })),
    http.post("*/v1/annotations/annotators", () => HttpResponse.json({ annotator_id: "new" }, { status: 201 })),
  );
  renderAt("/annotation/task-1/label", ROUTES);
  await userEvent.type(await screen.findByLabelText("Your name"), "Eve{Enter}");
  await shown(1);
  expect(sessionStorage.getItem("llmbench.annotator")).toBe("new");
});
