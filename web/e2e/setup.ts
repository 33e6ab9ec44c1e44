/** Helpers shared by the specs: they store data before a page opens and check the rules of every screen. */

import type { APIRequestContext, Page } from "@playwright/test";
import type { AnnotationTaskIn, AnnotationTaskOut, Applied, ApplySuite, DatasetOut, ImportResult, SuiteOut, VersionOut } from "../src/api/generated/config-api";
import { expectAccessible, type Looked } from "./axe";
import { expect } from "./platform";

export const unique = () => crypto.randomUUID().slice(0, 8);

export async function post<T>(request: APIRequestContext, path: string, data: unknown): Promise<T> {
  const response = await request.post(path, { data });
  expect(response.ok(), `POST ${path}: ${response.status()} ${await response.text()}`).toBe(true);
  return response.json() as Promise<T>;
}

/** `count` tasks of two categories in a collection of their own; their ids begin with `prefix`. */
export async function storeTasks(request: APIRequestContext, prefix: string, count: number): Promise<{ id: string; name: string }> {
  const name = `Collection ${prefix}`;
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      task_id: `${prefix}-${String(index).padStart(4, "0")}`,
      category: `${prefix} ${index % 3 === 0 ? "law" : "sums"}`,
      question: index === 0 ? `<img src=x onerror="document.title='hacked'"> \u202e${"A".repeat(3000)}` : `What is ${index} + 25?`,
      excellent: String(index + 25),
    }),
  );
  const response = await request.post(`/api/tasks/import?file_name=${prefix}.jsonl&collection_name=${encodeURIComponent(name)}`, {
    data: Buffer.from(lines.join("\n")),
    headers: { "content-type": "application/octet-stream" },
  });
  expect(response.ok(), await response.text()).toBe(true);
  const { collection } = (await response.json()) as ImportResult;
  return { id: collection!.id!, name };
}

/** `count` cases of a published version of a dataset of its own. */
export async function storeDataset(request: APIRequestContext, prefix: string, count: number): Promise<{ dataset: DatasetOut; version: VersionOut }> {
  const dataset = await post<DatasetOut>(request, "/v1/datasets", { name: `Dataset ${prefix}`, description: "Sums with what is right.", tags: ["sums", prefix], metadata: { year: 2024 } });
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      id: `${prefix}-${String(index).padStart(4, "0")}`,
      prompt: `What is ${index} + 25?`,
      context: "Sums are taken in the usual way.",
      conversation: [{ role: "user", content: "Do you know sums?" }, { role: "assistant", content: "Yes." }],
      expected_output: String(index + 25),
      ground_truth: { answer: String(index + 25), acceptable_answers: [`= ${index + 25}`], confidence: 0.9 },
      metadata: { difficulty: index % 3 === 0 ? "hard" : "easy" },
    }),
  );
  await send(request, `/v1/datasets/${dataset.dataset_id}/versions`, `${prefix}.jsonl`, lines.join("\n"));
  return { dataset, version: await post<VersionOut>(request, `/v1/datasets/${dataset.dataset_id}/versions/1/publish`, {}) };
}

/** A draft of a suite of two tasks in two levels: `sums`, scored by program, and `replies`, scored by a judge. */
export async function storeSuite(request: APIRequestContext, prefix: string): Promise<SuiteOut> {
  const [sums, replies] = [await storeTasks(request, `${prefix}-sums`, 4), await storeTasks(request, `${prefix}-replies`, 3)];
  const applied = await post<Applied>(request, "/api/suites/apply", {
    suite: {
      name: `Suite ${prefix}`,
      description: "What every model has to do before we use it.",
      aggregation: "macro",
      tasks: [
        { name: "sums", category: "arithmetic", source: { collection: sums.name }, evaluators: [{ kind: "contains", params: { texts: ["Answer"] } }], params: { temperature: 0 } },
        { name: "replies", category: "language", source: { collection: replies.name }, evaluators: [{ kind: "rubric" }], after: ["sums"], weight: 2 },
      ],
    },
  } satisfies ApplySuite);
  return applied.suite;
}

/** An active annotation task about the cases of a dataset of its own. */
export async function storeAnnotationTask(request: APIRequestContext, prefix: string, count: number, more: Partial<AnnotationTaskIn> = {}): Promise<AnnotationTaskOut> {
  const { version } = await storeDataset(request, prefix, count);
  const task = await post<AnnotationTaskOut>(request, "/v1/annotations/tasks", {
    name: `Labels ${prefix}`,
    description: "Whether the sums make sense.",
    dataset_version_id: version.version_id,
    instructions: "# Read the question\n\nSay whether it makes **sense**.\n\n- `good`: it does\n- `bad`: it does not",
    annotation_schema: { fields: [{ name: "verdict", type: "classification", title: "Does it make sense?", options: [{ value: "good", label: "Good" }, { value: "bad", label: "Bad" }] }] },
    required_annotations_per_item: 3,
    ...more,
  } satisfies AnnotationTaskIn);
  return post<AnnotationTaskOut>(request, `/v1/annotations/tasks/${task.task_id}/activate`, {});
}

/** Send a file as a form. */
export async function send<T>(request: APIRequestContext, path: string, name: string, text: string): Promise<T> {
  const response = await request.post(path, { multipart: { file: { name, mimeType: "application/octet-stream", buffer: Buffer.from(text) } } });
  expect(response.ok(), `POST ${path}: ${response.status()} ${await response.text()}`).toBe(true);
  return response.json() as Promise<T>;
}

/** Expect a page without a violation that is no wider than its window. */
export async function expectSound(page: Page, name: string, options?: Looked): Promise<void> {
  await expectAccessible(page, name, options);
  const { width } = page.viewportSize()!;
  expect(await page.evaluate(() => document.documentElement.scrollWidth), `the width of ${name}`).toBeLessThanOrEqual(width);
}
