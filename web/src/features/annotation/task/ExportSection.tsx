import { useState } from "react";
import { Link } from "react-router";
import { exportHref, useMakeVersionFromConsensusMutation, type Method } from "@/api/annotation";
import type { AnnotationTaskOut, FieldType } from "@/api/generated/config-api";
import { useListCalibrationsQuery } from "@/api/calibrations";
import { Button, ButtonLink, buttonLook } from "@/components/Button";
import { MultiSelect } from "@/components/Combobox";
import { CheckField, SelectField } from "@/components/Field";
import { Icon } from "@/components/Icon";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { errorAt } from "@/lib/form-errors";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useMay } from "@/lib/rights";
import { choicesOf, questionsOf, titleOf } from "../words";

interface Props {
  task: AnnotationTaskOut;
  method: Method;
  threshold: number;
}

/** Export the consensus as files, and as the ground truth of a new version. */
export function ExportSection({ task, method, threshold }: Props) {
  const mayMake = useMay("annotation-tasks:create");
  return (
    <Section title="Use the labels">
      <div className="flex flex-col gap-4 px-4 py-4">
        <p className="text-ink-2">Files and versions take the consensus and the threshold that are chosen above. Decisions override the labels.</p>
        <div className="flex flex-wrap gap-2">
          {(["JSON", "CSV"] as const).map((format) => (
            <a key={format} href={exportHref(task.task_id, format, threshold, method)} download className={buttonLook("plain")}>
              <Icon name="download" />{format === "JSON" ? "JSON with all labels" : "CSV of the consensus"}
            </a>
          ))}
        </div>
        {mayMake && (task.source ?? task.dataset_version_id) !== null && <VersionForm {...{ task, method, threshold }} />}
        {task.source && !task.source.pairs && <Judges task={task} />}
        {task.dataset_version_id === null && !task.source && <p className="text-ink-2">The dataset version was deleted, so only files can be made.</p>}
      </div>
    </Section>
  );
}

const DECIDING: readonly FieldType[] = ["classification", "rating", "pairwise"];

/** Make a new version of the dataset. For answers of a run, those that people accept become the ground truth. */
function VersionForm({ task, method, threshold }: Props) {
  const [field, setField] = useState("");
  const [accept, setAccept] = useState<readonly string[]>([]);
  const [publish, setPublish] = useState(false);
  const [make, making] = useMakeVersionFromConsensusMutation();
  const version = making.data;
  const ofRun = task.source !== null;
  const questions = questionsOf(task.annotation_schema).filter((one) => !ofRun || (DECIDING.includes(one.type) && one.multiple !== true));
  const deciding = questions.find((one) => one.name === field) ?? questions.find((one) => one.type === "pairwise") ?? questions[0];
  const labels = ofRun && deciding && deciding.type !== "pairwise" ? choicesOf(deciding) : [];
  if (ofRun && !deciding) return null;
  const errors = making.error === undefined ? {} : toProblem(making.error).fields;
  const submit = () => {
    const accepted = labels.filter((one) => accept.includes(String(one.value))).map((one) => one.value);
    void make({ taskId: task.task_id, versionFromConsensus: { method, consensus_threshold: threshold, field: (ofRun ? deciding?.name : field) || null, publish, accept: accepted } });
  };
  return (
    <form
      className="flex flex-col gap-3 border-t border-line pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <h3 className="font-medium">New version of the dataset</h3>
      {ofRun && <p className="text-ink-2">Answers that people accept become the ground truth of their cases. If people accept several answers to a case, the surest one is taken.</p>}
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <SelectField
          label={ofRun ? "The question that decides" : "The right answer is"} value={ofRun ? (deciding?.name ?? "") : field}
          options={[...(ofRun ? [] : [{ value: "", label: "The first question that has a consensus" }]), ...questions.map((one) => ({ value: one.name, label: titleOf(one) }))]}
          onChange={(next) => {
            setField(next);
            setAccept([]);
          }}
        />
        {labels.length > 0 && <MultiSelect label="Accepted labels" placeholder="Choose labels" choices={labels.map((one) => ({ value: String(one.value), label: one.label }))} selected={accept} error={errorAt(errors, "accept")} onChange={setAccept} />}
        <CheckField className="sm:mt-6" label="Publish it at once" checked={publish} onChange={setPublish} />
      </div>
      {making.error !== undefined && <ProblemNote error={making.error} />}
      {version && <p role="status">Made <Link to={`/datasets/${version.dataset_id}/versions/${version.version_number}`} className="font-medium text-accent underline underline-offset-2">version {version.version_number}</Link> with the consensus as ground truth.</p>}
      <Button type="submit" icon="plus" className="self-start" disabled={making.isLoading || (labels.length > 0 && accept.length === 0)}>{making.isLoading ? "Making it…" : "Make the version"}</Button>
    </form>
  );
}

/** The calibrations that the labels serve, and the way to another. */
function Judges({ task }: { task: AnnotationTaskOut }) {
  const { data } = useListCalibrationsQuery({ annotationTaskId: task.task_id, limit: 20 });
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-4">
      <h3 className="font-medium">Measure the judge</h3>
      {data && data.items.length > 0 && (
        <ul aria-label="Calibrations" className="flex flex-col gap-1">
          {data.items.map((one) => <li key={one.id} className="wrap-anywhere"><Link to={`/calibrations/${one.id}`} className="font-medium text-accent hover:underline">{harmless(one.name)}</Link></li>)}
        </ul>
      )}
      {task.status === "COMPLETED" ? (
        <div><ButtonLink right="annotation-tasks:create" icon="scale" to={`/calibrations/new?task=${task.task_id}`}>Compare a judge with these labels</ButtonLink></div>
      ) : (
        <p className="text-ink-2">Complete the task first: its labels still change.</p>
      )}
    </div>
  );
}
