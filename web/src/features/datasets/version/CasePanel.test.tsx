import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import type { TestCasePatch } from "@/api/generated/config-api";
import { testCase, version } from "@/testing/config-samples";
import { renderAt } from "@/testing/render";
import { answers, server } from "@/testing/server";
import { CasesTable } from "./CasesTable";

const truth = { ground_truth_id: "g", value: { answer: "26" }, source: "AUTOMATED", confidence: 0.5 } as const;
const cases = [testCase(0), testCase(1, { ground_truth: truth }), testCase(2)];
const CASE = "*/v1/datasets/dataset-1/versions/2/cases/case-1";

async function open() {
  const view = renderAt("/cases", [{ path: "/cases", element: <CasesTable cases={cases} draft={version(2)} /> }]);
  await userEvent.click(screen.getByRole("link", { name: "What is 1 + 25?" }));
  return { ...view, panel: within(await screen.findByRole("dialog", { name: "Case sum-1" })) };
}

test("a case of a draft is edited: who says what is right follows the hand, and a refusal goes with its cause", async () => {
  const sent: TestCasePatch[] = [];
  server.use(
    http.patch(CASE, async ({ request }) => {
      sent.push((await request.json()) as TestCasePatch);
      const errors = [{ field: "ground_truth.answer", message: "is too short" }];
      return sent.length === 1 ? HttpResponse.json({ title: "Invalid case", status: 422, detail: "…", errors }, { status: 422 }) : HttpResponse.json(cases[1]);
    }),
  );
  const { panel } = await open();
  await userEvent.click(panel.getByRole("button", { name: "Edit" }));
  const answer = panel.getByLabelText("Ground-truth answer");
  await userEvent.clear(answer);
  await userEvent.type(answer, "2");
  expect(panel.getByLabelText("Source of the answer")).toHaveDisplayValue("An expert");
  await userEvent.click(panel.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(answer).toHaveAccessibleDescription(/is too short/));
  await userEvent.type(answer, "7");
  expect(answer).not.toHaveAccessibleDescription(/is too short/);
  await userEvent.click(panel.getByRole("button", { name: "Save" }));
  expect(await panel.findByRole("button", { name: "Edit" })).toBeVisible();
  expect(sent[1]).toEqual({ ground_truth: { answer: "27", source: "EXPERT", confidence: null } });
});

test("what was typed into a case is not lost by Back", async () => {
  const { panel, router } = await open();
  await userEvent.click(panel.getByRole("button", { name: "Edit" }));
  await userEvent.type(panel.getByLabelText(/^Prompt/), " Exactly.");
  await act(() => router.navigate(-1));
  const question = within(await screen.findByRole("alertdialog", { name: "Leave without saving?" }));
  await userEvent.click(question.getByRole("button", { name: "Stay here" }));
  expect(panel.getByLabelText(/^Prompt/)).toHaveValue("What is 1 + 25? Exactly.");
  await act(() => router.navigate(-1));
  await userEvent.click(await screen.findByRole("button", { name: "Leave" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("what was typed into a case is not lost by Cancel", async () => {
  const { panel } = await open();
  await userEvent.click(panel.getByRole("button", { name: "Edit" }));
  await userEvent.type(panel.getByLabelText(/^Prompt/), " Exactly.");
  await userEvent.click(panel.getByRole("button", { name: "Cancel" }));
  const question = within(await screen.findByRole("alertdialog", { name: "Leave without saving?" }));
  await userEvent.click(question.getByRole("button", { name: "Stay here" }));
  expect(panel.getByLabelText(/^Prompt/)).toHaveValue("What is 1 + 25? Exactly.");
  await userEvent.click(panel.getByRole("button", { name: "Cancel" }));
  await userEvent.click(await screen.findByRole("button", { name: "Leave" }));
  await userEvent.click(await panel.findByRole("button", { name: "Edit" }));
  expect(panel.getByLabelText(/^Prompt/)).toHaveValue("What is 1 + 25?");
  await userEvent.click(panel.getByRole("button", { name: "Cancel" }));
  expect(await panel.findByRole("button", { name: "Edit" })).toBeVisible();
});

test("the case that is deleted is the one that was asked about, and the next one opens", async () => {
  const deleted: string[] = [];
  server.use(
    http.delete("*/v1/datasets/dataset-1/versions/2/cases/:id", ({ params }) => {
      deleted.push(String(params.id));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { panel, router } = await open();
  await userEvent.click(panel.getByRole("button", { name: "Delete this case" }));
  const question = within(await screen.findByRole("alertdialog", { name: "Delete this case?" }));
  await userEvent.keyboard("j{ArrowLeft}");
  expect(router.state.location.search).toBe("?case=case-1");
  await userEvent.click(question.getByRole("button", { name: /^Delete/ }));
  await waitFor(() => expect(deleted).toEqual(["case-1"]));
  await waitFor(() => expect(router.state.location.search).toBe("?case=case-2"));
});

test("a case that cannot be saved keeps what was typed", async () => {
  server.use(answers.problem(CASE, { title: "Not a draft", status: 409, detail: "Version 2 is published." }));
  const { panel } = await open();
  await userEvent.click(panel.getByRole("button", { name: "Edit" }));
  await userEvent.clear(panel.getByLabelText("Name"));
  await userEvent.type(panel.getByLabelText("Name"), "Sums");
  await userEvent.click(panel.getByRole("button", { name: "Save" }));
  expect(await panel.findByRole("alert")).toHaveTextContent("Version 2 is published.");
  expect(panel.getByLabelText("Name")).toHaveValue("Sums");
});
