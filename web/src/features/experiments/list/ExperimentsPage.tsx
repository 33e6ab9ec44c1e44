import { Link, useNavigate } from "react-router";
import { useListExperimentsQuery } from "@/api/experiments";
import type { ExperimentOut } from "@/api/generated/orchestrator";
import { Button, ButtonLink } from "@/components/Button";
import { Chip } from "@/components/Chip";
import { SelectField } from "@/components/Field";
import { Message, Skeleton } from "@/components/Message";
import { Moment } from "@/components/Moment";
import { PageHead } from "@/components/PageHead";
import { Pager } from "@/components/Pager";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { ProgressBar } from "@/components/ProgressBar";
import { clickRowLink } from "@/components/row-link";
import { SearchField } from "@/components/SearchField";
import { formatPart, plural } from "@/lib/format";
import { usePagedView } from "@/lib/paged-view";
import { harmless } from "@/lib/plain-text";
import { useShortcuts } from "@/lib/shortcuts";
import { useTitle } from "@/lib/use-title";
import { decisionOf, metricName, progressOf, STATUSES, statusLabel, statusLook, typeLabel, TYPES } from "../experiment-words";
import { useExperimentEvents } from "../use-experiment-events";

const PER_PAGE = 20;
const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-3 align-top first:pl-4 last:pr-4";

const STATUS_OPTIONS = [{ value: "", label: "Every status" }, ...STATUSES.map((one) => ({ value: one, label: statusLabel(one) }))];
const TYPE_OPTIONS = [{ value: "", label: "Every type" }, ...TYPES.map(({ value, label }) => ({ value, label }))];

/** `/experiments?status=…&type=…&q=…&page=…` */
export default function ExperimentsPage() {
  useTitle("Experiments");
  const navigate = useNavigate();
  const view = usePagedView();
  const status = STATUSES.find((one) => one === view.text("status"));
  const type = TYPES.find((one) => one.value === view.text("type"))?.value;
  const q = view.text("q");
  const isFiltered = status !== undefined || type !== undefined || q !== "";
  const query = useListExperimentsQuery(
    { limit: PER_PAGE, offset: (view.page - 1) * PER_PAGE, ...(status && { status }), ...(type && { type }), ...(q !== "" && { search: q }) },
    { refetchOnMountOrArgChange: true },
  );
  const experiments = query.data?.experiments ?? [];
  const isEmpty = query.data !== undefined && query.data.total === 0 && !isFiltered;
  useExperimentEvents(() => void query.refetch());
  useShortcuts("On this screen", [{ keys: ["n"], label: "New experiment", right: "experiments:create", run: () => void navigate("/experiments/new") }]);
  return (
    <div className="mx-auto flex w-full max-w-screen-2xl flex-col gap-4 px-4 py-6 sm:px-6">
      <PageHead
        title="Experiments"
        note={query.data && query.data.total > 0 && plural(query.data.total, "experiment")}
        actions={!isEmpty && <ButtonLink icon="plus" kind="primary" to="/experiments/new" right="experiments:create">New experiment</ButtonLink>}
      />
      {!isEmpty && (
        <div className="flex flex-wrap items-end gap-3">
          <SearchField label="Search name and hypothesis" value={q} onSearch={(text) => view.filter("q", text)} className="sm:max-w-72" />
          <SelectField label={<span className="sr-only">Status</span>} className="flex-1 sm:max-w-44" options={STATUS_OPTIONS} value={status ?? ""} onChange={(next) => view.filter("status", next)} />
          <SelectField label={<span className="sr-only">Type</span>} className="flex-1 sm:max-w-52" options={TYPE_OPTIONS} value={type ?? ""} onChange={(next) => view.filter("type", next)} />
        </div>
      )}
      {query.data && query.isError && <ProblemNote error={query.error} />}
      <div className="card overflow-hidden">
        {query.data ? (
          experiments.length > 0 ? (
            <>
              <Table experiments={experiments} />
              <Pager label="Pages of experiments" page={view.page} perPage={PER_PAGE} total={query.data.total} onPage={view.toPage} />
            </>
          ) : isEmpty ? (
            <NoExperiments />
          ) : (
            <Message icon="search" title={isFiltered ? "No experiment fits" : "Nothing on this page"}>
              <Button className="mt-3" onClick={() => view.clear("q", "status", "type")}>Show all experiments</Button>
            </Message>
          )
        ) : query.isError ? (
          <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <div role="status" aria-label="Loading experiments" className="divide-y divide-line">
            {Array.from({ length: 5 }, (_, index) => (
              <div key={index} className="flex h-16 items-center px-4">
                <Skeleton className="h-4 w-1/3" />
              </div>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

function Table({ experiments }: { experiments: readonly ExperimentOut[] }) {
  return (
    <table className="w-full table-fixed">
      <thead className="border-b border-line bg-sunken text-xs text-ink-2">
        <tr>
          <th scope="col" className={HEAD}>Experiment</th>
          <th scope="col" className={`${HEAD} w-36 max-sm:hidden sm:w-40`}>Status</th>
          <th scope="col" className={`${HEAD} hidden w-40 lg:table-cell`}>Primary metric</th>
          <th scope="col" className={`${HEAD} hidden w-48 md:table-cell`}>Progress</th>
          <th scope="col" className={`${HEAD} w-36 sm:w-60`}>Decision</th>
        </tr>
      </thead>
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <tbody className="divide-y divide-line" onClick={clickRowLink}>
        {experiments.map((one) => <Line key={one.experiment_id} experiment={one} />)}
      </tbody>
    </table>
  );
}

function Line({ experiment }: { experiment: ExperimentOut }) {
  const decision = decisionOf(experiment);
  const counted = progressOf(experiment);
  const isDraft = experiment.status === "DRAFT";
  return (
    <tr className="cursor-pointer hover:bg-hover">
      <td className={CELL}>
        <Link to={`/experiments/${experiment.experiment_id}${isDraft ? "/edit" : ""}`} className="font-medium wrap-anywhere hover:text-accent hover:underline">{harmless(experiment.name)}</Link>
        {experiment.hypothesis && <p className="mt-0.5 line-clamp-1 text-xs wrap-anywhere text-ink-2">{harmless(experiment.hypothesis)}</p>}
        <p className="mt-0.5 text-xs text-ink-3">{typeLabel(experiment.type)}, {plural(experiment.variants.length, "variant")}, <Moment at={experiment.started_at ?? experiment.created_at} /></p>
        <div className="mt-1.5 sm:hidden"><Chip {...statusLook(experiment)} /></div>
      </td>
      <td className={`${CELL} max-sm:hidden`}><Chip {...statusLook(experiment)} /></td>
      <td className={`${CELL} hidden wrap-anywhere text-ink-2 lg:table-cell`}>{harmless(metricName(experiment.primary_metric))}</td>
      <td className={`${CELL} hidden md:table-cell`}>
        {counted === null ? (
          <span className="text-ink-3">Not started</span>
        ) : (
          <>
            <ProgressBar label={`Progress of ${harmless(experiment.name)}`} segments={[{ name: "done", value: counted.done, tone: "info" }]} total={counted.total} done={counted.done} />
            <p className="mt-1.5 text-xs text-ink-2">{formatPart(counted.done, counted.total)} {counted.unit}, {plural(experiment.progress.looks, "look")}</p>
          </>
        )}
      </td>
      <td className={CELL}>
        {decision ? (
          <>
            <span className="font-medium wrap-anywhere">{harmless(decision.text)}</span>
            {decision.detail && <p className="mt-0.5 text-xs text-ink-2">{decision.detail}</p>}
          </>
        ) : (
          <span className="text-ink-3">{isDraft ? "Not yet" : "Open"}</span>
        )}
      </td>
    </tr>
  );
}

function NoExperiments() {
  return (
    <Message icon="scale" title="No experiments yet">
      <p>
        An experiment answers one question: is a change better than what is in use today? The variants answer the same cases, round by round. It stops by itself as soon as the answer is certain enough, so it calls the models no more than it has to.
      </p>
      <p className="mt-4 flex justify-center">
        <ButtonLink to="/experiments/new" icon="plus" kind="primary" right="experiments:create">Plan an experiment</ButtonLink>
      </p>
    </Message>
  );
}
