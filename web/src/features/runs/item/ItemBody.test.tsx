import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { useState } from "react";
import { expect, test } from "vitest";
import { itemDetail, itemRow, scoreOut } from "@/testing/samples";
import type { ItemDetail } from "@/api/generated/orchestrator";
import { ItemBody } from "./ItemBody";

const WHY = "No overall score, because not every evaluator with a weight gave one. tone (unparsed): No score in it.";

const prompt = () => screen.getByText("Prompt").parentElement;

test("an item that is completed without an overall score says why", () => {
  const row = itemRow(0, { status: "COMPLETED", score: null, score_normalised: null, reason: WHY });
  const view = render(<ItemBody item={itemDetail(row)} row={row} evaluators={[]} />);
  expect(screen.getByText(WHY)).toBeVisible();
  const scored = itemRow(0, { status: "COMPLETED", score: 9, reason: "The sum is right." });
  view.rerender(<ItemBody item={itemDetail(scored)} row={scored} evaluators={[]} />);
  expect(screen.queryByText(WHY)).toBeNull();
});

test("the prompt is shown as it was sent, with its choices and without the context before it", () => {
  const row = itemRow(0, { status: "COMPLETED" });
  const { case: asked } = itemDetail(row);
  const sent = (content: unknown) => itemDetail(row, { case: { ...asked, question: "Which?" }, request: { url: "http://x", body: { messages: [{ role: "user", content }] } } });
  const shown = (content: unknown) => <ItemBody item={sent(content)} row={row} evaluators={[]} />;
  const view = render(shown("Some context.\n\nWhich?\n\nA. Paris\nB. Rome"));
  expect(prompt()).toHaveTextContent("PromptWhich? A. Paris B. Rome");
  view.rerender(shown("Another text altogether"));
  expect(prompt()).toHaveTextContent(/^PromptWhich\?$/);
  view.rerender(shown(null));
  expect(prompt()).toHaveTextContent(/^PromptWhich\?$/);
});

test("what is no plain text is told by its kind, and what was cut says so", () => {
  const row = itemRow(0, { status: "COMPLETED" });
  const shown = (over: Parameters<typeof itemDetail>[1]) => <ItemBody item={itemDetail(row, over)} row={row} evaluators={[]} />;
  const view = render(shown({ answer: '{"tool_calls":[]}', answer_kind: "tool_calls" }));
  expect(screen.getByText("The model called tools. Its calls are the last line, as JSON.")).toBeVisible();
  view.rerender(shown({ answer: "", answer_kind: "reasoning", finish_reason: "length", reasoning: "Let me think." }));
  expect(screen.getByText(/^Cut at the token limit\. Raise max_tokens/)).toBeVisible();
  expect(screen.getByText("The model wrote only its reasoning, and no answer.")).toBeVisible();
  expect(screen.getByText("Let me think.")).toBeInTheDocument();
  expect(screen.queryByText("The model answered with an empty text.")).toBeNull();
  view.rerender(shown({ answer: "Half an", answer_kind: "text", finish_reason: "length", notes: ["A note."] }));
  expect(screen.getByText(/this is a part of an answer/)).toBeVisible();
  expect(screen.getByText("A note.")).toBeVisible();
  view.rerender(shown({ answer: "It is •••.", redactions: 2 }));
  expect(screen.getByText(/repeated a secret of this call in 2 places; each reads •••/)).toBeVisible();
  view.rerender(shown({ answer: null, refusal: "I cannot help with that." }));
  expect(screen.getByText("I cannot help with that.")).toBeVisible();
});

test("the scores with their reasons come before the figures, the prompt and the answer, and each reason is shown once", async () => {
  const row = itemRow(0, { status: "COMPLETED", score: 0, passed: false });
  const long = `${"The sum is wrong. ".repeat(30)}The end.`;
  const scores = [
    scoreOut({ id: "a", evaluator: "rubric", raw: 0, scale_max: 10, passed: false, reason: long }),
    scoreOut({ id: "b", evaluator: "tone", raw: null, outcome: "errored", passed: null, reason: null, error: "No reply." }),
  ];
  const { container } = render(<ItemBody item={itemDetail(row, { answer: "43", scores })} row={row} evaluators={[]} />);
  const list = screen.getByRole("region", { name: "Scores" });
  for (const later of [screen.getByText("Finish reason"), screen.getByRole("heading", { name: "Prompt" }), screen.getByRole("heading", { name: "Answer" })]) {
    expect(list.compareDocumentPosition(later)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  }
  const [rubric, tone] = within(list).getAllByRole("listitem");
  expect(rubric).toHaveTextContent(/^rubric0 of 10Not passedThe sum is wrong\./);
  expect(rubric).not.toHaveTextContent("The end.");
  expect(tone).toHaveTextContent("toneErroredNo reply.");
  await userEvent.click(within(rubric!).getByRole("button", { name: /Show all/ }));
  expect(rubric).toHaveTextContent("The end.");
  expect(await screen.findByRole("heading", { name: "rubric, by program" })).toBeVisible();
  expect(screen.getAllByText(/The sum is wrong/)).toHaveLength(1);
  expect(screen.getAllByText("No reply.")).toHaveLength(1);
  const { violations } = await axe.run(container, { rules: { "color-contrast": { enabled: false }, region: { enabled: false } } });
  expect(violations.map((one) => one.id)).toEqual([]);
});

function WithDiff({ item }: { item: ItemDetail }) {
  const [against, setAgainst] = useState<string | null>(null);
  return <ItemBody item={item} row={item} evaluators={[]} against={against} onAgainst={setAgainst} />;
}

test("the answer is compared with its nearest reference on request, and a wrong answer is no reference", async () => {
  const row = itemRow(0, { status: "COMPLETED" });
  const { case: one } = itemDetail(row);
  const answer = "The capital of France is Lyon.";
  const references = { excellent: "The capital of France is Paris.", pass: "Paris", incorrect_answer_direction: answer };
  const view = render(<WithDiff item={itemDetail(row, { answer, case: { ...one, ...references } })} />);
  const part = screen.getByRole("region", { name: "Answer" });
  expect(within(part).queryByText(/Compared with/)).toBeNull();
  await userEvent.click(within(part).getByRole("checkbox", { name: "Show differences" }));
  expect(await within(part).findByText("Compared with the reference “Excellent”.")).toBeVisible();
  expect((await within(part).findByText("Paris")).tagName).toBe("DEL");
  expect(within(part).getByText("Lyon").tagName).toBe("INS");
  await userEvent.selectOptions(within(part).getByRole("combobox", { name: "Against" }), "Reference: Pass");
  expect(await within(part).findByText("Compared with the reference “Pass”.")).toBeVisible();
  // A case without that reference is compared with its nearest one.
  view.rerender(<WithDiff item={itemDetail(row, { answer, case: { ...one, excellent: references.excellent } })} />);
  expect(await within(part).findByText("Compared with the reference “Excellent”.")).toBeVisible();
  expect(within(part).queryByRole("combobox")).toBeNull();
  view.rerender(<WithDiff item={itemDetail(row, { answer, case: { ...one, excellent: null, incorrect_answer_direction: answer } })} />);
  expect(screen.queryByRole("checkbox", { name: "Show differences" })).toBeNull();
});
