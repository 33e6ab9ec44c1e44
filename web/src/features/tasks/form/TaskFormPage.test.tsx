import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { TaskIn } from "@/api/generated/config-api";
import { task } from "@/testing/config-samples";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import TaskFormPage from "./TaskFormPage";

const open = (path: string) =>
  renderAt(path, [
    { path: "/tasks", element: <h1>The list</h1> },
    { path: "/tasks/new", Component: TaskFormPage },
    { path: "/tasks/:taskId", Component: TaskFormPage },
    { path: "/runs/:runId/items", element: <h1>The item</h1> },
  ]);

beforeEach(() =>
  server.use(
    http.get("*/api/tasks/categories", () => HttpResponse.json({ items: [{ category: "arithmetic", task_count: 2, subcategories: [] }] })),
    http.get("*/api/collections", () => HttpResponse.json({ items: [], next_cursor: null })),
    http.get("*/api/tasks", ({ request }) => HttpResponse.json({ items: new URL(request.url).searchParams.get("task_id") === "taken" ? [task(9)] : [], next_cursor: null })),
    http.get("*/api/tasks/:id", () => HttpResponse.json(task(1))),
  ),
);

test("an id is checked while it is typed", async () => {
  open("/tasks/new");
  const id = await screen.findByLabelText(/^Task id/);
  await userEvent.type(id, "taken");
  await waitFor(() => expect(id).toHaveAccessibleDescription("Another task has this id."));
  await userEvent.type(id, "2");
  await waitFor(() => expect(id).toHaveAccessibleDescription("This id is free."));
});

test("what is missing is said beside its field", async () => {
  open("/tasks/new");
  await userEvent.click(await screen.findByRole("button", { name: "Add the task" }));
  expect(screen.getByLabelText(/^Question/)).toHaveAccessibleDescription("Enter the question.");
});

async function write(id: string): Promise<void> {
  await userEvent.type(await screen.findByLabelText(/^Task id/), id);
  await userEvent.type(screen.getByLabelText(/^Question/), "Why?");
}

test("one task after another is written, of the same kind", async () => {
  const sent: TaskIn[] = [];
  server.use(
    http.post("*/api/tasks", async ({ request }) => {
      sent.push((await request.json()) as TaskIn);
      return HttpResponse.json(task(sent.length), { status: 201 });
    }),
  );
  const { router } = open("/tasks/new");
  await write("a");
  await userEvent.type(screen.getByRole("combobox", { name: /^Category/ }), "law");
  await userEvent.click(screen.getByRole("button", { name: "Add, and write another" }));
  await waitFor(() => expect(screen.getByLabelText(/^Task id/)).toHaveValue(""));
  await write("b");
  await userEvent.click(screen.getByRole("button", { name: "Add the task" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/tasks"));
  expect(sent.map((one) => [one.task_id, one.category, one.good])).toEqual([["a", "law", null], ["b", "law", null]]);
});

test("a stored task is changed on the version that was read", async () => {
  let ifMatch: string | null = null;
  server.use(
    http.put("*/api/tasks/:id", ({ request }) => {
      ifMatch = request.headers.get("if-match");
      return HttpResponse.json(task(1, { version: 4 }));
    }),
  );
  const { router } = open("/tasks/task-1");
  await userEvent.type(await screen.findByLabelText("Good"), "roughly");
  expect(screen.getByLabelText("Incorrect")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/tasks"));
  expect(ifMatch).toBe('"3"');
});

test("a task that was opened from an item leads back to it, and to no other address", async () => {
  server.use(http.put("*/api/tasks/:id", () => HttpResponse.json(task(1, { version: 4 }))));
  const item = "/runs/run-1/items?sort=score&item=item-1";
  const { router } = open(`/tasks/task-1?back=${encodeURIComponent(item)}`);
  await userEvent.type(await screen.findByLabelText("Good"), "roughly");
  expect(screen.getByLabelText("Incorrect")).toBeVisible();
  expect(screen.getByRole("link", { name: "Back to the item" })).toHaveAttribute("href", item);
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe(item));
});

test("an address elsewhere is no way back", async () => {
  open(`/tasks/task-1?back=${encodeURIComponent("//elsewhere.test/runs/1?item=2")}`);
  expect(await screen.findByRole("link", { name: "All tasks" })).toHaveAttribute("href", "/tasks");
});
