import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import { dataset, version } from "@/testing/config-samples";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import UploadPage from "./UploadPage";

beforeEach(() => {
  server.use(http.get("*/v1/datasets/:id", () => HttpResponse.json(dataset())));
});

async function upload(name: string) {
  const view = renderAt("/datasets/dataset-1/upload", [
    { path: "/datasets/:datasetId/upload", Component: UploadPage },
    { path: "/datasets/:datasetId/versions/:versionNumber", element: <p>The version</p> },
  ]);
  await userEvent.upload(await screen.findByLabelText("File of test cases"), new File(["prompt\nx"], name));
  await userEvent.click(screen.getByRole("button", { name: "Upload" }));
  return view;
}

test("bad rows are listed by row and column, and can be copied", async () => {
  const bad_rows = [{ line: 3, field: "ground_truth.confidence", message: "must be at most 1" }, { line: 7, field: null, message: "is no object\nof JSON" }];
  server.use(http.post("*/v1/datasets/:id/versions", () => HttpResponse.json({ title: "Bad rows", status: 422, detail: "2 of 9 rows are bad.", row_count: 9, bad_row_count: 2, bad_rows, errors: [] }, { status: 422 })));
  const user = userEvent.setup();
  await upload("cases.csv");
  expect(await screen.findByRole("heading", { name: "2 of 9 rows are bad" })).toBeVisible();
  expect(screen.getByText("Nothing was stored. Assign the columns below, or correct the file and choose it again. Then upload it.")).toBeVisible();
  const rows = within(screen.getByRole("table", { name: "Faults" })).getAllByRole("row");
  expect(rows[1]).toHaveTextContent("3ground_truth.confidencemust be at most 1");
  await user.click(screen.getByRole("button", { name: "Copy the list" }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe("row\tcolumn\tfault\n3\tground_truth.confidence\tmust be at most 1\n7\t\tis no object of JSON"));
});

test("a file without faults is a version, which is shown", async () => {
  let asked = "";
  server.use(
    http.post("*/v1/datasets/:id/versions", ({ request }) => {
      asked = request.headers.get("content-type") ?? "";
      return HttpResponse.json(version(3), { status: 201 });
    }),
  );
  const { router } = await upload("cases.csv");
  await waitFor(() => expect(router.state.location.pathname).toBe("/datasets/dataset-1/versions/3"));
  expect(asked).toMatch(/^multipart\/form-data/);
});

test("what the file's name does not tell stands at the format", async () => {
  server.use(http.post("*/v1/datasets/:id/versions", () => HttpResponse.json({ title: "Invalid request", status: 422, detail: "…", errors: [{ field: "format", message: "is not told by the file's name" }] }, { status: 422 })));
  await upload("cases.json");
  await waitFor(() => expect(screen.getByLabelText("Format")).toHaveAccessibleDescription("is not told by the file's name"));
});

test("columns are shown with their first values, and what is said of one is sent", async () => {
  let asked = new URLSearchParams();
  server.use(
    http.post("*/v1/datasets/:id/versions", ({ request }) => {
      asked = new URL(request.url).searchParams;
      return HttpResponse.json({ title: "Bad form", status: 422, detail: "…", errors: [{ field: "map", message: "two columns cannot both be prompt" }] }, { status: 422 });
    }),
  );
  renderAt("/datasets/dataset-1/upload", [{ path: "/datasets/:datasetId/upload", Component: UploadPage }]);
  await userEvent.upload(await screen.findByLabelText("File of test cases"), new File(["question,right one\nWhat is 17 + 25?,42"], "quiz.csv"));
  expect(await screen.findByText("What is 17 + 25?")).toBeVisible();
  await userEvent.selectOptions(screen.getByLabelText("right one is"), "expected_output");
  await userEvent.selectOptions(screen.getByLabelText("question is"), "metadata.question");
  await userEvent.click(screen.getByRole("button", { name: "Upload" }));
  expect(await screen.findByText("two columns cannot both be prompt")).toBeVisible();
  expect(asked.getAll("map")).toEqual(["right one=expected_output", "question=metadata.question"]);
});

test("of a file that cannot be looked into, columns are written down", async () => {
  let asked = "";
  server.use(
    http.post("*/v1/datasets/:id/versions", ({ request }) => {
      asked = new URL(request.url).searchParams.get("map") ?? "";
      return HttpResponse.json({ title: "No", status: 422, detail: "…", errors: [] }, { status: 422 });
    }),
  );
  renderAt("/datasets/dataset-1/upload", [{ path: "/datasets/:datasetId/upload", Component: UploadPage }]);
  await userEvent.upload(await screen.findByLabelText("File of test cases"), new File(["PAR1"], "quiz.parquet"));
  await userEvent.type(await screen.findByLabelText("Meaning of the columns"), "right one=expected_output");
  await userEvent.click(screen.getByRole("button", { name: "Upload" }));
  await waitFor(() => expect(asked).toBe("right one=expected_output"));
});
