/** One of everything that config-api has, to be varied by the test that needs another. */

import type { CollectionOut, DatasetOut, EvaluatorInfo, ImportResult, ProviderOut, ProviderTypeOut, TaskOut, TestCaseOut, VersionOut } from "@/api/generated/config-api";

const at = "2026-01-01T12:00:00.000Z";
const stored = { version: 3, created_at: at, updated_at: at };

export const ollamaType: ProviderTypeOut = {
  type: "OLLAMA",
  title: "Ollama",
  description: "Ollama on this machine or network.",
  base_url: "http://127.0.0.1:11434",
  base_url_example: "http://127.0.0.1:11434",
  models_endpoint: "/v1/models",
  inference_endpoint: "/v1/chat/completions",
  lists_models: true,
  secret_header: null,
  secret_prefix: "",
  options: [
    { name: "num_ctx", kind: "number", description: "Context window in tokens.", example: 8192 },
    { name: "keep_alive", kind: "text or number", description: "How long the model stays loaded.", example: "10m" },
  ],
  quirks: [],
};

export const openAiType: ProviderTypeOut = {
  ...ollamaType,
  type: "OPENAI",
  title: "OpenAI",
  description: "OpenAI's own API.",
  base_url: "https://api.openai.com",
  base_url_example: "https://api.openai.com",
  secret_header: "Authorization",
  secret_prefix: "Bearer ",
  options: [{ name: "service_tier", kind: "text", description: "auto, default, flex or priority.", example: "flex" }],
};

export const azureType: ProviderTypeOut = {
  ...openAiType,
  type: "AZURE_OPENAI",
  title: "Azure OpenAI",
  description: "OpenAI's models at your own Azure resource, where a model is a deployment.",
  base_url: null,
  base_url_example: "https://my-resource.openai.azure.com",
  secret_header: "api-key",
  secret_prefix: "",
  options: [
    { name: "deployments", kind: "list of texts", description: "Names of the deployments.", example: ["gpt-4o-mini"] },
    { name: "api_version", kind: "text", description: "A dated API version.", example: "2024-10-21" },
  ],
};

export function provider(over: Partial<ProviderOut> = {}): ProviderOut {
  return {
    ...stored,
    id: "provider-1",
    name: "My OpenAI",
    type: "OPENAI",
    base_url: "https://api.openai.com",
    models_endpoint: "/v1/models",
    inference_endpoint: "/v1/chat/completions",
    options: {},
    headers: [
      { header_key: "Authorization", header_value: null, is_secret: true, hint: "9f3c" },
      { header_key: "OpenAI-Project", header_value: "proj_1", is_secret: false, hint: null },
    ],
    prices: [],
    ...over,
  };
}

export function task(number: number, over: Partial<TaskOut> = {}): TaskOut {
  return {
    ...stored,
    id: `task-${number}`,
    task_id: `sum-${number}`,
    category: "arithmetic",
    subcategory: null,
    question: `What is ${number} + 25?`,
    excellent: String(number + 25),
    good: null,
    pass: null,
    incorrect_answer_direction: null,
    system_prompt: null,
    conversation: [],
    accepted_answers: [],
    metadata: {},
    checks: [],
    source_file: null,
    source_line: null,
    collection_count: 0,
    ...over,
  };
}

export function collection(over: Partial<CollectionOut> = {}): CollectionOut {
  return { ...stored, id: "collection-1", name: "Basics", description: null, task_count: 2, ...over };
}

export function tried(over: Partial<ImportResult> = {}): ImportResult {
  return { format: "csv", dry_run: true, row_count: 2, created: 2, updated: 0, unchanged: 0, skipped: 0, bad_row_count: 0, bad_rows: [], note_count: 0, notes: [], collection: null, preview: [], ...over };
}

export function dataset(over: Partial<DatasetOut> = {}): DatasetOut {
  return {
    ...stored, dataset_id: "dataset-1", name: "HR questions", description: null, type: "EVALUATION", tags: [], metadata: {}, version_count: 2, latest_version: 2, published_version: 1,
    row_count: 3, ...over,
  };
}

export function version(number: number, over: Partial<VersionOut> = {}): VersionOut {
  return {
    version_id: `version-${number}`, dataset_id: "dataset-1", version_number: number, status: "DRAFT", description: null, row_count: 3, file_uri: "file:x", file_format: "csv",
    file_name: "cases.csv", file_bytes: 840, schema: { columns: [{ name: "prompt", type: "text" }, { name: "difficulty", type: "text" }] }, schema_hash: "s", content_hash: "0123456789abcdef",
    mapping: [], warnings: [], validation_status: "VALID", validation_errors: [], validation_error_count: 0, created_at: at, published_at: null, deprecated_at: null, ...over,
  };
}

export function testCase(row: number, over: Partial<TestCaseOut> = {}): TestCaseOut {
  return {
    test_case_id: `case-${row}`, row_index: row, name: `sum-${row}`, input: { prompt: `What is ${row} + 25?` }, expected_output: String(row + 25), metadata: { difficulty: "easy" },
    checks: [], ground_truth: null, created_at: at, ...over,
  };
}

export const evaluatorInfos: EvaluatorInfo[] = [
  { kind: "rubric", title: "Rubric", description: "A judge model grades the answer.", needs_judge: true, params_schema: { properties: { repeats: { type: "integer", default: 1, title: "Repeats" } } } },
  {
    kind: "fuzzy_match", title: "Fuzzy match", description: "The answer is nearly the expected one.", needs_judge: false,
    params_schema: {
      properties: {
        threshold: { type: "number", default: 0.8, minimum: 0, maximum: 1, title: "Threshold", description: "How alike it must be." },
        ignore_case: { type: "boolean", default: true, title: "Ignore Case" },
      },
    },
  },
];
