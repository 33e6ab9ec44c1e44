import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router";
import { skipToken } from "@reduxjs/toolkit/query/react";
import { useListCollectionsQuery } from "@/api/collections";
import { useListProvidersQuery } from "@/api/providers";
import { useVersionsOfQuery } from "@/api/datasets";
import { useCreateRunMutation, useGetRunQuery, useListRunsQuery } from "@/api/runs";
import type { CreateRun } from "@/api/generated/orchestrator";
import { Button } from "@/components/Button";
import { Disclosure } from "@/components/Disclosure";
import { Icon } from "@/components/Icon";
import { Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { harmless } from "@/lib/plain-text";
import { isLost, toProblem } from "@/lib/problem";
import { uniqueKey } from "@/lib/unique-key";
import { useTitle } from "@/lib/use-title";
import { loadCode } from "@/live/reach";
import { CollectionsSection } from "@/components/CollectionsSection";
import { stillTrue } from "@/lib/form-errors";
import { DatasetsSection } from "@/components/DatasetsSection";
import { embeddersOf } from "@/components/evaluators/evaluator-form";
import { EvaluatorsSection } from "@/components/evaluators/EvaluatorsSection";
import { stepNotes } from "./estimate-words";
import { keep, readKept } from "./kept-run";
import { priceSentence } from "./priced-ceiling";
import { freeName, NUMBER, suggestedName } from "./run-name";
import { Step } from "./Step";
import { emptyForm, formOf, isSampled, judges, missing, needsJudge, selfJudged, sizeOf, toCreateRun, withLastJudge, type RunForm } from "./run-form";
import { mostSideBySide } from "./side-by-side";
import { TargetsSection } from "./TargetsSection";
import { useDefaultEvaluators, useExplicitEvaluators } from "./useDefaultEvaluators";
import { useEstimate } from "./useEstimate";

const PlanCard = lazy(() => loadCode(async () => ({ default: (await import("./PlanCard")).PlanCard })));
const BudgetBanner = lazy(() => loadCode(() => import("@/components/BudgetBanner")));
const JudgeSection = lazy(() => loadCode(async () => ({ default: (await import("@/components/evaluators/JudgeSection")).JudgeSection })));
const SampleFields = lazy(() => loadCode(async () => ({ default: (await import("./SampleFields")).SampleFields })));
const OnVersion = lazy(() => loadCode(async () => ({ default: (await import("./OnVersion")).OnVersion })));
const OnPreset = lazy(() => loadCode(async () => ({ default: (await import("./OnPreset")).OnPreset })));
const OnMended = lazy(() => loadCode(async () => ({ default: (await import("../mend/OnMended")).OnMended })));
const NothingToAsk = lazy(() => loadCode(() => import("./NothingToAsk")));
const TagsAndLimits = lazy(() => loadCode(async () => ({ default: (await import("./TagsAndLimits")).TagsAndLimits })));

/** `/runs/new`; `?clone=<run>` copies an earlier run (with `&mended=<item>` to judge its answers again), `?collection=<id>` chooses tasks, `?dataset=<id>&version=<number>`
 * the cases of a version, `?preset=<id>` the settings of a preset. */
export default function NewRunPage() {
  useTitle("New run");
  const [search] = useSearchParams();
  const cloneId = search.get("clone");
  const defaults = useDefaultEvaluators();
  const mendedId = search.get("mended");
  const presetId = cloneId === null ? search.get("preset") : null;
  const { currentData: cloned, error, isError, refetch } = useGetRunQuery(cloneId ? { runId: cloneId } : skipToken);
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-5 sm:px-6">
      <header>
        <nav aria-label="Breadcrumb" className="text-xs text-ink-2">
          <Link to="/runs" className="inline-flex items-center gap-1 hover:text-ink hover:underline">
            <Icon name="previous" className="size-3" />
            All runs
          </Link>
        </nav>
        <h1 className="mt-2 text-xl font-semibold tracking-tight wrap-anywhere">{cloned ? `New run, like ${harmless(cloned.name)}` : "New run"}</h1>
      </header>
      <Suspense><BudgetBanner /></Suspense>
      {cloneId === null && search.has("dataset") ? (
        <Suspense fallback={<Skeleton className="h-96" />}>
          <OnVersion datasetId={search.get("dataset") ?? ""} versionNumber={Number(search.get("version"))}>
            {(version) => <Form key={version.version_id} start={() => ({ ...emptyForm(), datasetVersions: [version] })} />}
          </OnVersion>
        </Suspense>
      ) : cloneId === null && defaults.isLoading ? (
        <Skeleton className="h-96" />
      ) : presetId ? (
        <Suspense fallback={<Skeleton className="h-96" />}>
          <OnPreset id={presetId}>{(part) => <Form start={() => ({ ...emptyForm(), ...part, evaluators: defaults.evaluators })} />}</OnPreset>
        </Suspense>
      ) : cloneId === null ? (
        <Form start={() => ({ ...emptyForm(), evaluators: defaults.evaluators, collectionIds: search.getAll("collection") })} />
      ) : cloned && mendedId ? (
        <Suspense fallback={<Skeleton className="h-96" />}>
          <OnMended run={cloned} itemId={mendedId} form={formOf(cloned)}>{(form) => <Form key={cloned.id} start={() => form} />}</OnMended>
        </Suspense>
      ) : cloned ? (
        <Form key={cloned.id} start={() => formOf(cloned)} like={cloned.name} />
      ) : isError ? (
        <ErrorMessage error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-96" />
      )}
    </div>
  );
}

interface FormProps {
  start: () => RunForm;
  /** The name of the copied run, which the copy continues with a number. */
  like?: string;
}

function Form({ start, like }: FormProps) {
  const navigate = useNavigate();
  const providers = useListProvidersQuery({ limit: 500 }, { refetchOnMountOrArgChange: true });
  const collections = useListCollectionsQuery({ limit: 500 }, { refetchOnMountOrArgChange: true });
  const { search } = useLocation();
  const [fresh] = useState(start);
  const [kept] = useState(() => readKept(search));
  const [own, setForm] = useState(kept ?? fresh);
  const [restored, setRestored] = useState(kept !== null);
  useEffect(() => keep(search, JSON.stringify(own) === JSON.stringify(fresh) ? null : own), [search, own, fresh]);
  const listed = useListRunsQuery({ limit: 100 }).data?.items;
  const earlier = useMemo(() => listed ?? [], [listed]);
  const form = useMemo(() => (like === undefined ? withLastJudge(own, earlier, providers.data?.items ?? []) : own), [like, own, earlier, providers.data]);
  const [priority, setPriority] = useState<number | null>(null);
  const [tried, setTried] = useState(0);
  const [sent, setSent] = useState<{ body: CreateRun; key: string; of: string } | null>(null);
  const [create, creating] = useCreateRunMutation();

  const set = (part: Partial<RunForm>) => setForm((now) => ({ ...now, ...part }));
  const chosen = (collections.data?.items ?? []).filter((one) => form.collectionIds.includes(one.id));
  const tasks = chosen.reduce((sum, one) => sum + one.task_count, 0);
  const versions = useVersionsOfQuery(form.datasetVersions.length > 0 ? form.datasetVersions.map(({ dataset_id, version_number }) => ({ dataset_id, version_number })) : skipToken);
  const cases = form.datasetVersions.length === 0 ? 0 : (versions.data ?? []).reduce((sum, one) => sum + (one?.row_count ?? 0), 0);
  const all = tasks + cases;
  // Clusters are never split, so a sample may be a little larger.
  const asked = Math.min(all, form.sample.size ?? all);
  const estimate = useEstimate(form, asked);
  const base = like?.replace(NUMBER, "") ?? suggestedName(form, chosen.map((one) => one.name));
  const suggestion = freeName(base, [...earlier.map((one) => one.name), ...(like === undefined ? [] : [like])]);
  const lacking = missing(form);
  // The runs of a schedule are named one by one.
  const unnamed = useExplicitEvaluators(toCreateRun(form));
  const body = form.name === null && suggestion !== "" ? { ...unnamed, name: suggestion } : unnamed;
  const refused = creating.error ? stillTrue(toProblem(creating.error).fields, sent?.body, { ...body, ...(priority !== null && { priority }) }) : {};
  const errors = { ...refused, ...(tried > 0 ? lacking : {}) };
  const self = selfJudged(judges(form), form.targets);

  // An evaluation of one output runs next to others, and is not listed.
  const active = useListRunsQuery({ status: ["RUNNING", "PAUSING"], limit: 1 }, { refetchOnMountOrArgChange: true, pollingInterval: 5000 }).data?.items[0] ?? null;

  const submit = async (queue: boolean) => {
    setTried((times) => times + 1);
    if (Object.keys(lacking).length > 0) return;
    // The same request sent twice (a lost response, a double click) creates one run.
    const wanted = queue ? { ...body, queue, ...(priority !== null && { priority }) } : body;
    // After a lost response the run may be there already, so that the suggested name and the queue have changed by it.
    const of = JSON.stringify([unnamed, form.name, priority]);
    const isSame = sent && (isLost(creating.error) ? sent.of === of : JSON.stringify(sent.body) === JSON.stringify(wanted));
    const request = isSame ? sent : { body: wanted, key: uniqueKey(), of };
    setSent(request);
    const answer = await create({ createRun: request.body, "Idempotency-Key": request.key });
    if (!answer.data) return;
    keep(search, null);
    void navigate(`/runs/${answer.data.id}`);
  };

  const startOver = () => {
    setForm(fresh);
    setRestored(false);
  };

  const schedule = () => {
    setTried((times) => times + 1);
    if (Object.keys(lacking).length === 0) void navigate("/runs/schedules", { state: { what: { kind: "run", request: unnamed } } });
  };

  if (providers.isError) return <ErrorMessage error={providers.error} onRetry={() => void providers.refetch()} />;
  if (collections.isError) return <ErrorMessage error={collections.error} onRetry={() => void collections.refetch()} />;
  if (!providers.data || !collections.data) return <Skeleton className="h-96" />;
  if (providers.data.items.length === 0) return <Suspense><NothingToAsk /></Suspense>;
  const byProgram = judges(form).length + embeddersOf(form.evaluators).length === 0;
  const size = sizeOf(form, asked);
  const sampledFrom = asked < all ? all : null;
  const notes = stepNotes(size, sampledFrom, form.targets.length, estimate, byProgram);
  return (
    <form
      noValidate
      className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_19rem]"
      onSubmit={(event) => {
        event.preventDefault();
        if (!creating.isLoading) void submit(active !== null);
      }}
    >
      <div className="flex min-w-0 flex-col gap-4">
        {restored && <Restored onForget={startOver} />}
        <Step number={1} title="What is asked" note={notes.what}>
          <CollectionsSection collections={collections.data.items} chosen={form.collectionIds} errors={errors} onChange={(collectionIds) => set({ collectionIds })} />
          <DatasetsSection chosen={form.datasetVersions} errors={errors} onChange={(datasetVersions) => set({ datasetVersions })} />
          <div className="card px-4 py-2">
            <Disclosure title="Sample" summary="some of the cases instead of all" open={isSampled(form.sample)}>
              <Suspense fallback={<Skeleton className="h-40" />}>
                <SampleFields value={form.sample} all={all} isNamed={form.name !== null} errors={errors} onChange={(sample) => set({ sample })} />
              </Suspense>
            </Disclosure>
          </div>
        </Step>
        <Step number={2} title="Who answers" note={notes.who}>
          <TargetsSection form={form} providers={providers.data.items} errors={errors} onChange={(targets) => set({ targets })} />
        </Step>
        <Step number={3} title="How it is judged" note={notes.how}>
          <EvaluatorsSection evaluators={form.evaluators} providers={providers.data.items} errors={errors} onChange={(evaluators) => set({ evaluators })} />
          <Suspense fallback={<Skeleton className="h-40" />}>
            {needsJudge(form) && <JudgeSection form={form} providers={providers.data.items} errors={errors} onChange={set} />}
          </Suspense>
        </Step>
        <Step number={4} title="Tags and limits" note={notes.end}>
          <Suspense fallback={<Skeleton className="h-40" />}>
            <TagsAndLimits form={form} sideBySide={mostSideBySide(form, providers.data.items)} errors={errors} onChange={set} />
          </Suspense>
        </Step>
      </div>
      <Suspense fallback={<Skeleton className="h-96" />}>
        <PlanCard
          name={form.name ?? suggestion}
          nameError={errors.name}
          onName={(next) => set({ name: next })}
          size={size}
          hasCases={form.datasetVersions.length > 0}
          byProgram={byProgram}
          upperBound={form.collectionIds.length > 1}
          sampledFrom={sampledFrom}
          estimate={estimate}
          priceNote={priceSentence(form, asked, estimate.unknown, providers.data.items)}
          missing={Object.values(lacking)}
          selfJudged={self}
          allowSelfJudging={form.allowSelfJudging}
          selfJudgingError={errors.allow_self_judging}
          onAllowSelfJudging={(allowSelfJudging) => set({ allowSelfJudging })}
          busy={creating.isLoading}
          error={creating.error}
          active={active}
          priority={priority}
          priorityError={errors.priority}
          onPriority={setPriority}
          onQueue={() => void submit(true)}
          onSchedule={schedule}
        />
      </Suspense>
    </form>
  );
}

function Restored({ onForget }: { onForget: () => void }) {
  return (
    <p role="status" className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-info-soft px-4 py-1.5 text-ink-2">
      This is your draft, as you left it.
      <Button kind="ghost" onClick={onForget}>Start over</Button>
    </p>
  );
}
