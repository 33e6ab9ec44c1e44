import { useState } from "react";
import { Link } from "react-router";
import { exportHref, useMakeVersionFromConsensusMutation, type Method } from "@/api/annotation";
import type { AnnotationTaskOut } from "@/api/generated/config-api";
import { Button, buttonLook } from "@/components/Button";
import { CheckField, SelectField } from "@/components/Field";
import { Icon } from "@/components/Icon";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { useMay } from "@/lib/rights";
import { questionsOf, titleOf } from "../words";

interface Props {
  task: AnnotationTaskOut;
  method: Method;
  threshold: number;
}

/** Export the consensus as files, and as the ground truth of a new version. */
export function ExportSection({ task, method, threshold }: Props) {
  const [field, setField] = useState("");
  const [publish, setPublish] = useState(false);
  const [make, making] = useMakeVersionFromConsensusMutation();
  const mayMake = useMay("annotation-tasks:create");
  const version = making.data;
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
        {mayMake && task.dataset_version_id !== null && (
          <form
            className="flex flex-col gap-3 border-t border-line pt-4"
            onSubmit={(event) => {
              event.preventDefault();
              void make({ taskId: task.task_id, versionFromConsensus: { method, consensus_threshold: threshold, field: field || null, publish } });
            }}
          >
            <h3 className="font-medium">New version of the dataset</h3>
            <div className="grid items-start gap-3 sm:grid-cols-2">
              <SelectField label="The right answer is" options={[{ value: "", label: "The first question that has a consensus" }, ...questionsOf(task.annotation_schema).map((one) => ({ value: one.name, label: titleOf(one) }))]} value={field} onChange={setField} />
              <CheckField className="sm:mt-6" label="Publish it at once" checked={publish} onChange={setPublish} />
            </div>
            {making.error !== undefined && <ProblemNote error={making.error} />}
            {version && <p role="status">Made <Link to={`/datasets/${version.dataset_id}/versions/${version.version_number}`} className="font-medium text-accent underline underline-offset-2">version {version.version_number}</Link> with the consensus as ground truth.</p>}
            <Button type="submit" icon="plus" className="self-start" disabled={making.isLoading}>{making.isLoading ? "Making it…" : "Make the version"}</Button>
          </form>
        )}
        {task.dataset_version_id === null && <p className="text-ink-2">{task.source ? "The items are answers of a run, so only files can be made." : "The dataset version was deleted, so only files can be made."}</p>}
      </div>
    </Section>
  );
}
