import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Markdown } from "./Markdown";

test("headings, lists, emphasis, code and links are shown; everything else is text", () => {
  const { container } = render(<Markdown text={'# Task\nSay **yes**.\n\n- one `x`\n- two\n\n1. first\n\n> quoted\n\n```\n<b>code</b>\n```\n<img src=x onerror=alert(1)>\n[ok](https://a.example) [no](javascript:alert(1))'} />);
  expect(screen.getByText("Task")).toBeVisible();
  expect(screen.getByText("yes").tagName).toBe("STRONG");
  expect(screen.getAllByRole("listitem").map((one) => one.textContent)).toEqual(["one x", "two", "first"]);
  expect(container.querySelector("img, b, script")).toBeNull();
  expect(screen.getByText(/<img src=x/)).toBeVisible();
  expect(screen.getAllByRole("link").map((one) => one.getAttribute("href"))).toEqual(["https://a.example"]);
});

test("a long text and an unclosed block do not break the page", () => {
  render(<Markdown text={`${"*".repeat(50_000)}\n\`\`\`\nopen`} />);
  expect(screen.getByText("open")).toBeVisible();
});
