import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { itemDetail, itemRow } from "@/testing/samples";
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
