import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { TaskOut } from "@/api/generated/config-api";
import { collection, task } from "@/testing/config-samples";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import TasksPage from "./TasksPage";

const open = (path = "/tasks") => renderAt(path, [{ path: "/tasks", Component: TasksPage }]);

let asked: string[];
const stored = (page: (search: URLSearchParams) => { items: TaskOut[]; next_cursor: string | null }) =>
  http.get("*/api/tasks", ({ request }) => {
    const { searchParams } = new URL(request.url);
    asked.push(searchParams.toString());
    return HttpResponse.json(page(searchParams));
  });

beforeEach(() => {
  asked = [];
  server.use(
    http.get("*/api/tasks/categories", () => HttpResponse.json({ items: [{ category: "arithmetic", task_count: 2, subcategories: [{ subcategory: null, task_count: 2 }] }] })),
    http.get("*/api/collections", () => HttpResponse.json({ items: [collection()], next_cursor: null })),
    http.get("*/api/collections/:id", () => HttpResponse.json(collection())),
    stored(() => ({ items: [task(1), task(2)], next_cursor: null })),
  );
});

test("search, filters and order are read from the URL and written to it", async () => {
  const { router } = open("/tasks?category=arithmetic&collection=collection-1&sort=-updated_at");
  await screen.findByRole("link", { name: "sum-1" });
  expect(asked.at(-1)).toBe("category=arithmetic&collection_id=collection-1&sort=-updated_at&limit=50");
  await userEvent.type(screen.getByRole("searchbox"), "25{Enter}");
  await userEvent.click(screen.getByRole("button", { name: "Category" }));
  await waitFor(() => expect(asked.at(-1)).toBe("q=25&category=arithmetic&collection_id=collection-1&sort=category&limit=50"));
  expect(router.state.location.search).toBe("?category=arithmetic&collection=collection-1&sort=category&q=25");
});

test("what is exported is what is found", async () => {
  open("/tasks?category=arithmetic&collection=collection-1&q=25");
  await userEvent.click(await screen.findByRole("button", { name: "Export these" }));
  expect(await screen.findByRole("menuitem", { name: /YAML/ })).toHaveAttribute("href", "/api/tasks/export?format=yaml&q=25&category=arithmetic&collection_id=collection-1");
});

test("more tasks are loaded by the cursor, and a reload has them at once", async () => {
  server.use(stored((search) => (search.get("cursor") === "next" ? { items: [task(51)], next_cursor: null } : { items: Array.from({ length: 50 }, (_, at) => task(at + 1)), next_cursor: "next" })));
  const { router } = open();
  await userEvent.click(await screen.findByRole("button", { name: "Load more" }));
  expect(await screen.findByRole("link", { name: "sum-51" })).toBeVisible();
  expect(router.state.location.search).toBe("?rows=51");
  open("/tasks?rows=51");
  await waitFor(() => expect(asked.at(-1)).toBe("limit=100"));
});

test("tasks that are chosen are deleted together, once the word is typed", async () => {
  let deleted: unknown;
  server.use(
    http.post("*/api/tasks/delete", async ({ request }) => {
      deleted = await request.json();
      return HttpResponse.json({ deleted: 2 });
    }),
  );
  open();
  await userEvent.click(await screen.findByRole("checkbox", { name: "Choose all that are shown" }));
  await userEvent.click(screen.getByRole("button", { name: "Delete" }));
  await userEvent.type(within(await screen.findByRole("alertdialog")).getByRole("textbox"), "delete{Enter}");
  await waitFor(() => expect(deleted).toEqual({ ids: ["task-1", "task-2"] }));
  await waitFor(() => expect(screen.queryByRole("region", { name: "Chosen tasks" })).toBeNull());
});

test("everything that is found can be chosen, however many pages it has", async () => {
  server.use(stored((search) => (search.get("limit") === "500" ? { items: Array.from({ length: 70 }, (_, at) => task(at + 1)), next_cursor: null } : { items: [task(1), task(2)], next_cursor: "next" })));
  open();
  await userEvent.click(await screen.findByRole("checkbox", { name: "Choose all that are shown" }));
  await userEvent.click(screen.getByRole("button", { name: "Choose all matches" }));
  expect(await screen.findByText("70 chosen")).toBeVisible();
});

test("without tasks it says what to do next; without a match how to see the others", async () => {
  server.use(stored(() => ({ items: [], next_cursor: null })));
  const view = open();
  expect(await screen.findByRole("link", { name: "Import a file" })).toHaveAttribute("href", "/import");
  view.unmount();
  const { router } = open("/tasks?q=nothing");
  await userEvent.click(await screen.findByRole("button", { name: "Show all tasks" }));
  expect(router.state.location.search).toBe("");
});
