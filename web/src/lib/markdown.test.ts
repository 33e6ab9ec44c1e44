import { expect, test } from "vitest";
import { inlines, parseMarkdown } from "./markdown";

test("headings, lists, code, tables and quotes are recognised", () => {
  const blocks = parseMarkdown("# Title\n\nSome **bold** text\nand `code`.\n\n- one\n  - two\n\n1. first\n2. second\n\n```python\nprint('<b>')\n```\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---");
  expect(blocks.map((one) => one.kind)).toEqual(["heading", "paragraph", "list", "list", "code", "quote", "table", "rule"]);
  expect(blocks[1]).toEqual({ kind: "paragraph", content: [{ kind: "text", text: "Some " }, { kind: "strong", text: "bold" }, { kind: "text", text: " text\nand " }, { kind: "code", text: "code" }, { kind: "text", text: "." }] });
  expect(blocks[2]).toMatchObject({ ordered: false, items: [{ depth: 0 }, { depth: 1 }] });
  expect(blocks[4]).toEqual({ kind: "code", language: "python", text: "print('<b>')" });
});

test("HTML stays text, and a link keeps its address as text", () => {
  expect(parseMarkdown("<script>alert(1)</script>")).toEqual([{ kind: "paragraph", content: [{ kind: "text", text: "<script>alert(1)</script>" }] }]);
  expect(inlines("[a](javascript:alert)")).toEqual([{ kind: "link", text: "a", address: "javascript:alert" }]);
});

test("a product is no emphasis, and an open fence ends with the text", () => {
  expect(inlines("2*3*4 and a_b_c")).toEqual([{ kind: "text", text: "2*3*4 and a_b_c" }]);
  expect(parseMarkdown("```\nx")).toEqual([{ kind: "code", language: "", text: "x" }]);
  expect(parseMarkdown("*".repeat(50_000)).length).toBeGreaterThan(0);
});

test("every line of a text appears in its blocks", () => {
  for (const text of ["|", "a | b", "- ", "#", "> ", "1.", "``` ", "x\n# y\n- z\nw", "   indented"]) expect(() => parseMarkdown(text)).not.toThrow();
});
