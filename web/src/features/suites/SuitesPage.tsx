import { useState } from "react";
import { Link } from "react-router";
import type { SuiteOut } from "@/api/generated/config-api";
import { useListSuitesQuery } from "@/api/suites";
import { Button, ButtonLink } from "@/components/Button";
import { Chip } from "@/components/Chip";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { clickRowLink } from "@/components/row-link";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useTitle } from "@/lib/use-title";
import { caseCount, statusLook } from "./suite-words";

const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-3 align-top first:pl-4 last:pr-4";
const PER_PAGE = 50;
/** The server's maximum page size. */
const MOST = 500;

/** `/suites`: each suite in its newest version. */
export default function SuitesPage() {
  useTitle("Suites");
  const [limit, setLimit] = useState(PER_PAGE);
  const query = useListSuitesQuery({ limit }, { refetchOnMountOrArgChange: true });
  const suites = query.data?.items ?? [];
  const more = query.data?.next_cursor != null;
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      <PageHead title="Suites" note={suites.length > 0 && `${plural(suites.length, "suite")}${more ? " so far" : ""}`} actions={<ButtonLink kind="primary" icon="plus" right="suites:create" to="/suites/new">New suite</ButtonLink>} />
      {query.data && query.isError && <ProblemNote error={query.error} />}
      <div className="card overflow-hidden">
        {query.data ? (
          suites.length > 0 ? <Table suites={suites} /> : <NoSuites />
        ) : query.isError ? (
          <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <div role="status" aria-label="Loading suites" className="p-4">
            <Skeleton className="h-4 w-1/3" />
          </div>
        )}
      </div>
      {more && limit < MOST && (
        <Button className="self-center" disabled={query.isFetching} onClick={() => setLimit(MOST)}>
          {query.isFetching ? "Loading…" : "Load more"}
        </Button>
      )}
    </div>
  );
}

function Table({ suites }: { suites: readonly SuiteOut[] }) {
  return (
    <table className="w-full table-fixed">
      <thead className="border-b border-line bg-sunken text-xs text-ink-2">
        <tr>
          <th scope="col" className={HEAD}>Suite</th>
          <th scope="col" className={`${HEAD} hidden w-24 text-right sm:table-cell`}>Version</th>
          <th scope="col" className={`${HEAD} hidden w-24 text-right sm:table-cell`}>Tasks</th>
          <th scope="col" className={`${HEAD} hidden w-24 text-right sm:table-cell`}>Cases</th>
          <th scope="col" className={`${HEAD} w-32`}>Status</th>
        </tr>
      </thead>
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <tbody className="divide-y divide-line" onClick={clickRowLink}>
        {suites.map((one) => (
          <tr key={one.id} className="cursor-pointer hover:bg-hover">
            <td className={CELL}>
              <Link to={`/suites/${one.id}`} className="font-medium wrap-anywhere hover:text-accent hover:underline">{harmless(one.name)}</Link>
              {one.description && <div className="mt-0.5 line-clamp-2 text-xs wrap-anywhere text-ink-2">{harmless(one.description)}</div>}
              <div className="mt-0.5 text-xs text-ink-2 sm:hidden">
                Version {one.version_number}, {plural(one.task_count, "task")}, {formatCount(caseCount(one))} cases
              </div>
            </td>
            <td className={`${CELL} hidden text-right sm:table-cell`}>{one.version_number}</td>
            <td className={`${CELL} hidden text-right sm:table-cell`}>{formatCount(one.task_count)}</td>
            <td className={`${CELL} hidden text-right sm:table-cell`}>{formatCount(caseCount(one))}</td>
            <td className={CELL}><Chip {...statusLook(one.status)} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const CODE = "rounded bg-mute-soft px-1.5 py-0.5 font-mono";

function NoSuites() {
  return (
    <Message icon="spark" title="No suites yet">
      <p>A suite is a list of tasks whose results become one score, the same for every model. Make one here, or write it as a file and apply it:</p>
      <p className="mt-3"><code className={CODE}>llmbench suites apply suite.yaml</code></p>
      <p className="mt-3">Some are shipped. This command lists them and adds the ones that you name:</p>
      <p className="mt-3"><code className={CODE}>llmbench suites add</code></p>
    </Message>
  );
}
