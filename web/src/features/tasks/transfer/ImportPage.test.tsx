import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import { collection, tried } from "@/testing/config-samples";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import ImportPage from "./ImportPage";

const CSV = "task_id,category,question\nsum-1,arithmetic,What is 1 + 1?\nsum-2,,What is 2 + 2?\n";
const bad = tried({ created: 1, bad_row_count: 1, bad_rows: [{ line: 3, field: "category", message: "must not be empty" }], preview: [{ line: 2, change: "created", task: { task_id: "sum-1", category: "arithmetic", question: "What is 1 + 1?" } }] });

let asked: URLSearchParams[];
beforeEach(() => {
  asked = [];
  server.use(
    http.get("*/api/collections", () => HttpResponse.json({ items: [collection()], next_cursor: null })),
    http.post("*/api/tasks/import", ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(searchParams);
      const isDry = searchParams.get("dry_run") === "true";
      return HttpResponse.json({ ...bad, dry_run: isDry, collection: isDry ? null : { id: "collection-1", name: "Basics", created: false, added: 1 } });
    }),
  );
});

const choose = async () => {
  renderAt("/tasks/import", [{ path: "/tasks/import", Component: ImportPage }]);
  await userEvent.upload(screen.getByLabelText("File of tasks"), new File([CSV], "tasks.csv", { type: "text/csv" }));
};

test("bad rows are shown with their line, field and reason, and stand in the way until they are skipped", async () => {
  await choose();
  const rows = within(await screen.findByRole("group", { name: "Bad rows" }));
  expect(rows.getByText("must not be empty", { exact: false })).toHaveTextContent("category: must not be empty");
  expect(rows.getByText("sum-2,,What is 2 + 2?")).toBeVisible();
  expect(screen.getByText("Recognised by the file’s name: CSV.")).toBeVisible();
  await waitFor(() => expect(screen.getByRole("button", { name: "Import 1 task" })).toBeDisabled());

  await userEvent.click(screen.getByRole("checkbox", { name: "Skip bad rows" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Import 1 task" })).toBeEnabled());
  await userEvent.click(screen.getByRole("button", { name: "Import 1 task" }));
  expect(await screen.findByRole("heading", { name: "1 task imported" })).toBeVisible();
  expect(screen.getByRole("link", { name: "See the collection" })).toHaveAttribute("href", "/collections/collection-1");
  expect(asked.map((one) => [one.get("dry_run"), one.get("skip_bad_rows")])).toEqual([["true", "false"], ["true", "true"], ["false", "true"]]);
});

test("what the server cannot read is said, and what it cannot recognise stands at the format", async () => {
  server.use(
    http.post("*/api/tasks/import", () =>
      HttpResponse.json({ title: "Invalid request", status: 422, detail: "format: is not told by the file's name", errors: [{ field: "format", message: "is not told by the file's name" }] }, { status: 422 }),
    ),
  );
  await choose();
  await waitFor(() => expect(screen.getByLabelText("Format")).toHaveAccessibleDescription("is not told by the file's name"));
  expect(screen.getByRole("button", { name: "Import" })).toBeDisabled();
});
