import { useEffect, useState } from "react";
import { useParams } from "react-router";
import { useDecideAnnotationItemMutation, useGetAnnotationTaskQuery, useListAnnotationItemsQuery, useWithdrawDecisionMutation } from "@/api/annotation";
import type { AnnotationTaskOut, ItemOut } from "@/api/generated/config-api";
import { Button, ButtonLink, IconButton } from "@/components/Button";
import { TextField } from "@/components/Field";
import { Message, Skeleton } from "@/components/Message";
import { Moment } from "@/components/Moment";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { Segments } from "@/components/Segments";
import { formatCount, plural } from "@/lib/format";
import { usePagedView } from "@/lib/paged-view";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useShortcuts } from "@/lib/shortcuts";
import { useTitle } from "@/lib/use-title";
import { LabelTable } from "../LabelTable";
import { askedLabels, isAsked, isGiven, missingFields, questionsOf, type Labels } from "../words";
import { CaseView } from "../work/CaseView";
import { labelAfter } from "../work/keys";
import { Questions } from "../work/Questions";
import { useLabelKeys } from "../work/useLabelKeys";

const VIEWS = [
  { value: "disagreement", label: "Disagreement" },
  { value: "flagged", label: "Flagged" },
  { value: "decided", label: "Decided" },
] as const;

/** `/annotation/:annotationId/decide`: items on which people disagree, with everybody's labels in sight. */
export default function DecidePage() {
  const { annotationId = "" } = useParams();
  const task = useGetAnnotationTaskQuery({ taskId: annotationId });
  useTitle("Decide");
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      {task.currentData ? <Loaded task={task.currentData} /> : task.isError ? <><h1 className="sr-only">Decide</h1><ErrorMessage error={task.error} onRetry={() => void task.refetch()} /></> : <Skeleton className="h-96" />}
    </div>
  );
}

function Loaded({ task }: { task: AnnotationTaskOut }) {
  const view = usePagedView();
  const only = VIEWS.find(({ value }) => value === view.text("only"))?.value ?? "disagreement";
  // One item a page: the next one takes its place once it is decided.
  const query = useListAnnotationItemsQuery({ taskId: task.task_id, only, limit: 1, offset: view.page - 1 }, { refetchOnMountOrArgChange: true });
  const total = query.data?.total ?? 0;
  const item = query.data?.items[0];
  const back = useEffectToLastPage(view.page, query.isFetching ? null : total, view.toPage);
  return (
    <>
      <PageHead
        title="Decide" parent={{ to: `/annotation/${task.task_id}`, label: harmless(task.name) }}
        note={query.data && plural(total, "item")}
        actions={
          <>
            <Segments label="Which items" options={VIEWS} value={only} onChange={(next) => view.filter("only", next === "disagreement" ? "" : next)} />
            <IconButton icon="previous" label="Previous item (k)" disabled={view.page <= 1} onClick={() => view.toPage(view.page - 1)} />
            <IconButton icon="next" label="Next item (j)" disabled={view.page >= total} onClick={() => view.toPage(view.page + 1)} />
          </>
        }
      />
      {item ? (
        <Item key={item.item_id} item={item} task={task} isStale={query.isFetching} onStep={(by) => view.page + by >= 1 && view.page + by <= total && view.toPage(view.page + by)} />
      ) : query.isError ? (
        <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isLoading || back ? (
        <Skeleton className="h-96" />
      ) : (
        <div className="card">
          <Message icon="check" title={only === "disagreement" ? "No disagreement is left" : "There is no such item"}>
            <p>{only === "disagreement" ? "Every labelled item has agreement or a decision." : "There are no such items."}</p>
            <div className="mt-4 flex justify-center"><ButtonLink to={`/annotation/${task.task_id}`}>Back to the task</ButtonLink></div>
          </Message>
        </div>
      )}
    </>
  );
}

/** Go to the last page once fewer remain. Return whether it is on its way. */
function useEffectToLastPage(page: number, total: number | null, toPage: (page: number) => void): boolean {
  const isBeyond = total !== null && total > 0 && page > total;
  useEffect(() => {
    if (isBeyond) toPage(total);
  }, [isBeyond, total, toPage]);
  return isBeyond;
}

/** Begin with the decision, or else with what most people say. */
const firstLabels = (item: ItemOut): Labels => item.decision?.labels ?? Object.fromEntries(item.consensus.flatMap(({ field, value }) => (value == null ? [] : [[field, value]])));

interface ItemProps {
  item: ItemOut;
  task: AnnotationTaskOut;
  isStale: boolean;
  onStep: (by: 1 | -1) => void;
}

function Item({ item, task, isStale, onStep }: ItemProps) {
  const fields = questionsOf(task.annotation_schema);
  const [labels, setLabels] = useState<Labels>(() => firstLabels(item));
  const [reason, setReason] = useState(item.decision?.reason ?? "");
  const [active, setActive] = useState(0);
  const [isTried, setTried] = useState(false);
  const [decide, deciding] = useDecideAnnotationItemMutation();
  const [withdraw, withdrawing] = useWithdrawDecisionMutation();
  const asked = fields.filter((field) => isAsked(field, labels));
  const missing = missingFields(fields, labels);
  const current = asked[Math.min(active, asked.length - 1)];
  const place = { taskId: task.task_id, itemId: item.item_id };
  const error = deciding.error ?? withdrawing.error;
  const isBusy = deciding.isLoading || withdrawing.isLoading || isStale;
  const press = (key: string) => {
    const value = current && labelAfter(current, labels[current.name], key);
    if (value === undefined || !current) return false;
    setLabels({ ...labels, [current.name]: value });
    if (isGiven(current, value) && !current.multiple && !key.startsWith("Arrow")) setActive(Math.min(active + 1, asked.length - 1));
    return true;
  };
  const submit = () => {
    setTried(true);
    if (isBusy) return;
    if (missing[0]) setActive(asked.indexOf(missing[0]));
    else void decide({ ...place, decision: { labels: askedLabels(fields, labels), reason: reason.trim() || null } });
  };
  useLabelKeys({ press, submit });
  useShortcuts("Deciding", [
    { keys: ["j"], label: "Next item", run: () => onStep(1) },
    { keys: ["k"], label: "Previous item", run: () => onStep(-1) },
    { keys: ["q"], label: "Next question", run: () => setActive((active + 1) % Math.max(1, asked.length)) },
  ]);
  const refused = error === undefined ? {} : toProblem(error).fields;
  const faults = {
    ...(isTried && Object.fromEntries(missing.map((field) => [field.name, "This question needs an answer."]))),
    ...Object.fromEntries(Object.entries(refused).map(([path, message]) => [path.replace(/^labels\./, ""), message])),
  };
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_26rem]">
      <section aria-label={`Item ${formatCount(item.position)}`} className="card flex min-w-0 flex-col gap-4 px-4 py-4">
        <h2 className="sr-only">Item</h2>
        <CaseView shown={item.test_case} />
        <h2 className="border-t border-line pt-3 font-semibold">What people say</h2>
        <LabelTable item={item} fields={fields} />
      </section>
      <section aria-label="Decision" className="card flex min-w-0 flex-col gap-4 px-4 py-4 lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:overflow-y-auto">
        <h2 className="font-semibold">Your decision on {harmless(item.name)}</h2>
        {item.decision && <p className="text-xs text-ink-2">Decided <Moment at={item.decision.decided_at} />.</p>}
        <Questions fields={fields} labels={labels} answer={item.test_case.output} active={Math.min(active, asked.length - 1)} faults={faults} onActive={setActive} onChange={(name, value) => setLabels({ ...labels, [name]: value })} />
        <TextField label="Reason" hint="Kept with the decision." value={reason} onChange={setReason} onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()} />
        {error !== undefined && <ProblemNote error={error} />}
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" icon="check" className="flex-1" disabled={isBusy} onClick={submit}>{deciding.isLoading ? "Storing…" : "Decide (Enter)"}</Button>
          {item.decision && <Button disabled={isBusy} onClick={() => void withdraw(place)}>Withdraw</Button>}
        </div>
      </section>
    </div>
  );
}
