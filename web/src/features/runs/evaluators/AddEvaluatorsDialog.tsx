import { useState } from "react";
import { useListProvidersQuery } from "@/api/providers";
import type { AddEvaluators, RunDetail } from "@/api/generated/orchestrator";
import { useAddEvaluatorsMutation } from "@/api/runs";
import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { CheckField } from "@/components/Field";
import { toast } from "@/components/Toast";
import { errorAt, stillTrue } from "@/lib/form-errors";
import { plural } from "@/lib/format";
import { toProblem } from "@/lib/problem";
import { uniqueKey } from "@/lib/unique-key";
import { ModelPicker } from "@/components/ModelPicker";
import { ProblemNote } from "@/components/Problem";
import { askRunJudge, embeddersOf, judgesOf, missingIn, toInput, type EvaluatorForm } from "@/components/evaluators/evaluator-form";
import { EvaluatorsEditor } from "@/components/evaluators/EvaluatorsEditor";

/** Add evaluators to a finished run. They score its answers; no target is asked again. */
export function AddEvaluatorsDialog({ run, onClose }: { run: RunDetail; onClose: () => void }) {
  const providers = useListProvidersQuery({ limit: 500 });
  const [evaluators, setEvaluators] = useState<EvaluatorForm[]>([]);
  const [judge, setJudge] = useState({ providerId: run.judge?.provider_id ?? "", model: run.judge?.model ?? "" });
  const [allow, setAllow] = useState(false);
  const [check, setCheck] = useState(true);
  const [isTried, setTried] = useState(false);
  const [sent, setSent] = useState<{ body: AddEvaluators; key: string } | null>(null);
  const [add, adding] = useAddEvaluatorsMutation();

  const asksJudge = askRunJudge(evaluators);
  const judges = judgesOf(evaluators, [judge]);
  const self = run.targets.some((target) => judges.some((one) => one.model !== "" && one.providerId === target.provider_id && one.model === target.model));
  // The run's own judge keeps its parameters; another judge gets the defaults.
  const params = judge.providerId === run.judge?.provider_id && judge.model === run.judge.model ? run.judge.params : undefined;
  const body: AddEvaluators = {
    evaluators: evaluators.map(toInput),
    ...(asksJudge && { judge: { provider_id: judge.providerId, model: judge.model, ...(params && { params }) } }),
    check_providers: check,
    allow_self_judging: self && allow,
  };
  const lacking = { ...missingIn(evaluators), ...(asksJudge && judge.model === "" && { "judge.model": "Choose the model that judges." }) };
  const refused = adding.error ? stillTrue(toProblem(adding.error).fields, sent?.body, body) : {};
  const errors = { ...refused, ...(isTried && lacking) };

  const submit = async () => {
    setTried(true);
    if (Object.keys(lacking).length > 0 || adding.isLoading) return;
    const request = sent && JSON.stringify(sent.body) === JSON.stringify(body) ? sent : { body, key: uniqueKey() };
    setSent(request);
    const answer = await add({ runId: run.id, addEvaluators: request.body, "Idempotency-Key": request.key });
    if (answer.error) return;
    toast("The run continues: its answers are being scored.");
    onClose();
  };
  return (
    <FormDialog open onClose={onClose} title="Add evaluators">
      <form
        className="mt-3 flex flex-col gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className="text-ink-2">The run’s {plural(run.counts.answered, "answer")} are scored by the evaluators you add. No target is asked again; evaluators by program cost nothing.</p>
        <div className="rounded-md border border-line">
          <EvaluatorsEditor evaluators={evaluators} providers={providers.data?.items ?? []} errors={errors} onChange={setEvaluators} />
        </div>
        {asksJudge && (
          <fieldset className="min-w-0">
            <legend className="mb-2 text-sm font-semibold">Judge</legend>
            <ModelPicker providers={providers.data?.items ?? []} value={judge} onChange={setJudge} providerError={errorAt(errors, "judge.provider_id", "judge")} modelError={errorAt(errors, "judge.model")} />
          </fieldset>
        )}
        {self && <CheckField label="Let it judge its own answers" hint="It is among the targets, and models favour their own answers." checked={allow} onChange={setAllow} />}
        {judges.length + embeddersOf(evaluators).length > 0 && <CheckField label="Check first that the providers have these models" checked={check} onChange={setCheck} />}
        {adding.error !== undefined && Object.keys(refused).length === 0 && <ProblemNote error={adding.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Not now</Button>
          <Button kind="primary" icon="scale" type="submit" disabled={adding.isLoading || evaluators.length === 0 || (self && !allow)}>
            {adding.isLoading ? "Adding…" : "Score the answers"}
          </Button>
        </div>
      </form>
    </FormDialog>
  );
}
