import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { DatasetIn, SampleIn } from "@/api/generated/config-api";
import { dataset, testCase, version } from "@/testing/config-samples";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import DatasetPage from "./dataset/DatasetPage";
import DatasetsPage from "./list/DatasetsPage";
import VersionPage from "./version/VersionPage";

const open = (path: string) =>
  renderAt(path, [
    { path: "/datasets", Component: DatasetsPage },
    { path: "/datasets/:datasetId", Component: DatasetPage },
    { path: "/datasets/:datasetId/versions/:versionNumber", Component: VersionPage },
  ]);

let asked: URLSearchParams;
let draft: ReturnType<typeof version>;
beforeEach(() => {
  asked = new URLSearchParams();
  draft = version(2);
  const cases = Array.from({ length: 50 }, (_, row) => testCase(row));
  server.use(
    http.get("*/v1/datasets", ({ request }) => {
      asked = new URL(request.url).searchParams;
      return HttpResponse.json({ datasets: [dataset()], total: 130, has_more: true });
    }),
    http.get("*/v1/datasets/:id", () => HttpResponse.json(dataset())),
    http.get("*/v1/datasets/:id/versions", () => HttpResponse.json({ versions: [draft, version(1, { status: "PUBLISHED" })], total: 2, has_more: false })),
    http.get("*/v1/datasets/:id/versions/2", () => HttpResponse.json(draft)),
    http.get("*/v1/datasets/:id/versions/2/cases", ({ request }) => {
      asked = new URL(request.url).searchParams;
      return HttpResponse.json({ cases, total: 120, has_more: true });
    }),
  );
});

test("the list is searched, filtered by metadata and paged by the server", async () => {
  const { router } = open("/datasets?page=2");
  expect(await screen.findByText("51 – 100 of 130")).toBeVisible();
  expect(asked.get("offset")).toBe("50");
  await userEvent.type(screen.getByLabelText("Metadata"), "difficulty=hard{Enter}");
  await waitFor(() => expect(asked.get("filter")).toBe('{"difficulty":"hard"}'));
  expect(router.state.location.search).toBe("?metadata=difficulty%3Dhard");
  expect(asked.get("offset")).toBe("0");
  await userEvent.clear(screen.getByLabelText("Metadata"));
  await userEvent.type(screen.getByLabelText("Metadata"), "hard{Enter}");
  expect(screen.getByLabelText("Metadata")).toHaveAccessibleDescription(/field=value/);
});

test("a dataset is made with what is said of it", async () => {
  let sent: DatasetIn | undefined;
  server.use(
    http.post("*/v1/datasets", async ({ request }) => {
      sent = (await request.json()) as DatasetIn;
      return HttpResponse.json(dataset(), { status: 201 });
    }),
  );
  const { router } = open("/datasets");
  await userEvent.click(await screen.findByRole("button", { name: "New dataset" }));
  await userEvent.click(await screen.findByRole("button", { name: "Create" }));
  expect(screen.getByLabelText(/^Name/)).toBeInvalid();
  await userEvent.type(screen.getByLabelText(/^Name/), "HR questions");
  await userEvent.click(screen.getByRole("button", { name: "Add a field" }));
  await userEvent.type(screen.getByLabelText("Field 1"), "year");
  await userEvent.type(screen.getByLabelText("Value 1"), "2024");
  await userEvent.click(screen.getByRole("button", { name: "Create" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/datasets/dataset-1"));
  expect(sent).toEqual({ name: "HR questions", description: null, type: "EVALUATION", tags: [], metadata: { year: 2024 } });
});

test("a draft is published once that is confirmed", async () => {
  server.use(http.post("*/v1/datasets/:id/versions/2/publish", () => HttpResponse.json((draft = version(2, { status: "PUBLISHED" })))));
  open("/datasets/dataset-1/versions/2");
  await userEvent.click(await screen.findByRole("button", { name: "Publish" }));
  await userEvent.click(await screen.findByRole("button", { name: "Publish it" }));
  expect(await screen.findByRole("link", { name: "Run models on it" })).toHaveAttribute("href", "/runs/new?dataset=dataset-1&version=2");
});

test("cases are paged, and one opens with all that it says", async () => {
  open("/datasets/dataset-1/versions/2?page=2");
  expect(await screen.findByText("51 – 100 of 120")).toBeVisible();
  expect(asked.get("offset")).toBe("50");
  await userEvent.click(screen.getByRole("link", { name: "What is 3 + 25?" }));
  const panel = within(await screen.findByRole("dialog"));
  expect(await panel.findByRole("heading", { name: "Expected output" })).toBeVisible();
  await userEvent.keyboard("j");
  expect(await panel.findByText("What is 4 + 25?")).toBeVisible();
});

test("a sample says its seed, and is drawn in proportion to a field", async () => {
  let sent: SampleIn | undefined;
  server.use(
    http.post("*/v1/datasets/:id/versions/2/sample", async ({ request }) => {
      sent = (await request.json()) as SampleIn;
      return HttpResponse.json({ cases: [testCase(1)], sample_size: 1, seed: 77, strata: [{ value: "easy", total: 3, sampled: 1 }] });
    }),
  );
  open("/datasets/dataset-1/versions/2?show=sample");
  await userEvent.selectOptions(await screen.findByLabelText("Sampling method"), "stratified");
  await userEvent.click(screen.getByRole("combobox", { name: "Field of the metadata" }));
  await userEvent.click(await screen.findByRole("option", { name: "difficulty" }));
  await userEvent.click(screen.getByRole("button", { name: "Draw a sample" }));
  expect(await screen.findByText("77")).toBeVisible();
  expect(sent).toEqual({ size: 3, strategy: "stratified", stratify_by: "difficulty" });
  await userEvent.click(screen.getByRole("button", { name: "Keep this seed" }));
  expect(screen.getByLabelText("Seed")).toHaveValue(77);
});
