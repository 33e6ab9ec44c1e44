import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import { dataset, version } from "@/testing/config-samples";
import { renderAt } from "@/testing/render";
import { RUN_ID, runDetail } from "@/testing/samples";
import { answers, server } from "@/testing/server";
import { QuestionsSection } from "./QuestionsSection";

const LINES = `${JSON.stringify({ prompt: "How many days?", context: "Everybody has 25 days." })}\n`;

function open(lines: string) {
  server.use(http.get(`*/api/runs/${RUN_ID}/export`, () => HttpResponse.text(lines)));
  return renderAt("/run", [
    { path: "/run", element: <QuestionsSection run={runDetail({ name: "Questions from the handbook" })} /> },
    { path: "/datasets/:id/versions/:number", element: <h1>The draft</h1> },
  ]);
}

test("what was written becomes the next draft of the dataset of that name", async () => {
  const sent: string[] = [];
  server.use(
    http.get("*/v1/datasets", ({ request }) => {
      expect(new URL(request.url).searchParams.get("name")).toBe("Questions from the handbook");
      return HttpResponse.json({ datasets: [dataset()], total: 1, has_more: false });
    }),
    http.post("*/v1/datasets/dataset-1/versions", async ({ request }) => {
      sent.push(await request.text());
      return HttpResponse.json(version(3, { row_count: 1 }), { status: 201 });
    }),
  );
  const { router } = open(LINES);
  await userEvent.click(screen.getByLabelText(/^Leave out the source text/));
  await userEvent.click(screen.getByRole("button", { name: "Create a draft" }));
  expect(await screen.findByRole("heading", { name: "The draft" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/datasets/dataset-1/versions/3");
  expect(sent[0]).toContain(`Written by tiny t=0, run ${RUN_ID}`);
});

test("a dataset is made where none has the name, and goes again when it stays empty; what fails is told", async () => {
  const made: unknown[] = [];
  const deleted: unknown[] = [];
  server.use(
    http.get("*/v1/datasets", () => HttpResponse.json({ datasets: [], total: 0, has_more: false })),
    http.post("*/v1/datasets", async ({ request }) => {
      made.push(await request.json());
      return HttpResponse.json(dataset(), { status: 201 });
    }),
    http.delete("*/v1/datasets/:id", ({ params }) => {
      deleted.push(params.id);
      return new HttpResponse(null, { status: 204 });
    }),
    answers.problem("*/v1/datasets/dataset-1/versions", { title: "Too large", status: 413, detail: "A file has at most 1 GiB." }),
  );
  open(LINES);
  await userEvent.clear(screen.getByLabelText("Dataset"));
  await userEvent.type(screen.getByLabelText("Dataset"), "Handbook");
  await userEvent.click(screen.getByRole("button", { name: "Create a draft" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("A file has at most 1 GiB.");
  expect(made).toEqual([{ name: "Handbook" }]);
  expect(deleted).toEqual(["dataset-1"]);
});

test("where nothing holds, nothing is made", async () => {
  open("\n");
  await userEvent.click(screen.getByRole("button", { name: "Create a draft" }));
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("No conversation is supported by the document"));
});
