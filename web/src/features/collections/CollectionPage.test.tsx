import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { AssignTasks } from "@/api/generated/config-api";
import { collection, task } from "@/testing/config-samples";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import CollectionPage from "./CollectionPage";
import CollectionsPage from "./CollectionsPage";

const open = (path: string) =>
  renderAt(path, [
    { path: "/collections", Component: CollectionsPage },
    { path: "/collections/:collectionId", Component: CollectionPage },
  ]);

let members: Set<string>;
beforeEach(() => {
  members = new Set(["task-1", "task-2"]);
  const all = [1, 2, 3, 4].map((number) => task(number));
  const now = () => collection({ task_count: members.size });
  server.use(
    http.get("*/api/tasks/categories", () => HttpResponse.json({ items: [{ category: "arithmetic", task_count: 4, subcategories: [] }] })),
    http.get("*/api/tasks", ({ request }) => {
      const isInside = new URL(request.url).searchParams.has("collection_id");
      return HttpResponse.json({ items: all.filter((one) => members.has(one.id) === isInside), next_cursor: null });
    }),
    http.get("*/api/collections", () => HttpResponse.json({ items: [now()], next_cursor: null })),
    http.get("*/api/collections/:id", () => HttpResponse.json(now())),
    http.patch("*/api/collections/:id/tasks", async ({ request }) => {
      const { assign = [], unassign = [] } = (await request.json()) as AssignTasks;
      for (const id of assign) members.add(id);
      for (const id of unassign) members.delete(id);
      return HttpResponse.json(now());
    }),
  );
});

test("tasks are chosen, added and removed, and the count says so before and after", async () => {
  open("/collections/collection-1");
  const outside = within(await screen.findByRole("region", { name: "Not in it" }));
  await userEvent.click(await outside.findByRole("checkbox", { name: "sum-3" }));
  expect(outside.getByText("3 afterwards")).toBeVisible();
  await userEvent.click(outside.getByRole("button", { name: "Add 1" }));
  expect(await screen.findByText("3 tasks")).toBeVisible();
  const inside = within(screen.getByRole("region", { name: "In this collection" }));
  expect(await inside.findByRole("checkbox", { name: "sum-3" })).not.toBeChecked();
  await userEvent.click(inside.getByRole("button", { name: "Choose all" }));
  await userEvent.click(await inside.findByRole("button", { name: "Remove 3" }));
  expect(await inside.findByText(/^No tasks yet/)).toBeVisible();
});

test("a name that is taken is said at the field, in the dialog", async () => {
  server.use(
    http.post("*/api/collections", () =>
      HttpResponse.json({ title: "Name taken", status: 409, detail: "There is one.", errors: [{ field: "name", message: "is taken" }] }, { status: 409 }),
    ),
  );
  open("/collections");
  await userEvent.click(await screen.findByRole("button", { name: "New collection" }));
  const name = await screen.findByLabelText(/^Name/);
  await userEvent.type(name, "Basics{Enter}");
  await waitFor(() => expect(name).toHaveAccessibleDescription("is taken"));
});

test("a list links to its tasks", async () => {
  open("/collections");
  expect(await screen.findByRole("link", { name: "2 tasks of Basics" })).toHaveAttribute("href", "/tasks?collection=collection-1");
});
