import { useState } from "react";
import type { ProviderOut } from "@/api/generated/config-api";
import type { RunDetail } from "@/api/generated/orchestrator";
import { useAddEvaluatorsMutation, useRetryJudgingMutation } from "@/api/runs";
import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { CheckField } from "@/components/Field";
import { ModelPicker } from "@/components/ModelPicker";
import { ProblemNote } from "@/components/Problem";
import { errorAt } from "@/lib/form-errors";
import { toProblem } from "@/lib/problem";
import { uniqueKey } from "@/lib/unique-key";

interface Props {
  run: RunDetail;
  providers: readonly ProviderOut[];
  onClose: () => void;
  onAsked: () => void;
}

const RUBRIC = "rubric";

/** Let a model score the answers by the rubric, from 0 to 10. No target is asked again. */
export function JudgeDialog({ run, providers, onClose, onAsked }: Props) {
  const [choice, setChoice] = useState({ providerId: "", model: "" });
  const [allow, setAllow] = useState(false);
  const [add, adding] = useAddEvaluatorsMutation();
  const [again, asking] = useRetryJudgingMutation();
  const self = run.targets.some((one) => one.provider_id === choice.providerId && one.model === choice.model);
  const error = adding.error ?? asking.error;
  const fields = toProblem(error).fields;
  const submit = async () => {
    const judge = { provider_id: choice.providerId, model: choice.model, params: { temperature: 0, max_tokens: 1024 } };
    const common = { runId: run.id, "Idempotency-Key": uniqueKey() };
    const isJudged = run.evaluators.some((one) => one.kind === RUBRIC);
    const answer = isJudged
      ? await again({ ...common, body: { judge, scope: "all", evaluator: RUBRIC, allow_self_judging: allow } })
      : await add({ ...common, addEvaluators: { evaluators: [{ kind: RUBRIC }], judge, allow_self_judging: allow } });
    if (!answer.data) return;
    onAsked();
    onClose();
  };
  return (
    <FormDialog open onClose={onClose} title="Judge the answers">
      <form
        className="mt-3 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className="text-ink-2">The judge scores each answer from 0 to 10. It reads the expected answer, if the question was asked with one.</p>
        <ModelPicker providers={providers} value={choice} onChange={setChoice} providerError={errorAt(fields, "judge.provider_id")} modelError={errorAt(fields, "judge.model")} />
        {self && <CheckField label="Let it judge its own answers" hint="It is among the models, and models favour their own answers." checked={allow} onChange={setAllow} />}
        {error !== undefined && <ProblemNote error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" icon="scale" type="submit" disabled={adding.isLoading || asking.isLoading || choice.model === "" || (self && !allow)}>Judge</Button>
        </div>
      </form>
    </FormDialog>
  );
}
