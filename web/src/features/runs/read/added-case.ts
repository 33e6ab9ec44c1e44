/** A case of a run as a line of a dataset file, appended to the cases that the dataset has. */

import type { Case } from "@/api/generated/orchestrator";

/** Return the line of a case; `expected` is the answer that counts as right. */
export function caseLine(given: Case, expected: string): string {
  const { task_id: id, question: prompt, context, conversation, metadata } = given;
  return JSON.stringify({
    id,
    prompt,
    ...(context ? { context } : {}),
    ...(conversation && conversation.length > 0 ? { conversation } : {}),
    ...(expected.trim() === "" ? {} : { expected_output: expected.trim() }),
    metadata: { category: given.category, ...metadata },
  });
}

/** Return the file with the line added; a case with the same id is replaced. */
export function withCase(file: string, line: string): string {
  const { id } = JSON.parse(line) as { id: string };
  const others = file.split("\n").filter((one) => one.trim() !== "" && (JSON.parse(one) as { id?: unknown }).id !== id);
  return `${[...others, line].join("\n")}\n`;
}
