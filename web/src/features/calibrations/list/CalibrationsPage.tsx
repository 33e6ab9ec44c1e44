import { Link } from "react-router";
import { useCalibrationPagesInfiniteQuery } from "@/api/calibrations";
import type { CalibrationSummary } from "@/api/generated/orchestrator";
import { Button, ButtonLink } from "@/components/Button";
import { Message, Skeleton } from "@/components/Message";
import { Moment } from "@/components/Moment";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage } from "@/components/Problem";
import { clickRowLink } from "@/components/row-link";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useTitle } from "@/lib/use-title";
import { formatCoefficient, intervalOf, judgeName } from "../words";

const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-3 align-top first:pl-4 last:pr-4";

/** `/calibrations`: the judges that were measured against people. */
export default function CalibrationsPage() {
  useTitle("Calibrations");
  const query = useCalibrationPagesInfiniteQuery(undefined, { refetchOnMountOrArgChange: true });
  const calibrations = query.data?.pages.flatMap((page) => page.items);
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      <PageHead title="Calibrations" note="Judges measured against people" actions={<ButtonLink kind="primary" icon="plus" right="annotation-tasks:create" to="/calibrations/new">New calibration</ButtonLink>} />
      <div className="card overflow-hidden">
        {calibrations ? (
          calibrations.length > 0 ? (
            <Table calibrations={calibrations} />
          ) : (
            <Message icon="scale" title="No judge is measured yet">
              <p>A calibration compares a judge’s scores with labels of people: those of a completed annotation task on the answers of a run, or a file.</p>
              <div className="mt-4 flex justify-center"><ButtonLink kind="primary" icon="plus" right="annotation-tasks:create" to="/calibrations/new">New calibration</ButtonLink></div>
            </Message>
          )
        ) : query.isError ? (
          <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <div role="status" aria-label="Loading calibrations" className="p-4"><Skeleton className="h-4 w-1/3" /></div>
        )}
      </div>
      {query.hasNextPage && <Button className="self-center" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>{query.isFetchingNextPage ? "Loading…" : "Load more"}</Button>}
    </div>
  );
}

function Table({ calibrations }: { calibrations: readonly CalibrationSummary[] }) {
  return (
    <table className="w-full table-fixed">
      <thead className="border-b border-line bg-sunken text-xs text-ink-2">
        <tr>
          <th scope="col" className={HEAD}>Calibration</th>
          <th scope="col" className={`${HEAD} w-32 text-right`} title="Quadratic kappa of judge and people">Kappa</th>
          <th scope="col" className={`${HEAD} hidden w-36 text-right sm:table-cell`} title="Quadratic kappa of people among themselves">People’s own</th>
          <th scope="col" className={`${HEAD} hidden w-32 text-right sm:table-cell`}>Labels</th>
          <th scope="col" className={`${HEAD} hidden w-40 md:table-cell`}>Created</th>
        </tr>
      </thead>
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <tbody className="divide-y divide-line" onClick={clickRowLink}>
        {calibrations.map((one) => (
          <tr key={one.id} className="cursor-pointer hover:bg-hover">
            <td className={CELL}>
              <Link to={`/calibrations/${one.id}`} className="font-medium wrap-anywhere hover:text-accent hover:underline">{harmless(one.name)}</Link>
              <div className="mt-0.5 text-xs wrap-anywhere text-ink-2">{judgeName(one.judge)}, on {harmless(one.run_name)}</div>
            </td>
            <td className={`${CELL} text-right`}>
              <span className="font-medium">{formatCoefficient(one.kappa.value)}</span>
              <span className="block text-xs text-ink-3">{one.kappa.value === null ? harmless(one.kappa.undefined_because ?? "") : intervalOf(one.kappa)}</span>
            </td>
            <td className={`${CELL} hidden text-right text-ink-2 sm:table-cell`}>{formatCoefficient(one.ceiling.value)}</td>
            <td className={`${CELL} hidden text-right text-ink-2 sm:table-cell`}>{formatCount(one.labels)}<span className="block text-xs text-ink-3">{plural(one.answers, "answer")}</span></td>
            <td className={`${CELL} hidden text-ink-2 md:table-cell`}><Moment at={one.created_at} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
