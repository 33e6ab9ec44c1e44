/** The form of the judge of all evaluators that name none of their own. */

import type { JudgeChoice } from "@/api/generated/orchestrator";
import { NOTHING_SAID, samplingOf, toParams, type SamplingForm } from "@/lib/sampling-form";

export interface JudgeForm {
  providerId: string;
  model: string;
  sampling: SamplingForm;
}

/** No model yet, with the server's default parameters of a judge. */
export const NO_JUDGE: JudgeForm = { providerId: "", model: "", sampling: { ...NOTHING_SAID, temperature: 0, maxTokens: 1024 } };

export const toJudge = ({ providerId, model, sampling }: JudgeForm): JudgeChoice => ({ provider_id: providerId, model, params: toParams(sampling) });

export const judgeOf = ({ provider_id, model, params }: JudgeChoice): JudgeForm => ({ providerId: provider_id, model, sampling: params ? samplingOf(params) : NO_JUDGE.sampling });

/** Return the missing fields, keyed by the path of the field that shows the message. */
export function missingJudge({ providerId, model }: JudgeForm): Record<string, string> {
  if (providerId === "") return { "judge.provider_id": "Choose the provider of the judge." };
  return model === "" ? { "judge.model": "Choose the model that judges." } : {};
}
