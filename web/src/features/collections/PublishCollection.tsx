import { useState } from "react";
import { useNavigate } from "react-router";
import { useListDatasetsQuery } from "@/api/datasets";
import { usePublishCollectionAsDatasetMutation } from "@/api/collections";
import type { CollectionOut, PublishCollection as Body } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { Combobox } from "@/components/Combobox";
import { FormDialog } from "@/components/Dialog";
import { TextAreaField } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { toast } from "@/components/Toast";
import { errorAt, stillTrue } from "@/lib/form-errors";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useSettled } from "@/lib/use-settled";

/** Publish the collection as a numbered version that runs can refer to later. */
export function PublishCollection({ collection, onClose }: { collection: CollectionOut; onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState(collection.name);
  const [description, setDescription] = useState("");
  const [sent, setSent] = useState<Body>();
  const [publish, publishing] = usePublishCollectionAsDatasetMutation();
  const searched = useSettled(name.trim());
  const datasets = useListDatasetsQuery({ q: searched || null, limit: 100 });
  const existing = datasets.data?.datasets.find((one) => one.name === name.trim());
  const body: Body = { ...(name.trim() !== "" && { dataset_name: name.trim() }), ...(description.trim() !== "" && { description }) };
  const errors = publishing.error ? stillTrue(toProblem(publishing.error).fields, sent, body) : {};

  const submit = async () => {
    if (publishing.isLoading) return;
    setSent(body);
    const answer = await publish({ id: collection.id, publishCollection: body });
    if (!answer.data) return;
    toast(`Published as version ${answer.data.version_number}, with ${plural(answer.data.row_count, "case")}.`);
    void navigate(`/datasets/${answer.data.dataset_id}/versions/${answer.data.version_number}`);
  };

  return (
    <FormDialog open onClose={onClose} title="Publish as dataset version">
      <form
        className="mt-3 flex flex-col gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className="text-ink-2">Its {plural(collection.task_count, "task")} become the cases of a version that never changes. The collection stays and can still change.</p>
        <Combobox
          label="Dataset"
          free
          hint={existing ? `It gets version ${(existing.latest_version ?? 0) + 1}.` : `A new dataset, called ${harmless(name.trim() === "" ? collection.name : name.trim())}.`}
          error={errorAt(errors, "dataset_name", "name")}
          choices={(datasets.data?.datasets ?? []).map((one) => ({ value: one.name, label: harmless(one.name), detail: plural(one.version_count, "version") }))}
          value={name}
          onChange={setName}
        />
        <TextAreaField label="Changes in this version" rows={2} maxLength={10_000} value={description} error={errorAt(errors, "description")} onChange={setDescription} />
        {publishing.error !== undefined && Object.keys(errors).length === 0 && <ProblemNote error={publishing.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Not now</Button>
          <Button kind="primary" icon="up" type="submit" disabled={publishing.isLoading}>
            {publishing.isLoading ? "Publishing…" : "Publish"}
          </Button>
        </div>
      </form>
    </FormDialog>
  );
}
