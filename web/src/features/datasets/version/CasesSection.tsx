import { CASES_PER_PAGE, useListTestCasesQuery } from "@/api/datasets";
import type { VersionOut } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { Message, Skeleton } from "@/components/Message";
import { Pager } from "@/components/Pager";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { formatCount, plural } from "@/lib/format";
import { MetadataField } from "../MetadataField";
import { readMetadata } from "../metadata-filter";
import { usePagedView } from "@/lib/paged-view";
import { CasesTable } from "./CasesTable";

/** Every case, in the order of the file. */
export function CasesSection({ version }: { version: VersionOut }) {
  const view = usePagedView();
  const metadata = view.text("metadata");
  const query = useListTestCasesQuery({
    datasetId: version.dataset_id,
    versionNumber: version.version_number,
    limit: CASES_PER_PAGE,
    offset: (view.page - 1) * CASES_PER_PAGE,
    filter: readMetadata(metadata).filter,
  });
  const { data } = query;
  return (
    <Section
      title="Cases"
      aside={<p role="status" className="text-xs text-ink-2">{data && (metadata === "" ? plural(data.total, "case") : `${formatCount(data.total)} of ${plural(version.row_count, "case")}`)}</p>}
    >
      <div className="border-b border-line px-4 py-2.5">
        <MetadataField value={metadata} onChange={(text) => view.filter("metadata", text)} className="sm:max-w-80" />
      </div>
      {data && query.isError && <div className="px-4 py-3"><ProblemNote error={query.error} /></div>}
      {data ? (
        data.cases.length > 0 ? (
          <div className={query.isFetching ? "opacity-70" : ""}><CasesTable cases={data.cases} draft={version.status === "DRAFT" ? version : undefined} /></div>
        ) : (
          <Message icon="search" title="No case matches">
            <p>{data.total > 0 ? "There is nothing on this page." : "The filter hides the other cases."}</p>
            <Button className="mt-4" onClick={() => view.clear("metadata")}>Show all cases</Button>
          </Message>
        )
      ) : query.isError ? (
        <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div role="status" aria-label="Loading cases" className="flex flex-col gap-4 p-4">
          {Array.from({ length: 6 }, (_, index) => <Skeleton key={index} className="h-8" />)}
        </div>
      )}
      {data && <Pager label="Pages of cases" page={view.page} perPage={CASES_PER_PAGE} total={data.total} onPage={view.toPage} />}
    </Section>
  );
}
