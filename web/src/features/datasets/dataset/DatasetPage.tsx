import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { DATASETS_PER_PAGE, runOnVersionHref, useGetDatasetQuery, useListDatasetVersionsQuery } from "@/api/datasets";
import type { DatasetOut } from "@/api/generated/config-api";
import { ButtonLink } from "@/components/Button";
import { CreatedBy } from "@/components/CreatedBy";
import { Message, Skeleton } from "@/components/Message";
import { Menu } from "@/components/Menu";
import { PageHead } from "@/components/PageHead";
import { Pager } from "@/components/Pager";
import { PlainText } from "@/components/PlainText";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useTitle } from "@/lib/use-title";
import { DatasetDialog } from "../DatasetDialog";
import { DeleteDataset } from "../DeleteDataset";
import { datasetLook, TYPE_LABELS } from "../dataset-words";
import { Tags } from "../list/DatasetsTable";
import { usePagedView } from "@/lib/paged-view";
import { Found } from "../Found";
import { VersionsTable } from "./VersionsTable";

export default function DatasetPage() {
  const { datasetId = "" } = useParams();
  const query = useGetDatasetQuery({ datasetId }, { refetchOnMountOrArgChange: true });
  return (
    <div className="mx-auto flex w-full max-w-screen-2xl flex-col gap-4 px-4 py-5 sm:px-6">
      <Found what="dataset" query={query}>{(dataset) => <Loaded key={dataset.dataset_id} dataset={dataset} />}</Found>
    </div>
  );
}

function Loaded({ dataset }: { dataset: DatasetOut }) {
  const { dataset_id: id, published_version: published } = dataset;
  const name = harmless(dataset.name);
  useTitle(name);
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"edit" | "delete" | null>(null);
  const upload = `/import?to=dataset&dataset=${id}`;
  const isEmpty = dataset.version_count === 0;
  return (
    <>
      <PageHead
        title={name}
        parent={{ to: "/datasets", label: "All datasets" }}
        note={<>{`${TYPE_LABELS[dataset.type]} · ${datasetLook(dataset).label.toLowerCase()}`} <CreatedBy id={dataset.created_by} /></>}
        actions={
          <>
            {published !== null && <ButtonLink right="runs:create" to={runOnVersionHref({ dataset_id: id, version_number: published })} icon="play">Run models on it</ButtonLink>}
            {!isEmpty && <ButtonLink right="datasets:create" to={upload} icon="up" kind={published === null ? "plain" : "primary"}>Upload a version</ButtonLink>}
            <Menu
              label={`More about ${name}`}
              icon="more"
              iconOnly
              entries={[
                { label: "Edit…", icon: "pencil", right: "datasets:update", onSelect: () => setAsked("edit") },
                { label: "Delete…", icon: "trash", danger: true, right: "datasets:delete", onSelect: () => setAsked("delete") },
              ]}
            />
          </>
        }
      />
      {dataset.description && <PlainText text={dataset.description} maxLines={6} className="max-w-4xl text-ink-2" />}
      <Tags tags={dataset.tags} all />
      <Metadata metadata={dataset.metadata} />
      {isEmpty ? (
        <div className="card">
          <Message icon="up" title="No version yet">
            <p>A version is a file of test cases. It is checked row by row, stays a draft until it is published, and never changes after that.</p>
            <p className="mt-4 flex justify-center">
              <ButtonLink right="datasets:create" to={upload} icon="up" kind="primary">Upload the first one</ButtonLink>
            </p>
          </Message>
        </div>
      ) : (
        <Versions dataset={dataset} />
      )}
      {asked === "edit" && <DatasetDialog dataset={dataset} onClose={() => setAsked(null)} />}
      {asked === "delete" && <DeleteDataset dataset={dataset} onClose={() => setAsked(null)} onDeleted={() => void navigate("/datasets")} />}
    </>
  );
}

function Versions({ dataset }: { dataset: DatasetOut }) {
  const { page, toPage } = usePagedView();
  const query = useListDatasetVersionsQuery(
    { datasetId: dataset.dataset_id, limit: DATASETS_PER_PAGE, offset: (page - 1) * DATASETS_PER_PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const { data } = query;
  return (
    <Section title="Versions" aside={<p role="status" className="text-xs text-ink-2">{plural(dataset.version_count, "version")}</p>}>
      {data && query.isError && <div className="px-4 pt-3"><ProblemNote error={query.error} /></div>}
      {data ? (
        <>
          <VersionsTable dataset={dataset} versions={data.versions} />
          <Pager label="Pages of versions" page={page} perPage={DATASETS_PER_PAGE} total={data.total} onPage={toPage} />
        </>
      ) : query.isError ? (
        <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div role="status" aria-label="Loading versions" className="p-4"><Skeleton className="h-24" /></div>
      )}
    </Section>
  );
}

function Metadata({ metadata }: { metadata: DatasetOut["metadata"] }) {
  const fields = Object.entries(metadata);
  if (fields.length === 0) return null;
  return (
    <dl aria-label="Metadata" className="flex flex-wrap gap-x-6 gap-y-1 text-xs">
      {fields.map(([name, value]) => (
        <div key={name} className="flex min-w-0 gap-1.5">
          <dt className="text-ink-2">{harmless(name)}</dt>
          <dd className="min-w-0 font-medium wrap-anywhere">{harmless(typeof value === "string" ? value : JSON.stringify(value))}</dd>
        </div>
      ))}
    </dl>
  );
}
