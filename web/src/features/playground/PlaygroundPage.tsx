import { skipToken } from "@reduxjs/toolkit/query/react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useAskPlaygroundMutation } from "@/api/playground";
import { useListProvidersQuery } from "@/api/providers";
import { useGetItemQuery, useListItemsQuery } from "@/api/results";
import { useGetRunQuery } from "@/api/runs";
import type { AskPlayground } from "@/api/generated/orchestrator";
import BudgetBanner from "@/components/BudgetBanner";
import { ButtonLink } from "@/components/Button";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage } from "@/components/Problem";
import { stillTrue } from "@/lib/form-errors";
import { toProblem } from "@/lib/problem";
import { uniqueKey } from "@/lib/unique-key";
import { useTitle } from "@/lib/use-title";
import { Answers } from "./Answers";
import { emptyForm, formOfItem, missing, toRequest, type QuestionForm } from "./playground-form";
import { QuestionCard } from "./QuestionCard";

/** `/playground`; `?run=<id>` shows a question that was asked, `?like=<run>&item=<id>` begins with that of an item. */
export default function PlaygroundPage() {
  useTitle("Playground");
  const [search] = useSearchParams();
  const [start] = useState({ runId: search.get("like") ?? search.get("run"), itemId: search.get("item") });
  return (
    <div className="mx-auto flex w-full max-w-screen-2xl flex-col gap-4 px-4 py-5 sm:px-6">
      <PageHead title="Playground" note="One question, up to four models. Calls are stored and paid like those of a run." />
      <BudgetBanner />
      {start.runId ? <Begun runId={start.runId} itemId={start.itemId} /> : <Playground start={emptyForm} />}
    </div>
  );
}

/** The playground with the question of an earlier run. */
function Begun({ runId, itemId }: { runId: string; itemId: string | null }) {
  const run = useGetRunQuery({ runId });
  const items = useListItemsQuery(itemId === null ? { runId, limit: 1 } : skipToken);
  const id = itemId ?? items.data?.items[0]?.id;
  const item = useGetItemQuery(id === undefined ? skipToken : { runId, itemId: id });
  const failed = [run, items, item].find((one) => one.isError);
  const [found, targets] = [item.data, run.data?.targets];
  if (failed) return <ErrorMessage error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!found || !targets) return <Skeleton className="h-96" />;
  return <Playground start={() => formOfItem(found.case, targets, found.target_id)} />;
}

function Playground({ start }: { start: () => QuestionForm }) {
  const [search, setSearch] = useSearchParams();
  const runId = search.get("run");
  const providers = useListProvidersQuery({ limit: 500 });
  const [form, setForm] = useState(start);
  const [tried, setTried] = useState(false);
  const [sent, setSent] = useState<AskPlayground | null>(null);
  const [ask, asking] = useAskPlaygroundMutation();
  const lacking = missing(form);
  const body = toRequest(form);
  const refused = asking.error ? stillTrue(toProblem(asking.error).fields, sent, body) : {};
  const submit = async () => {
    setTried(true);
    if (asking.isLoading || Object.keys(lacking).length > 0) return;
    setSent(body);
    const answer = await ask({ askPlayground: body, "Idempotency-Key": uniqueKey() });
    if (answer.data) setSearch({ run: answer.data.id });
  };
  if (providers.isError) return <ErrorMessage error={providers.error} onRetry={() => void providers.refetch()} />;
  if (!providers.data) return <Skeleton className="h-96" />;
  if (providers.data.items.length === 0)
    return (
      <Message icon="plus" title="Add a provider first">
        <p>A provider is where models are asked: Ollama on this machine, or a service with an API key.</p>
        <p className="mt-4"><ButtonLink kind="primary" to="/providers/new">Add a provider</ButtonLink></p>
      </Message>
    );
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[24rem_minmax(0,1fr)]">
      <QuestionCard form={form} providers={providers.data.items} errors={{ ...refused, ...(tried ? lacking : {}) }} error={asking.error} busy={asking.isLoading} onChange={setForm} onAsk={() => void submit()} />
      {runId ? (
        <Answers key={runId} runId={runId} form={form} providers={providers.data.items} />
      ) : (
        <Message icon="play" title="Answers appear here">
          <p>Ask, and each model writes its answer side by side.</p>
        </Message>
      )}
    </div>
  );
}
