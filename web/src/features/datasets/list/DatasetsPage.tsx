import { useState } from "react";
import { useNavigate } from "react-router";
import { DATASETS_PER_PAGE, useListDatasetsQuery } from "@/api/datasets";
import type { DatasetOut } from "@/api/generated/config-api";
import { Button, ButtonLink } from "@/components/Button";
import { INPUT } from "@/components/Field";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { Pager } from "@/components/Pager";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { SearchField } from "@/components/SearchField";
import { plural } from "@/lib/format";
import { useShortcuts } from "@/lib/shortcuts";
import { useTitle } from "@/lib/use-title";
import { DatasetDialog } from "../DatasetDialog";
import { DeleteDataset } from "../DeleteDataset";
import { DATASET_TYPES, TYPE_LABELS } from "../dataset-words";
import { MetadataField } from "../MetadataField";
import { readMetadata } from "../metadata-filter";
import { usePagedView, type PagedView } from "@/lib/paged-view";
import { DatasetsTable } from "./DatasetsTable";

type Asked = { what: "create" } | { what: "edit" | "delete"; dataset: DatasetOut };

const FILTERS = ["q", "type", "metadata"] as const;

export default function DatasetsPage() {
  useTitle("Datasets");
  const navigate = useNavigate();
  const view = usePagedView();
  const [asked, setAsked] = useState<Asked | null>(null);
  useShortcuts("On this screen", [{ keys: ["n"], label: "New dataset", right: "datasets:create", run: () => setAsked({ what: "create" }) }]);
  const query = useListDatasetsQuery(
    {
      limit: DATASETS_PER_PAGE,
      offset: (view.page - 1) * DATASETS_PER_PAGE,
      q: view.text("q") || null,
      type: DATASET_TYPES.find((one) => one === view.text("type")) ?? null,
      filter: readMetadata(view.text("metadata")).filter,
    },
    { refetchOnMountOrArgChange: true },
  );
  const { data } = query;
  const isFiltered = FILTERS.some((name) => view.text(name) !== "");
  const isEmpty = data?.total === 0 && !isFiltered;
  const close = () => setAsked(null);

  return (
    <div className="mx-auto flex w-full max-w-screen-2xl flex-col gap-4 px-4 py-6 sm:px-6">
      <PageHead
        title="Datasets"
        note={data && data.total > 0 && plural(data.total, "dataset")}
        actions={
          <>
            <ButtonLink right="documents:read" to="/documents" icon="pencil">Questions from documents</ButtonLink>
            <ButtonLink right="datasets:create" to="/import?to=dataset" icon="up">Import</ButtonLink>
            <Button right="datasets:create" icon="plus" kind="primary" onClick={() => setAsked({ what: "create" })}>New dataset</Button>
          </>
        }
      />
      {!isEmpty && <Filters view={view} />}
      {data && query.isError && <ProblemNote error={query.error} />}
      <div className={`card overflow-hidden ${query.isFetching && data ? "opacity-70" : ""}`}>
        {data ? (
          data.datasets.length > 0 ? (
            <DatasetsTable
              datasets={data.datasets}
              onEdit={(dataset) => setAsked({ what: "edit", dataset })}
              onDelete={(dataset) => setAsked({ what: "delete", dataset })}
            />
          ) : isEmpty ? (
            <NoDatasets onCreate={() => setAsked({ what: "create" })} />
          ) : (
            <Message icon="search" title="No dataset matches">
              <p>{data.total > 0 ? "There is nothing on this page." : "The search and the filters hide the other datasets."}</p>
              <Button className="mt-4" onClick={() => view.clear(...FILTERS)}>
                Show all datasets
              </Button>
            </Message>
          )
        ) : query.isError ? (
          <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <div role="status" aria-label="Loading datasets" className="divide-y divide-line">
            {Array.from({ length: 5 }, (_, index) => (
              <div key={index} className="flex h-14 items-center px-4">
                <Skeleton className="h-4 w-1/3" />
              </div>
            ))}
          </div>
        )}
        {data && <Pager label="Pages of datasets" page={view.page} perPage={DATASETS_PER_PAGE} total={data.total} onPage={view.toPage} />}
      </div>
      {asked?.what === "create" && <DatasetDialog dataset={null} onClose={close} onSaved={(made) => void navigate(`/datasets/${made.dataset_id}`)} />}
      {asked?.what === "edit" && <DatasetDialog dataset={asked.dataset} onClose={close} />}
      {asked?.what === "delete" && <DeleteDataset dataset={asked.dataset} onClose={close} />}
    </div>
  );
}

function Filters({ view }: { view: PagedView }) {
  const type = view.text("type");
  return (
    <div role="search" aria-label="Datasets" className="grid grid-cols-2 items-start gap-2 sm:flex sm:flex-wrap">
      <SearchField label="Search by name" value={view.text("q")} onSearch={(text) => view.filter("q", text)} className="max-sm:col-span-2 sm:max-w-72" />
      <select aria-label="Type" value={type} onChange={(event) => view.filter("type", event.target.value)} className={`${INPUT} h-8 sm:w-auto ${type ? "border-accent" : ""}`}>
        <option value="">All types</option>
        {DATASET_TYPES.map((one) => (
          <option key={one} value={one}>
            {TYPE_LABELS[one]}
          </option>
        ))}
      </select>
      <MetadataField value={view.text("metadata")} onChange={(text) => view.filter("metadata", text)} className="sm:w-64" />
    </div>
  );
}

function NoDatasets({ onCreate }: { onCreate: () => void }) {
  return (
    <Message icon="copy" title="No datasets yet">
      <p>A dataset is versioned test data with ground truth. Make one and upload a file of cases (CSV, JSON, JSON Lines, Parquet, YAML ground truth), or publish a collection as one.</p>
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        <Button right="datasets:create" icon="plus" kind="primary" onClick={onCreate}>Create a dataset</Button>
        <ButtonLink right="collections:create" to="/collections" icon="copy">Publish a collection</ButtonLink>
      </div>
    </Message>
  );
}
