import { useState } from "react";
import { useParams } from "react-router";
import { useActivateAnnotationTaskMutation, useAnnotationProgressQuery, useCompleteAnnotationTaskMutation, useGetAnnotationTaskQuery, usePauseAnnotationTaskMutation, type Method } from "@/api/annotation";
import { useCreator } from "@/api/creator";
import type { AnnotationTaskOut, Progress } from "@/api/generated/config-api";
import { Button, ButtonLink } from "@/components/Button";
import { Chip } from "@/components/Chip";
import { Disclosure } from "@/components/Disclosure";
import { FactStrip } from "@/components/FactStrip";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { PlainText } from "@/components/PlainText";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { ProgressBar } from "@/components/ProgressBar";
import { SelectField } from "@/components/Field";
import { formatCount, formatDate, formatPercent, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useTitle } from "@/lib/use-title";
import { Markdown } from "../Markdown";
import { questionsOf, TASK_LOOKS, titleOf, TYPE_NAMES } from "../words";
import { Agreement } from "./Agreement";
import { Annotators } from "./Annotators";
import { ChangeTask } from "./ChangeTask";
import { DeleteTask } from "./DeleteTask";
import { ExportSection } from "./ExportSection";
import { Invitations } from "./Invitations";
import { Results } from "./Results";

/** People label while the page is open. */
const POLL_MS = 5_000;

/** `/annotation/:annotationId`: progress, agreement, people and results of one task. */
export default function TaskPage() {
  const { annotationId = "" } = useParams();
  const query = useGetAnnotationTaskQuery({ taskId: annotationId }, { refetchOnMountOrArgChange: true, pollingInterval: POLL_MS });
  useTitle(query.currentData?.name ?? "Annotation task");
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      {query.currentData ? (
        <Loaded key={annotationId} task={query.currentData} />
      ) : !query.isError ? (
        <Skeleton className="h-96" />
      ) : [404, 422].includes(toProblem(query.error).status ?? 0) ? (
        <>
          <PageHead title="Annotation task" parent={{ to: "/annotation", label: "All annotation tasks" }} />
          <div className="card"><Message icon="ring" title="There is no such task"><p>It may have been deleted, or the link is incomplete.</p></Message></div>
        </>
      ) : (
        <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
      )}
    </div>
  );
}

const METHODS = [
  { value: "majority", label: "Majority of the labels" },
  { value: "dawid_skene", label: "Labels weighted by skill" },
] as const;

function Loaded({ task }: { task: AnnotationTaskOut }) {
  const [method, setMethod] = useState<Method>("majority");
  const [threshold, setThreshold] = useState("0.8");
  const [asked, setAsked] = useState<"change" | "delete" | null>(null);
  const taskId = task.task_id;
  const view = { taskId, method, consensusThreshold: Number(threshold) };
  const query = useAnnotationProgressQuery(view, { refetchOnMountOrArgChange: true, pollingInterval: task.status === "ACTIVE" ? POLL_MS : 0 });
  const progress = query.data;
  const close = () => setAsked(null);
  return (
    <>
      <PageHead
        title={harmless(task.name)}
        parent={{ to: "/annotation", label: "All annotation tasks" }}
        note={<Chip {...TASK_LOOKS[task.status]} />}
        actions={
          <>
            <StateButtons task={task} />
            {task.status !== "DRAFT" && <ButtonLink icon="scale" right="annotation-tasks:update" to={`/annotation/${taskId}/decide`}>Decide</ButtonLink>}
            {task.status === "ACTIVE" && <ButtonLink kind="primary" icon="pencil" right="annotations:create" to={`/annotation/${taskId}/label`}>Label</ButtonLink>}
            <Button icon="pencil" right="annotation-tasks:update" onClick={() => setAsked("change")}>Change</Button>
            <Button icon="trash" kind="danger" right="annotation-tasks:delete" onClick={() => setAsked("delete")}>Delete</Button>
          </>
        }
      />
      {task.description && <PlainText text={task.description} maxLines={4} className="max-w-4xl text-ink-2" />}
      <Figures task={task} progress={progress} />
      <div className="card px-4 py-2">
        <Disclosure title="Instructions and questions" summary={questionsOf(task.annotation_schema).map(titleOf).join(", ")}>
          <div className="grid gap-4 pb-2 lg:grid-cols-2">
            <Markdown text={task.instructions} className="max-w-prose" />
            <ul aria-label="Questions" className="flex flex-col gap-1">
              {questionsOf(task.annotation_schema).map((field) => <li key={field.name} className="wrap-anywhere"><span className="font-medium">{titleOf(field)}</span> <span className="text-ink-2">{TYPE_NAMES[field.type]}</span></li>)}
            </ul>
          </div>
        </Disclosure>
      </div>
      <div className="grid gap-3 sm:grid-cols-2 lg:w-1/2">
        <SelectField label="Consensus by" options={METHODS} value={method} onChange={setMethod} />
        <SelectField label="Agreed from" options={["0.5", "0.6", "0.7", "0.8", "0.9", "1"].map((value) => ({ value, label: `${Number(value) * 100} % of the votes` }))} value={threshold} onChange={setThreshold} />
      </div>
      {query.isError && <ProblemNote error={query.error} />}
      {progress ? (
        <>
          <Agreement task={task} progress={progress} />
          <Annotators progress={progress} />
        </>
      ) : (
        !query.isError && <Skeleton className="h-48" />
      )}
      <Invitations taskId={taskId} />
      <Results task={task} method={method} threshold={Number(threshold)} />
      <ExportSection task={task} method={method} threshold={Number(threshold)} />
      {asked === "change" && <ChangeTask task={task} onClose={close} />}
      {asked === "delete" && <DeleteTask task={task} labels={progress?.total_annotations ?? 0} onClose={close} />}
    </>
  );
}

function StateButtons({ task: { task_id: taskId, status } }: { task: AnnotationTaskOut }) {
  const [activate, activating] = useActivateAnnotationTaskMutation();
  const [pause, pausing] = usePauseAnnotationTaskMutation();
  const [complete, completing] = useCompleteAnnotationTaskMutation();
  const error = activating.error ?? pausing.error ?? completing.error;
  const isBusy = activating.isLoading || pausing.isLoading || completing.isLoading;
  return (
    <>
      {error !== undefined && <ProblemNote error={error} />}
      {status !== "ACTIVE" && <Button kind={status === "DRAFT" ? "primary" : "plain"} icon="play" right="annotation-tasks:create" disabled={isBusy} onClick={() => void activate({ taskId })}>{status === "DRAFT" ? "Activate" : "Activate again"}</Button>}
      {status === "ACTIVE" && <Button icon="pause" right="annotation-tasks:create" disabled={isBusy} onClick={() => void pause({ taskId })}>Pause</Button>}
      {(status === "ACTIVE" || status === "PAUSED") && <Button icon="check" right="annotation-tasks:create" disabled={isBusy} onClick={() => void complete({ taskId })}>Complete</Button>}
    </>
  );
}

const PRIORITIES = { confidence: "Least certain judge first", disagreement: "Largest disagreement first", pass_mark: "Nearest to the pass mark first" } as const;

function sampleText({ sampling_config: sampling }: AnnotationTaskOut): string {
  if (sampling.priority) return PRIORITIES[sampling.priority];
  return sampling.strategy === "stratified" ? `By ${harmless(sampling.stratify_by ?? "")}` : "At random";
}

function Figures({ task, progress }: { task: AnnotationTaskOut; progress: Progress | undefined }) {
  const creator = useCreator(task.created_by);
  const { sampling_config: sampling } = task;
  return (
    <>
      <ProgressBar label="Items that have their labels" done={task.completed_items} total={task.total_items} segments={[{ name: "labelled", value: task.completed_items, tone: "good" }]} />
      <FactStrip
        label="The task"
        facts={[
          ["Items with their labels", `${formatCount(task.completed_items)} of ${formatCount(task.total_items)}`, `${plural(task.required_annotations_per_item, "person", "people")} per item`],
          ["Agreed on", formatCount(progress?.items_with_consensus), progress && `${formatCount(progress.decided_items)} decided`],
          ["Labels", formatCount(progress?.total_annotations), progress && `${formatCount(progress.skipped)} skipped, ${formatCount(progress.flagged)} flagged, ${formatCount(progress.surplus)} surplus`],
          ["Held now", formatCount(progress?.open_leases), `for ${plural(Math.round(task.lease_s / 60), "minute")} each`],
          ...(task.source ? [["Answers of the run", harmless(task.source.run_name), `${task.source.targets.map(harmless).join(", ")}${task.source.named ? "" : ", names hidden"}`] as [string, string, string]] : []),
          ["Sample", sampleText(task), `seed ${sampling.seed ?? ""}, audit slice ${formatPercent(sampling.audit_share ?? 0)}`],
          ["Created", formatDate(task.created_at)],
          ...creator,
        ]}
      />
    </>
  );
}
