import { expect, test } from "vitest";
import type { TargetOut } from "@/api/generated/orchestrator";
import { againRequest } from "./again-request";

const target: TargetOut = { id: "t1", label: "warm", provider_id: "p1", provider_name: "Mock", model: "m", params: { temperature: 0.7 }, epochs: 1, timeout_s: 60, max_attempts: 3, use_cache: false };
const item = {
  case: { id: "c", task_id: "sum-1", category: "sums", question: "What is 1 + 1?", system_prompt: "Count.", ground_truth: { answer: "2" } },
  request: { body: { messages: [{ role: "user", content: "Context: none\n\nWhat is 1 + 1?\n\nA. 2\nB. 3" }] } },
  rendered: null,
  target_id: "t1",
  system_prompt: "Be brief.",
} as Parameters<typeof againRequest>[0];

test("the same target is asked the same question, with its choices, references and settings", () => {
  expect(againRequest(item, [target])).toEqual({
    question: "What is 1 + 1?\n\nA. 2\nB. 3",
    case_name: "sum-1",
    category: "sums",
    system_prompt: "Count.",
    expected_output: "2",
    targets: [{ provider_id: "p1", model: "m", label: "warm", params: { temperature: 0.7, system_prompt: "Be brief." }, timeout_s: 60 }],
  });
});

test("the target's prompt makes the messages again", () => {
  const prompt = { prompt_id: "a", version_id: "v2", name: "Brief", number: 2, content_hash: "h" };
  const request = againRequest({ ...item, rendered: { ...prompt, system: null, user: "Say: What is 1 + 1?" } }, [{ ...target, prompt }]);
  expect(request).toMatchObject({ question: "What is 1 + 1?", targets: [{ prompt_version_id: "v2" }] });
});

test("a turn, a deleted provider and an unknown target cannot be asked", () => {
  expect(againRequest({ ...item, case: { ...item.case, conversation_id: "talk", turn: 2 } }, [target])).toBeNull();
  expect(againRequest(item, [{ ...target, provider_id: null }])).toBeNull();
  expect(againRequest(item, [])).toBeNull();
});
