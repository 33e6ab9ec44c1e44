import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import { collection, dataset, tried } from "@/testing/config-samples";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import ImportPage from "./ImportPage";

const CSV = "task_id,category,question\nsum-1,arithmetic,What is 1 + 1?\nsum-2,sums,\n";
const bad = tried({
  created: 1,
  bad_row_count: 1,
  bad_rows: [{ line: 3, field: "prompt", message: "must not be empty" }],
  mapping: [{ column: "question", field: "prompt", by: "known" }],
  right_answers: { answers: 1 },
  preview: [{ line: 2, change: "created", task: { task_id: "sum-1", category: "arithmetic", question: "What is 1 + 1?", accepted_answers: ["2"], incorrect_answer_direction: "Any other number" } }],
});

let asked: URLSearchParams[];
beforeEach(() => {
  asked = [];
  localStorage.clear();
  server.use(
    http.get("*/api/collections", () => HttpResponse.json({ items: [collection()], next_cursor: null })),
    http.get("*/v1/datasets", () => HttpResponse.json({ datasets: [dataset()], total: 1, has_more: false })),
    http.post("*/api/tasks/import", ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(searchParams);
      const isDry = searchParams.get("dry_run") === "true";
      return HttpResponse.json({ ...bad, dry_run: isDry, collection: isDry ? null : { id: "collection-1", name: "Basics", created: false, added: 1 } });
    }),
  );
});

const open = () => renderAt("/import", [{ path: "/import", Component: ImportPage }]);
const choose = (name = "tasks.csv", text = CSV) => userEvent.upload(screen.getByLabelText("File to import"), new File([text], name, { type: "text/csv" }));

test("bad rows are shown with their line, field and reason, and stand in the way until they are skipped", async () => {
  open();
  await choose();
  const rows = within(await screen.findByRole("table", { name: "Bad rows" }));
  expect(rows.getByText("must not be empty", { exact: false })).toBeVisible();
  expect(rows.getByText("sum-2,sums,")).toBeVisible();
  expect(screen.getByText("Recognised by the file’s name: CSV.")).toBeVisible();
  await waitFor(() => expect(screen.getByRole("button", { name: "Import 1 task" })).toBeDisabled());
  expect(screen.getByLabelText("question is")).toHaveDisplayValue("By its name: Question");
  expect(screen.getByText("The case has a right answer.", { exact: false })).toBeVisible();
  expect(within(screen.getByRole("region", { name: "The first cases" })).getByText("Incorrect")).toBeVisible();

  await userEvent.click(screen.getByRole("checkbox", { name: "Skip bad rows" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Import 1 task" })).toBeEnabled());
  await userEvent.click(screen.getByRole("button", { name: "Import 1 task" }));
  expect(await screen.findByRole("heading", { name: "1 task imported" })).toBeVisible();
  expect(screen.getByRole("link", { name: "See the collection" })).toHaveAttribute("href", "/collections/collection-1");
  expect(asked.map((one) => [one.get("dry_run"), one.get("skip_bad_rows"), one.get("recognise")])).toEqual([["true", "false", "true"], ["true", "true", "true"], ["false", "true", "true"]]);
});

test("a mapping is sent, remembered by the header, offered again and given up", async () => {
  open();
  await choose();
  await userEvent.selectOptions(await screen.findByLabelText("task_id is"), "Leave it out");
  await userEvent.click(screen.getByRole("checkbox", { name: "Skip bad rows" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Import 1 task" })).toBeEnabled());
  await userEvent.click(screen.getByRole("button", { name: "Import 1 task" }));
  expect(asked.at(-1)?.getAll("map")).toEqual(["task_id=ignore"]);
  await userEvent.click(await screen.findByRole("button", { name: "Import another file" }));
  await choose("other.csv", "question,task_id,category\nx,y,z\n");
  expect(await screen.findByText(/as they were when you last imported/)).toBeVisible();
  expect(screen.getByLabelText("task_id is")).toHaveValue("ignore");
  await userEvent.click(screen.getByRole("button", { name: "Recognise all by name" }));
  expect(screen.getByLabelText("task_id is")).toHaveValue("");
  expect(screen.queryByText(/as they were when you last imported/)).toBeNull();
});

test("rows are pasted into the field or anywhere on the page", async () => {
  open();
  await userEvent.click(screen.getByLabelText("Or paste rows"));
  await userEvent.paste("question\tanswer\nWhat?\t1");
  expect(await screen.findByText("pasted.csv")).toBeVisible();
  expect(await screen.findByLabelText("answer is")).toBeVisible();
  await waitFor(() => expect(asked.at(-1)?.get("file_name")).toBe("pasted.csv"));
});

test("what the server cannot read is said, and what it cannot recognise stands at the format", async () => {
  server.use(
    http.post("*/api/tasks/import", () =>
      HttpResponse.json({ title: "Invalid request", status: 422, detail: "format: is not told by the file's name", errors: [{ field: "format", message: "is not told by the file's name" }] }, { status: 422 }),
    ),
  );
  open();
  await choose();
  await waitFor(() => expect(screen.getByLabelText("Format")).toHaveAccessibleDescription("is not told by the file's name"));
  expect(screen.getByRole("button", { name: "Import" })).toBeDisabled();
});
