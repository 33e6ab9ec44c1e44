import { expect, test } from "vitest";
import { columnsOf } from "./file-columns";

const file = (name: string, text: string) => new File([text], name);

test("a CSV file is read with quotes, line ends within them and its own separator", async () => {
  expect(await columnsOf(file("a.csv", '\uFEFFquestion,right one\r\n"What is ""17"", and\n25?",42\r\nNext,\r\n'))).toEqual([
    { name: "question", examples: ['What is "17", and\n25?', "Next"] },
    { name: "right one", examples: ["42"] },
  ]);
  expect(await columnsOf(file("a.csv", "a;b\n1,5;2"))).toEqual([{ name: "a", examples: ["1,5"] }, { name: "b", examples: ["2"] }]);
  expect(await columnsOf(file("a.tsv", "a\tb\n1\t2"))).toEqual([{ name: "a", examples: ["1"] }, { name: "b", examples: ["2"] }]);
});

test("records have the columns of all of them, and what is no record is passed over", async () => {
  expect(await columnsOf(file("a.jsonl", '{"q": "x", "choices": ["a", "b"]}\nno JSON\n{"q": "y", "n": 1}'))).toEqual([
    { name: "q", examples: ["x", "y"] },
    { name: "choices", examples: ['["a","b"]'] },
    { name: "n", examples: ["1"] },
  ]);
  expect(await columnsOf(file("a.json", '[{"q": "x"}]'))).toEqual([{ name: "q", examples: ["x"] }]);
});

test.each(["a.parquet", "a.yaml", "a.json", "a.jsonl", "a.csv"])("%s without columns to see is null", async (name) => {
  expect(await columnsOf(file(name, ""))).toBeNull();
});
