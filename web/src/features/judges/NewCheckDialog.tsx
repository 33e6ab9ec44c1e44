import { useState } from "react";
import { useCreateJudgeCheckMutation } from "@/api/judges";
import { useListProvidersQuery } from "@/api/providers";
import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { ModelPicker } from "@/components/ModelPicker";
import { ProblemNote } from "@/components/Problem";
import { errorAt } from "@/lib/form-errors";
import { toProblem } from "@/lib/problem";
import { uniqueKey } from "@/lib/unique-key";

/** Start a check of a judge on the product's own cases. */
export function NewCheckDialog({ onClose, onStarted }: { onClose: () => void; onStarted: (id: string) => void }) {
  const providers = useListProvidersQuery({ limit: 500 });
  const [choice, setChoice] = useState({ providerId: "", model: "" });
  // The same request sent twice, after a lost response, starts and pays one check.
  const [key, setKey] = useState(uniqueKey);
  const [create, creating] = useCreateJudgeCheckMutation();
  const fields = toProblem(creating.error).fields;
  const choose = (next: typeof choice) => {
    setChoice(next);
    setKey(uniqueKey());
  };
  const submit = async () => {
    const judge = { provider_id: choice.providerId, model: choice.model };
    const made = await create({ "Idempotency-Key": key, createJudgeCheck: { judge } });
    if (!made.data) return;
    onClose();
    onStarted(made.data.id);
  };
  return (
    <FormDialog open onClose={onClose} title="Check a judge">
      <form
        className="mt-3 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className="text-ink-2">The judge scores some 140 prepared answers twice, pairs in both orders. That is about 500 short calls. Files of LLMBar, JudgeBench, RewardBench and MT-Bench are checked with <code className="text-xs">llmbench judge check</code>.</p>
        <ModelPicker providers={providers.data?.items ?? []} value={choice} onChange={choose} providerError={errorAt(fields, "config.judge.provider_id")} modelError={errorAt(fields, "config.judge.model")} />
        {creating.error !== undefined && <ProblemNote error={creating.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" icon="scale" type="submit" disabled={creating.isLoading || choice.model === ""}>Check</Button>
        </div>
      </form>
    </FormDialog>
  );
}
