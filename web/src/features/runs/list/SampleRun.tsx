import { useState } from "react";
import { useNavigate } from "react-router";
import { useListProviderModelsQuery, useListProvidersQuery } from "@/api/providers";
import { useCreateRunMutation } from "@/api/runs";
import { useImportTasksMutation } from "@/api/tasks";
import { Button } from "@/components/Button";
import { ProblemNote } from "@/components/Problem";
import { uniqueKey } from "@/lib/unique-key";

/** `llmbench up` registers the built-in model under a name that begins so. */
const BUILT_IN = "Built-in";
const TASKS = 16;
const COLLECTION = "Sample tasks";

/** Import the sample tasks and run the built-in model on some of them, with one click. Nothing where there is no such model. */
export default function SampleRun() {
  const navigate = useNavigate();
  const provider = useListProvidersQuery({ q: BUILT_IN, limit: 10 }).data?.items.find((one) => one.name.startsWith(BUILT_IN));
  const model = useListProviderModelsQuery({ id: provider?.id ?? "" }, { skip: provider === undefined }).data?.models[0]?.id;
  const [importTasks, importing] = useImportTasksMutation();
  const [create, creating] = useCreateRunMutation();
  const [busy, setBusy] = useState(false);
  if (provider === undefined || model === undefined) return null;

  const start = async () => {
    const { default: text } = await import("../../../../../cli/llmbench_cli/samples/tasks.yaml?raw");
    const imported = await importTasks({ fileName: "tasks.yaml", collectionName: COLLECTION, onConflict: "update", body: new Blob([text], { type: "application/octet-stream" }) });
    const collectionId = imported.data?.collection?.id;
    if (!collectionId) return;
    const target = { provider_id: provider.id, model };
    const answer = await create({
      "Idempotency-Key": uniqueKey(),
      createRun: {
        name: "First run: does temperature matter?",
        targets: [0, 0.8].map((temperature) => ({ ...target, label: `Temperature ${temperature}`, params: { temperature, max_tokens: 160, seed: 1 } })),
        // There is only this model, so it judges itself, and the run carries a warning.
        judge: { ...target, params: { temperature: 0, max_tokens: 320, seed: 1 } },
        allow_self_judging: true,
        collection_ids: [collectionId],
        sample: { size: TASKS, strategy: "stratified", seed: 1 },
      },
    });
    if (answer.data) void navigate(`/runs/${answer.data.id}`);
  };
  const error = importing.error ?? creating.error;
  return (
    <div className="mt-5 flex flex-col items-center gap-2">
      <Button
        kind="primary"
        icon="play"
        right="runs:create"
        disabled={busy}
        onClick={() => {
          setBusy(true);
          void start().finally(() => setBusy(false));
        }}
      >
        {busy ? "Starting…" : `Run ${TASKS} sample tasks now`}
      </Button>
      <p className="text-xs">On the built-in model, with two temperatures. It takes a few minutes and costs nothing.</p>
      {error !== undefined && <ProblemNote error={error} />}
    </div>
  );
}
