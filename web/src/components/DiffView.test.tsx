import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { DiffView } from "./DiffView";

test("texts with few common words are a struck block and an inserted one", async () => {
  render(<DiffView before="Here is the answer: 1,000" after="Let me see." />);
  expect((await screen.findByText("Here is the answer: 1,000")).tagName).toBe("DEL");
  expect(screen.getByText("Let me see.").tagName).toBe("INS");
  expect(screen.getByText("Let me see.")).toHaveClass("block");
});

test("changed words are marked within their text", async () => {
  render(<DiffView before="The capital is Paris, of course." after="The capital is Lyon, of course." />);
  expect((await screen.findByText("Paris")).tagName).toBe("DEL");
  expect(screen.getByText("Lyon")).not.toHaveClass("block");
});
