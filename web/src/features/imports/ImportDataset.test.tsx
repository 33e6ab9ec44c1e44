import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { FileCheck } from "@/api/generated/config-api";
import { dataset, version } from "@/testing/config-samples";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import ImportPage from "./ImportPage";

const CASE = { line: 2, name: "case-1", input: { prompt: "What is 17 + 25?" }, expected_output: "42", ground_truth: null, metadata: { level: 2 }, checks: [] };
const checked = (over: Partial<FileCheck> = {}): FileCheck => ({
  format: "csv", row_count: 1, bad_row_count: 0, bad_rows: [], columns: [], mapping: [], warnings: [], right_answers: { answers: 1 }, preview: [CASE], ...over,
});

let maps: string[][];
beforeEach(() => {
  maps = [];
  localStorage.clear();
  server.use(
    http.get("*/api/collections", () => HttpResponse.json({ items: [], next_cursor: null })),
    http.get("*/v1/datasets", () => HttpResponse.json({ datasets: [dataset()], total: 1, has_more: false })),
    http.post("*/v1/datasets/check-file", ({ request }) => {
      maps.push(new URL(request.url).searchParams.getAll("map"));
      return HttpResponse.json(checked());
    }),
  );
});

async function open(name = "cases.csv", address = "/import?to=dataset&dataset=dataset-1") {
  const view = renderAt(address, [
    { path: "/import", Component: ImportPage },
    { path: "/datasets/:datasetId/versions/:versionNumber", element: <p>The version</p> },
  ]);
  await userEvent.upload(await screen.findByLabelText("File to import"), new File(["question,right one,level\nWhat is 17 + 25?,42,2"], name));
  return view;
}

test("columns are mapped with a live preview of the cases, and the file becomes a version", async () => {
  let asked = "";
  let form = "";
  server.use(
    http.post("*/v1/datasets/:id/versions", ({ request }) => {
      asked = new URL(request.url).search;
      form = request.headers.get("content-type") ?? "";
      return HttpResponse.json(version(3), { status: 201 });
    }),
  );
  const { router } = await open();
  expect(await screen.findByText("number", { selector: "li:nth-child(2) p" })).toBeVisible();
  await userEvent.selectOptions(screen.getByLabelText("right one is"), "Expected answer");
  await waitFor(() => expect(maps.at(-1)).toEqual(["right one=expected_output"]));
  const cases = within(await screen.findByRole("group", { name: "The first cases" }));
  expect(cases.getByText("42")).toBeVisible();
  const button = await screen.findByRole("button", { name: "Upload 1 case" });
  await waitFor(() => expect(button).toBeEnabled());
  await userEvent.click(button);
  await waitFor(() => expect(router.state.location.pathname).toBe("/datasets/dataset-1/versions/3"));
  expect([asked, form.split(";")[0]]).toEqual(["?map=right+one%3Dexpected_output", "multipart/form-data"]);
});

test("a dataset that is made for a file is removed again when its rows are refused", async () => {
  const calls: string[] = [];
  const bad_rows = [{ line: 7, field: null, message: "is no object\nof JSON" }];
  server.use(
    http.post("*/v1/datasets", async ({ request }) => {
      calls.push(`create ${((await request.json()) as { name: string }).name}`);
      return HttpResponse.json(dataset({ dataset_id: "new" }), { status: 201 });
    }),
    http.post("*/v1/datasets/new/versions", () => HttpResponse.json({ title: "Bad rows", status: 422, detail: "1 of 9 rows is bad.", row_count: 9, bad_row_count: 1, bad_rows, errors: [] }, { status: 422 })),
    http.delete("*/v1/datasets/:id", ({ params }) => {
      calls.push(`delete ${String(params.id)}`);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await open("cases.csv", "/import?to=dataset");
  expect(await screen.findByText("Choose a dataset, or type the name of a new one.", { selector: "[role=status]" })).toBeVisible();
  await userEvent.type(screen.getByRole("combobox", { name: /^Dataset/ }), "Quiz");
  await userEvent.tab();
  const button = screen.getByRole("button", { name: "Upload 1 case" });
  await waitFor(() => expect(button).toBeEnabled());
  await userEvent.click(button);
  expect(await screen.findByRole("heading", { name: "1 of 9 rows are bad" })).toBeVisible();
  await waitFor(() => expect(calls).toEqual(["create Quiz", "delete new"]));
});

test("rows without a right answer are warned about, and hostile cells stay text", async () => {
  server.use(
    http.post("*/v1/datasets/check-file", () =>
      HttpResponse.json(checked({ right_answers: { none: 1 }, warnings: ["No ground truth came of this file."], preview: [{ ...CASE, input: { prompt: "<img src=x onerror=alert(1)>\u202E" }, expected_output: null }] })),
    ),
  );
  await open();
  expect(await screen.findByText(/nothing to compare with/)).toBeVisible();
  expect(screen.getByText("No ground truth came of this file.")).toBeVisible();
  expect(screen.getByText(/<img src=x onerror=alert\(1\)>/)).toHaveTextContent("⟨U+202E⟩");
  expect(document.querySelector("main img, li img")).toBeNull();
});

test("a dataset that the address names is found beyond the first page, and no dataset is named after its id", async () => {
  const id = "0199aaaa-0000-7000-8000-000000000001";
  let sent = "";
  server.use(
    http.get(`*/v1/datasets/${id}`, () => HttpResponse.json(dataset({ dataset_id: id, name: "Far back" }))),
    http.post("*/v1/datasets", () => HttpResponse.json({ title: "No dataset may be created", status: 500 }, { status: 500 })),
    http.post("*/v1/datasets/:id/versions", ({ params }) => {
      sent = String(params.id);
      return HttpResponse.json(version(3, { dataset_id: id }), { status: 201 });
    }),
  );
  const { router } = await open("cases.csv", `/import?to=dataset&dataset=${id}`);
  await waitFor(() => expect(screen.getByRole("combobox", { name: /^Dataset/ })).toHaveDisplayValue("Far back"));
  await userEvent.click(screen.getByRole("button", { name: "Tasks" }));
  expect(router.state.location.search).toBe(`?dataset=${id}&to=tasks`);
  await userEvent.click(screen.getByRole("button", { name: "A dataset" }));
  const button = await screen.findByRole("button", { name: "Upload 1 case" });
  await waitFor(() => expect(button).toBeEnabled());
  await userEvent.click(button);
  await waitFor(() => expect(sent).toBe(id));
});
