import { skipToken } from "@reduxjs/toolkit/query/react";
import { useEffect, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { useListAnnotationTasksQuery } from "@/api/annotation";
import { useCreateCalibrationMutation, useSendLabelsMutation, type CalibrationIn } from "@/api/calibrations";
import { useGetRunQuery, useListRunsQuery } from "@/api/runs";
import { Button } from "@/components/Button";
import { Combobox } from "@/components/Combobox";
import { NumberField, SelectField, TextField } from "@/components/Field";
import { FileDrop } from "@/components/FileDrop";
import { PageHead } from "@/components/PageHead";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { formatDate } from "@/lib/format";
import { errorAt } from "@/lib/form-errors";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useTitle } from "@/lib/use-title";
import { BadRows } from "./BadRows";

const WHAT = [
  { value: "task", label: "A completed annotation task" },
  { value: "file", label: "A file with labels" },
] as const;
const MOST = 100;
const AUTOMATIC = { value: "", label: "The run’s primary judge" };

/** `/calibrations/new`: which labels, against which judge. */
export default function NewCalibrationPage() {
  useTitle("New calibration");
  const navigate = useNavigate();
  // The page of an annotation task or of a run leads here.
  const [search] = useSearchParams();
  const [what, setWhat] = useState<"task" | "file">(search.get("run") && !search.get("task") ? "file" : "task");
  const [taskId, setTaskId] = useState(search.get("task") ?? "");
  const [runId, setRunId] = useState(search.get("run") ?? "");
  const [judgeId, setJudgeId] = useState(search.get("judge") ?? "");
  const [name, setName] = useState("");
  const [range, setRange] = useState<{ min: number | null; max: number | null }>({ min: null, max: null });
  const [passMark, setPassMark] = useState<number | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const tasks = useListAnnotationTasksQuery({ status: "COMPLETED", limit: MOST });
  const ofRuns = (tasks.data?.tasks ?? []).filter((one) => one.source && !one.source.pairs);
  const runs = useListRunsQuery({ status: ["FINISHED", "CANCELLED"], limit: MOST });
  const chosenRun = what === "task" ? ofRuns.find((one) => one.task_id === taskId)?.source?.run_id : runId;
  const evaluators = useGetRunQuery(chosenRun ? { runId: chosenRun } : skipToken).currentData?.evaluators ?? [];
  const [create, creating] = useCreateCalibrationMutation();
  const [send, sending] = useSendLabelsMutation();
  const state = what === "task" ? creating : sending;
  const problem = state.error === undefined ? undefined : toProblem(state.error);
  const errors = problem?.fields ?? {};
  const created = creating.data?.id ?? sending.data?.id;
  useEffect(() => {
    if (created) void navigate(`/calibrations/${created}`, { replace: true });
  }, [created, navigate]);

  const isReady = what === "task" ? taskId !== "" : runId !== "" && file !== null;
  const submit = () => {
    if (!isReady || state.isLoading) return;
    const body: CalibrationIn = {
      ...(name.trim() !== "" && { name: name.trim() }),
      ...(judgeId !== "" && { evaluator_revision_id: judgeId }),
      ...(passMark !== null && { pass_mark: passMark }),
    };
    if (what === "task") void create({ createCalibration: { ...body, annotation_task_id: taskId } });
    else if (file) void send({ file, request: { ...body, run_id: runId, ...(range.min !== null && range.max !== null && { scale: { min: range.min, max: range.max } }) } });
  };
  return (
    <form
      noValidate
      className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <PageHead
        title="New calibration"
        parent={{ to: "/calibrations", label: "All calibrations" }}
        actions={<Button type="submit" kind="primary" icon="scale" disabled={!isReady || state.isLoading}>{state.isLoading ? "Measuring…" : "Measure the judge"}</Button>}
      />
      {problem && <ProblemNote error={state.error} />}
      {problem && <BadRows body={problem.body} />}
      <Section title="Labels of people">
        <div className="grid items-start gap-3 px-4 py-4 sm:grid-cols-2">
          <SelectField label="Where they are" options={WHAT} value={what} onChange={setWhat} />
          {what === "task" ? (
            <Combobox
              label="Annotation task" required placeholder="Choose or search…" value={taskId} error={errorAt(errors, "annotation_task_id")} onChange={setTaskId}
              choices={ofRuns.map((one) => ({ value: one.task_id, label: harmless(one.name), detail: harmless(one.source?.run_name ?? "") }))}
            />
          ) : (
            <Combobox label="Run" required placeholder="Choose or search…" value={runId} error={errorAt(errors, "run_id")} onChange={(next) => { setRunId(next); setJudgeId(""); }} choices={(runs.data?.items ?? []).map((one) => ({ value: one.id, label: harmless(one.name), detail: formatDate(one.created_at) }))} />
          )}
          {what === "task" && tasks.data && ofRuns.length === 0 && <p className="text-ink-2 sm:col-span-2">No annotation task on the answers of a run is completed. Complete one, or send a file.</p>}
          {what === "file" && (
            <div className="sm:col-span-2">
              <FileDrop label="File with labels" invitation="Drop a file, or choose one" hint="CSV or JSON lines with item_id (or case, target, epoch), label and annotator" accept=".csv,.tsv,.jsonl,.ndjson" file={file && { name: file.name, bytes: file.size }} onFile={setFile} />
            </div>
          )}
          {what === "file" && (
            <>
              <NumberField label="Lowest label" hint="If empty: the judge’s own scale." step={1} value={range.min} error={errorAt(errors, "scale", "scale.min")} onChange={(min) => setRange({ ...range, min })} />
              <NumberField label="Highest label" step={1} value={range.max} error={errorAt(errors, "scale.max")} onChange={(max) => setRange({ ...range, max })} />
            </>
          )}
        </div>
      </Section>
      <Section title="Judge">
        <div className="grid items-start gap-3 px-4 py-4 sm:grid-cols-3">
          <SelectField label="Evaluator" options={[AUTOMATIC, ...evaluators.map((one) => ({ value: one.revision_id, label: one.judge_model === null ? harmless(one.title) : `${harmless(one.title)} by ${harmless(one.judge_model)}` }))]} value={judgeId} error={errorAt(errors, "evaluator_revision_id")} onChange={setJudgeId} />
          <NumberField label="An answer passes from" hint="If empty: the judge’s own pass mark." value={passMark} error={errorAt(errors, "pass_mark")} onChange={setPassMark} />
          <TextField label="Name" hint="If empty: the names of the judge and the run." maxLength={255} value={name} error={errorAt(errors, "name")} onChange={setName} />
        </div>
      </Section>
    </form>
  );
}
