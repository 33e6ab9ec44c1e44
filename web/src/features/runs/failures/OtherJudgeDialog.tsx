import { useState } from "react";
import { useListProvidersQuery } from "@/api/providers";
import type { RunDetail } from "@/api/generated/orchestrator";
import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { CheckField, SelectField } from "@/components/Field";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { errorAt } from "@/lib/form-errors";
import { scoredBy } from "@/lib/scored-by";
import { ModelPicker } from "@/components/ModelPicker";
import { ProblemNote } from "@/components/Problem";
import type { RunStore } from "@/live/run-store";
import { MOST_IDS, useRetry } from "./useRetry";

interface Props {
  run: RunDetail;
  /** Watches the retried items. */
  store?: RunStore;
  open: boolean;
  /** The items whose judging failed; null asks about the run. */
  itemIds: readonly string[] | null;
  onClose: () => void;
}

/** Ask another judge about the failed verdicts, or about every answer. Its scores are stored separately. */
export function OtherJudgeDialog({ run, store, open, itemIds, onClose }: Props) {
  const retry = useRetry(run.id, store);
  const providers = useListProvidersQuery({ limit: 500 }, { skip: !open });
  const [choice, setChoice] = useState({ providerId: "", model: "" });
  const [scope, setScope] = useState<"failed" | "all">(itemIds ? "failed" : "all");
  const [allow, setAllow] = useState(false);
  const [check, setCheck] = useState(true);
  const self = run.targets.some((one) => one.provider_id === choice.providerId && one.model === choice.model);
  const fields = toProblem(retry.error).fields;
  const close = () => {
    retry.reset();
    onClose();
  };
  const submit = async () => {
    const done = await retry.judge({
      judge: { provider_id: choice.providerId, model: choice.model, params: { temperature: 0, max_tokens: 1024 } },
      scope,
      allow_self_judging: self && allow,
      check_providers: check,
      ...(scope === "failed" && itemIds && { item_ids: itemIds.slice(0, MOST_IDS) }),
    });
    if (done) onClose();
  };
  return (
    <FormDialog open={open} onClose={close} title="Ask another judge">
      <form
        className="mt-3 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className="text-ink-2">Its scores are stored next to those of {harmless(scoredBy(run))}; no existing score changes. The run’s figures stay those of
          the primary judge. To use this judge’s figures, let it judge every answer, then choose Make primary in Results by evaluator.</p>
        <ModelPicker
          providers={providers.data?.items ?? []}
          value={choice}
          onChange={setChoice}
          providerError={errorAt(fields, "judge.provider_id")}
          modelError={errorAt(fields, "judge.model")}
        />
        {itemIds && (
          <SelectField
            label="What it judges"
            value={scope}
            options={[
              { value: "failed", label: `${plural(itemIds.length, "item")} whose judging failed` },
              { value: "all", label: "Every answer of the run" },
            ]}
            onChange={setScope}
          />
        )}
        {self && <CheckField label="Let it judge its own answers" hint="It is among the targets, and models favour their own answers." checked={allow} onChange={setAllow} />}
        <CheckField label="Check first that the provider has this model" checked={check} onChange={setCheck} />
        {retry.error !== undefined && <ProblemNote error={retry.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={close}>Not now</Button>
          <Button kind="primary" icon="scale" type="submit" disabled={retry.busy || choice.model === "" || (self && !allow)}>
            Judge
          </Button>
        </div>
      </form>
    </FormDialog>
  );
}
