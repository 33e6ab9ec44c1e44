import type { AskPlayground, ItemDetail, TargetOut } from "@/api/generated/orchestrator";
import { promptOf } from "../item/prompt-of";

type Answered = Pick<ItemDetail, "case" | "request" | "rendered" | "target_id" | "system_prompt">;

/**
 * Return the request that asks the target of an item the same question again, as a run of this one case. Return null
 * where that is impossible: the provider was deleted, or the case is a turn that needs the turns before it.
 */
export function againRequest(item: Answered, targets: readonly TargetOut[]): AskPlayground | null {
  const { case: asked } = item;
  const target = targets.find((one) => one.id === item.target_id);
  if (!target?.provider_id || asked.conversation_id || (asked.conversation ?? []).length > 0) return null;
  const references = {
    expected_output: asked.expected_output ?? asked.ground_truth?.answer ?? asked.ground_truth?.acceptable_answers?.[0],
    excellent: asked.excellent,
    good: asked.good,
    pass: asked.pass,
    incorrect_answer_direction: asked.incorrect_answer_direction,
  };
  return {
    // A prompt makes the messages of the case; otherwise the choices were written below the question.
    question: item.rendered ? asked.question : promptOf(item),
    case_name: asked.task_id,
    category: asked.category,
    ...given({ system_prompt: asked.system_prompt, context: asked.context, ...references }),
    targets: [
      {
        provider_id: target.provider_id,
        model: target.model,
        label: target.label,
        params: { ...target.params, system_prompt: item.system_prompt },
        timeout_s: target.timeout_s,
        ...(target.prompt && { prompt_version_id: target.prompt.version_id }),
      },
    ],
  };
}

const given = <T extends object>(part: T): Partial<T> => Object.fromEntries(Object.entries(part).filter(([, value]) => value !== null && value !== undefined)) as Partial<T>;
