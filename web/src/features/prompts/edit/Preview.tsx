import { useEffect, useState } from "react";
import type { PreviewedCase } from "@/api/generated/config-api";
import { useListCollectionsQuery } from "@/api/collections";
import { useLazyGetDatasetVersionQuery, useListDatasetsQuery } from "@/api/datasets";
import { ButtonLink } from "@/components/Button";
import { Chip } from "@/components/Chip";
import { Combobox } from "@/components/Combobox";
import { SelectField } from "@/components/Field";
import { Message } from "@/components/Message";
import { PlainText } from "@/components/PlainText";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import type { Rendered } from "./useRendered";

const COUNTS = [3, 10, 20].map((count) => ({ value: String(count), label: `First ${count}` }));

/** The messages that the templates make of the first cases of a collection or dataset. */
export function Preview({ rendered }: { rendered: Rendered }) {
  const { cases, source, count } = rendered;
  const failed = cases.filter(({ error }) => error !== null).length;
  const isChosen = source.collection_id != null || source.dataset_version_id != null;
  return (
    <Section title="Preview" className="lg:sticky lg:top-4" aside={<p role="status" className={`text-xs ${failed > 0 ? "text-bad" : "text-ink-2"}`}>{rendered.isPending ? "Rendering…" : failed > 0 ? `${plural(failed, "case")} cannot be rendered` : cases.length > 0 ? `${plural(cases.length, "case")} rendered` : ""}</p>}>
      <div className="grid grid-cols-[minmax(0,1fr)_7rem] gap-3 border-b border-line px-4 py-3">
        <SourceField rendered={rendered} />
        <SelectField label="Cases" options={COUNTS} value={String(count)} onChange={(next) => rendered.setCount(Number(next))} />
      </div>
      {rendered.error !== undefined && <div className="px-4 py-3"><ProblemNote error={rendered.error} /></div>}
      {cases.length > 0 ? (
        <ol aria-label="Rendered cases" className="max-h-[70vh] divide-y divide-line overflow-y-auto" tabIndex={0}>
          {cases.map((one, index) => <RenderedCase key={index} case={one} />)}
        </ol>
      ) : Object.keys(rendered.errors).length > 0 ? (
        <p className="px-4 py-3 text-ink-2">The templates have an error, which is shown at its field.</p>
      ) : (
        !rendered.isPending && <p className="px-4 py-3 text-ink-2">{isChosen ? "It has no cases." : "Choose a collection or a dataset to see its cases as the model gets them."}</p>
      )}
    </Section>
  );
}

function RenderedCase({ case: one }: { case: PreviewedCase }) {
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <p className="flex flex-wrap items-center gap-2 font-medium"><span className="wrap-anywhere">{harmless(one.task_id)}</span>{one.error !== null && <Chip label="Not rendered" tone="bad" icon="alert" />}</p>
      {one.error !== null && <p className="wrap-anywhere text-bad first-letter:uppercase">{harmless(one.error)}</p>}
      {one.system !== null && <Said by="System" text={one.system} />}
      {one.user !== null && <Said by="User" text={one.user} />}
    </li>
  );
}

function Said({ by, text }: { by: string; text: string }) {
  return (
    <div className="rounded-md bg-sunken px-3 py-2">
      <p className="text-xs text-ink-2">{by}</p>
      <PlainText text={text} maxLines={20} maxCharacters={2000} />
    </div>
  );
}

function SourceField({ rendered: { setSource } }: { rendered: Rendered }) {
  const collections = useListCollectionsQuery({ limit: 500 });
  const datasets = useListDatasetsQuery({ limit: 100 });
  const [readVersion] = useLazyGetDatasetVersionQuery();
  const [value, setValue] = useState<string | null>(null);
  const [isFailed, setFailed] = useState(false);
  const choices = [
    ...(collections.data?.items ?? []).filter((one) => one.task_count > 0).map((one) => ({ value: `collection ${one.id}`, label: harmless(one.name), detail: plural(one.task_count, "task") })),
    ...(datasets.data?.datasets ?? []).flatMap((one) => (one.latest_version == null ? [] : [{ value: `dataset ${one.dataset_id} ${one.latest_version}`, label: harmless(one.name), detail: `dataset, version ${one.latest_version}` }])),
  ];
  const choose = async (next: string) => {
    if (next === "") return;
    setValue(next);
    setFailed(false);
    const [kind, id, number] = next.split(" ");
    if (kind === "collection") return setSource({ collection_id: id! });
    const answer = await readVersion({ datasetId: id!, versionNumber: Number(number) });
    if (answer.data) setSource({ dataset_version_id: answer.data.version_id });
    else setFailed(true);
  };
  // Something is shown at once; the person chooses better.
  const first = collections.data && datasets.data ? choices[0]?.value : undefined;
  useEffect(() => {
    if (value === null && first !== undefined) void choose(first);
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [value, first]);
  if (collections.data && datasets.data && choices.length === 0) return <NoCases />;
  return <Combobox label="Cases of" placeholder="Collection or dataset" choices={choices} value={value ?? ""} error={isFailed ? "Its version could not be read. Choose it again." : null} onChange={(next) => void choose(next)} />;
}

function NoCases() {
  return (
    <div className="col-span-2">
      <Message icon="copy" title="No cases yet">
        <p>A preview needs a collection with tasks, or a dataset with a version.</p>
        <div className="mt-3 flex justify-center"><ButtonLink right="tasks:create" icon="up" to="/import">Import tasks</ButtonLink></div>
      </Message>
    </div>
  );
}
