import { useState } from "react";
import { useNavigate } from "react-router";
import { useListProvidersQuery } from "@/api/providers";
import type { SuiteOut } from "@/api/generated/config-api";
import type { PlanOut, StartBenchmark } from "@/api/generated/orchestrator";
import { useStartBenchmarkMutation } from "@/api/suites";
import { Button, IconButton } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { CheckField, TextField } from "@/components/Field";
import { ModelPicker } from "@/components/ModelPicker";
import { ProblemNote } from "@/components/Problem";
import { uniqueKey } from "@/lib/unique-key";
import { PlanView } from "./PlanView";

interface Choice {
  providerId: string;
  model: string;
}

const NONE: Choice = { providerId: "", model: "" };
const isWhole = ({ providerId, model }: Choice) => providerId !== "" && model !== "";

/** Choose models, look at the plan, and start the run. */
export function RunSuite({ suite, onClose }: { suite: SuiteOut; onClose: () => void }) {
  const navigate = useNavigate();
  const providers = useListProvidersQuery({ limit: 500 }).data?.items ?? [];
  const [models, setModels] = useState<readonly Choice[]>([NONE]);
  const [judge, setJudge] = useState(NONE);
  const [selfJudging, setSelfJudging] = useState(false);
  const [check, setCheck] = useState(true);
  const [name, setName] = useState("");
  const [tried, setTried] = useState(false);
  const [plan, planning] = useStartBenchmarkMutation();
  const [start, starting] = useStartBenchmarkMutation();
  const [planned, setPlanned] = useState<{ of: string; plan: PlanOut } | null>(null);
  const judgesItself = suite.needs_judge && models.some((one) => isWhole(one) && one.providerId === judge.providerId && one.model === judge.model);
  const whole = models.every(isWhole) && (!suite.needs_judge || isWhole(judge));
  const body: StartBenchmark = {
    suite_id: suite.id,
    models: models.map((one) => ({ provider: one.providerId, name: one.model })),
    ...(suite.needs_judge && { judge: { provider: judge.providerId, name: judge.model } }),
    ...(judgesItself && selfJudging && { allow_self_judging: true }),
    ...(!check && { check_providers: false }),
    ...(name.trim() !== "" && { name: name.trim() }),
  };
  const key = JSON.stringify(body);
  const busy = planning.isLoading || starting.isLoading;
  const set = (index: number, choice: Choice) => setModels((now) => now.map((one, place) => (place === index ? choice : one)));
  const missing = (choice: Choice) => ({
    providerError: tried && choice.providerId === "" ? "Choose a provider." : undefined,
    modelError: tried && choice.providerId !== "" && choice.model === "" ? "Choose a model." : undefined,
  });

  const show = async () => {
    setTried(true);
    if (!whole || busy) return;
    starting.reset();
    const answer = await plan({ dryRun: true, startBenchmark: body });
    if (answer.data && "execution_plan" in answer.data) setPlanned({ of: key, plan: answer.data });
  };
  const submit = async () => {
    setTried(true);
    if (!whole || busy) return;
    planning.reset();
    const answer = await start({ startBenchmark: body, "Idempotency-Key": uniqueKey() });
    if (answer.data && "run_id" in answer.data) void navigate(`/runs/${answer.data.run_id}`);
  };

  const schedule = () => {
    setTried(true);
    if (whole) void navigate("/runs/schedules", { state: { what: { kind: "suite", request: body } } });
  };

  return (
    <FormDialog open onClose={onClose} title={`Run version ${suite.version_number}`}>
      <form
        className="mt-3 flex flex-col gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {models.map((choice, index) => (
          <fieldset key={index} aria-label={models.length === 1 ? "Model" : `Model ${index + 1}`} className="min-w-0">
            <div className="mb-1 flex min-h-8 items-center justify-between">
              <p aria-hidden="true" className="font-medium">{models.length === 1 ? "Model" : `Model ${index + 1}`}</p>
              {models.length > 1 && <IconButton icon="trash" label={`Remove model ${index + 1}`} onClick={() => setModels((now) => now.filter((_, place) => place !== index))} />}
            </div>
            <ModelPicker providers={providers} value={choice} onChange={(next) => set(index, next)} {...missing(choice)} />
          </fieldset>
        ))}
        <Button icon="plus" className="self-start" onClick={() => setModels((now) => [...now, { ...NONE, providerId: now.at(-1)?.providerId ?? "" }])}>Another model</Button>
        {suite.needs_judge && (
          <fieldset className="min-w-0">
            <legend className="mb-1 font-medium">Judge</legend>
            <ModelPicker providers={providers} value={judge} onChange={setJudge} {...missing(judge)} />
          </fieldset>
        )}
        {judgesItself && <CheckField label="Let the judge score its own answers" hint="Judges tend to prefer them." checked={selfJudging} onChange={setSelfJudging} />}
        <TextField label="Name of the run" hint="By default the suite, its version and the models. Runs of one name are a trend." value={name} maxLength={200} onChange={setName} />
        <CheckField label="Check first that the providers have these models" checked={check} onChange={setCheck} />
        {planned && (planned.of === key ? <PlanView plan={planned.plan} /> : <p role="status" className="text-ink-2">The plan no longer fits these choices.</p>)}
        {[planning, starting].map(({ error }, index) => error !== undefined && <ProblemNote key={index} error={error} />)}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Not now</Button>
          <Button icon="clock" disabled={busy} onClick={schedule}>Schedule it…</Button>
          <Button icon="search" disabled={busy} onClick={() => void show()}>{planning.isLoading ? "Planning…" : "Show the plan"}</Button>
          <Button kind="primary" icon="play" type="submit" disabled={busy}>{starting.isLoading ? "Starting…" : "Start the run"}</Button>
        </div>
      </form>
    </FormDialog>
  );
}
