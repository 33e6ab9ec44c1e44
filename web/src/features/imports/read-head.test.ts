import { expect, test } from "vitest";
import { fileOfText, HEAD_BYTES, readHead } from "./read-head";

const columnsOf = async (name: string, text: string) => (await readHead(new File([text], name))).columns;

test("a CSV file is read with quotes, line ends within them and its own separator", async () => {
  expect(await columnsOf("a.csv", '\uFEFFquestion,right one\r\n"What is ""17"", and\n25?",42\r\nNext,\r\n')).toEqual([
    { name: "question", examples: ['What is "17", and\n25?', "Next"], type: "text" },
    { name: "right one", examples: ["42"], type: "number" },
  ]);
  expect(await columnsOf("a.csv", 'a;b;c;d\n1,5;2;"[1, 2]";true\n;x;;')).toMatchObject([{ type: "number" }, { examples: ["2", "x"], type: "mixed" }, { type: "list" }, { type: "true or false" }]);
  expect(await columnsOf("a.tsv", "a\tb\n1\t")).toEqual([{ name: "a", examples: ["1"], type: "number" }, { name: "b", examples: [], type: "empty" }]);
});

test("records have the columns of all of them, and what is no record is passed over", async () => {
  expect(await columnsOf("a.jsonl", '{"q": "x", "choices": ["a", "b"]}\nno JSON\n{"q": "y", "n": 1, "o": {}, "__proto__": true}')).toEqual([
    { name: "q", examples: ["x", "y"], type: "text" },
    { name: "choices", examples: ['["a","b"]'], type: "list" },
    { name: "n", examples: ["1"], type: "number" },
    { name: "o", examples: ["{}"], type: "object" },
    { name: "__proto__", examples: ["true"], type: "true or false" },
  ]);
  expect(await columnsOf("a.json", '[{"q": "x"}]')).toEqual([{ name: "q", examples: ["x"], type: "text" }]);
});

test.each(["a.parquet", "a.yaml", "a.json", "a.jsonl", "a.csv"])("%s without columns to see is null", async (name) => {
  expect(await columnsOf(name, "")).toBeNull();
});

test("columns, rows and cells of a hostile file are bounded", async () => {
  const wide = await columnsOf("a.csv", `${Array.from({ length: 5000 }, (_, index) => `c${index}`).join(",")}\n${"x".repeat(9000)}`);
  expect(wide).toHaveLength(200);
  expect(wide?.[0]?.examples[0]).toHaveLength(500);
  const nested = await columnsOf("a.jsonl", `{"a": ${"[".repeat(100_000)}`);
  expect(nested).toBeNull();
});

test("of a large file the first complete rows are taken, whatever their quotes hold", async () => {
  const row = `${"x".repeat(1000)},"two\nlines"\n`;
  const head = await readHead(new File(["a,b\n", row.repeat(2000)], "a.csv"));
  expect(head.isWhole).toBe(false);
  expect(head.rows!.size).toBeLessThanOrEqual(HEAD_BYTES);
  expect((head.rows!.size - 4) % row.length).toBe(0);
  const lines = await readHead(new File(['{"a": 1}\n'.repeat(200_000)], "a.jsonl"));
  expect(lines.rows!.size % 9).toBe(0);
  const uncut = await readHead(new File(["x".repeat(2 * HEAD_BYTES)], "a.parquet"));
  expect([uncut.isWhole, uncut.columns]).toEqual([true, null]);
});

test.each([
  ["a,b\n1,2", "pasted.csv"],
  ["a\tb\n1\t2", "pasted.csv"],
  [' [{"a": 1}]', "pasted.json"],
  ['{"a": 1}\n{"a": 2}', "pasted.jsonl"],
  ["- a: 1", "pasted.yaml"],
])("pasted rows %j are %s", (text, name) => {
  expect(fileOfText(text).name).toBe(name);
});
