import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import { Link } from "react-router";
import type { ProviderOut } from "@/api/generated/config-api";
import { useApiDispatch } from "@/api/dispatch";
import { useKeepPlaygroundMutation } from "@/api/playground";
import { resultsApi, useListItemsQuery } from "@/api/results";
import { useCancelRunMutation, useGetRunQuery } from "@/api/runs";
import { Button } from "@/components/Button";
import { Skeleton } from "@/components/Message";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { toast } from "@/components/Toast";
import { formatUsd } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { loadCode } from "@/live/reach";
import { AnswerColumn } from "./AnswerColumn";
import type { QuestionForm } from "./playground-form";
import { useStreamed } from "./streamed";

const JudgeDialog = lazy(() => loadCode(async () => ({ default: (await import("./JudgeDialog")).JudgeDialog })));
const KeepCaseDialog = lazy(() => loadCode(async () => ({ default: (await import("./KeepCaseDialog")).KeepCaseDialog })));

/** The time between two readings without the live connection. */
const POLL_MS = 2000;

interface Props {
  runId: string;
  form: QuestionForm;
  providers: readonly ProviderOut[];
}

/** The answers to a question side by side, and what can be done with them. */
export function Answers({ runId, form, providers }: Props) {
  const [dialog, setDialog] = useState<"judge" | "case" | null>(null);
  const dispatch = useApiDispatch();
  const run = useGetRunQuery({ runId });
  const items = useListItemsQuery({ runId });
  const [cancel, cancelling] = useCancelRunMutation();
  const [keep, keeping] = useKeepPlaygroundMutation();
  // A reading that is under way may have missed the change: what is invalid is read again after it.
  const refresh = useCallback(() => void dispatch(resultsApi.util.invalidateTags([{ type: "Run", id: runId }, "Item"])), [dispatch, runId]);
  const streamed = useStreamed(runId, refresh);
  const status = run.data?.status;
  const over = status === "FINISHED" || status === "CANCELLED";
  useEffect(() => {
    // The answers may have been read before the end of the run.
    if (over) return refresh();
    const polling = setInterval(refresh, POLL_MS);
    return () => clearInterval(polling);
  }, [over, refresh]);
  if (run.isError) return <ErrorMessage error={run.error} onRetry={refresh} />;
  if (!run.data || !items.data) return <Skeleton className="h-96" />;
  const { data } = run;
  const keepRun = async () => {
    const kept = await keep({ runId, body: null });
    if (kept.data) toast("The list of runs now shows this question.");
  };
  return (
    <section aria-label="Result" className="@container flex min-w-0 flex-col gap-3">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <p role="status" className="text-ink-2">{stateText(status, data.phase)}{data.cost_usd > 0 && ` · ${formatUsd(data.cost_usd)}`}</p>
        <div className="flex flex-wrap items-center gap-2">
          {!over && <Button disabled={cancelling.isLoading} onClick={() => void cancel({ runId })}>Stop</Button>}
          {over && <Button icon="scale" onClick={() => setDialog("judge")}>Judge the answers</Button>}
          <Button icon="plus" onClick={() => setDialog("case")}>Keep as a task</Button>
          {data.type === "PLAYGROUND" && <Button disabled={keeping.isLoading} onClick={() => void keepRun()}>Keep as a run</Button>}
          <Link to={`/runs/${encodeURIComponent(runId)}/items`} className="text-accent underline underline-offset-2">Open as a run</Link>
        </div>
      </header>
      {keeping.error !== undefined && <ProblemNote error={keeping.error} />}
      {cancelling.error !== undefined && <ProblemNote error={cancelling.error} />}
      {data.status_reason && <p className="rounded-md bg-warn-soft px-3 py-2 text-warn">{harmless(data.status_reason)}</p>}
      <ul aria-label="Answers" className={`grid items-start gap-3 ${items.data.items.length > 1 ? "@2xl:grid-cols-2" : ""}`}>
        {items.data.items.map((item) => (
          <AnswerColumn key={item.id} runId={runId} row={item} streamed={streamed.get(item.id)} provider={data.targets.find((one) => one.id === item.target_id)?.provider_name ?? ""} />
        ))}
      </ul>
      <Suspense>
        {dialog === "judge" && <JudgeDialog run={data} providers={providers} onClose={() => setDialog(null)} onAsked={refresh} />}
        {dialog === "case" && <KeepCaseDialog form={form} onClose={() => setDialog(null)} />}
      </Suspense>
    </section>
  );
}

function stateText(status: string | undefined, phase: string): string {
  if (status === "FINISHED") return "Answered";
  if (status === "CANCELLED") return "Stopped";
  if (status === "PAUSED" || status === "PAUSING") return "Paused";
  return phase === "JUDGING" ? "The judge reads the answers…" : "The models answer…";
}
