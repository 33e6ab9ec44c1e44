import { lazy, Suspense, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { skipToken } from "@reduxjs/toolkit/query/react";
import { useListCollectionsQuery } from "@/api/collections";
import { useListProvidersQuery } from "@/api/providers";
import { useGetDatasetQuery, useGetDatasetVersionQuery, useVersionsOfQuery } from "@/api/datasets";
import { useCreateRunMutation, useGetRunQuery, useListRunsQuery } from "@/api/runs";
import type { CreateRun } from "@/api/generated/orchestrator";
import BudgetBanner from "@/components/BudgetBanner";
import { ButtonLink } from "@/components/Button";
import { Combobox, MultiSelect } from "@/components/Combobox";
import { Disclosure } from "@/components/Disclosure";
import { CheckField, FieldError, NumberField, TextAreaField, TextField } from "@/components/Field";
import { Icon } from "@/components/Icon";
import { Message, Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { Section } from "@/components/Section";
import { formatDate } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { uniqueKey } from "@/lib/unique-key";
import { useTitle } from "@/lib/use-title";
import { loadCode } from "@/live/reach";
import { CollectionsSection } from "@/components/CollectionsSection";
import { errorAt, stillTrue } from "@/lib/form-errors";
import { DatasetsSection, refOf } from "@/components/DatasetsSection";
import { embeddersOf } from "@/components/evaluators/evaluator-form";
import { EvaluatorsSection } from "@/components/evaluators/EvaluatorsSection";
import { JudgeSection } from "@/components/evaluators/JudgeSection";
import { PlanCard } from "./PlanCard";
import { emptyForm, formOf, isSampled, judges, missing, needsJudge, selfJudged, sizeOf, toCreateRun, USUAL_HISTORY, type RunForm, type SubjectForm } from "./run-form";
import { CLUSTER_HINT } from "../run-words";
import { SampleFields } from "./SampleFields";
import { SamplingFields } from "@/components/SamplingFields";
import { LimitsFields } from "./LimitsFields";
import { mostSideBySide } from "./side-by-side";
import { TargetsSection } from "./TargetsSection";
import { useDefaultEvaluators, useExplicitEvaluators } from "./useDefaultEvaluators";
import { useEstimate } from "./useEstimate";

const OnPreset = lazy(() => loadCode(async () => ({ default: (await import("./OnPreset")).OnPreset })));

/** `/runs/new`; `?clone=<run>` copies an earlier run, `?collection=<id>` chooses tasks, `?dataset=<id>&version=<number>`
 * the cases of a version, `?preset=<id>` the settings of a preset. */
export default function NewRunPage() {
  useTitle("New run");
  const [search] = useSearchParams();
  const cloneId = search.get("clone");
  const defaults = useDefaultEvaluators();
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
      <BudgetBanner />
      {cloneId === null && search.has("dataset") ? (
        <OnVersion datasetId={search.get("dataset") ?? ""} versionNumber={Number(search.get("version"))} />
      ) : cloneId === null && defaults.isLoading ? (
        <Skeleton className="h-96" />
      ) : presetId ? (
        <Suspense fallback={<Skeleton className="h-96" />}>
          <OnPreset id={presetId}>{(part) => <Form start={() => ({ ...emptyForm(), ...part, evaluators: defaults.evaluators })} />}</OnPreset>
        </Suspense>
      ) : cloneId === null ? (
        <Form start={() => ({ ...emptyForm(), evaluators: defaults.evaluators, collectionIds: search.getAll("collection") })} />
      ) : cloned ? (
        <Form key={cloned.id} start={() => formOf(cloned)} />
      ) : isError ? (
        <ErrorMessage error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-96" />
      )}
    </div>
  );
}

function OnVersion({ datasetId, versionNumber }: { datasetId: string; versionNumber: number }) {
  const dataset = useGetDatasetQuery({ datasetId });
  const version = useGetDatasetVersionQuery({ datasetId, versionNumber });
  const failed = [dataset, version].find((one) => one.isError);
  if (failed) return <ErrorMessage error={failed.error} onRetry={() => void failed.refetch()} />;
  const [named, found] = [dataset.currentData, version.currentData];
  if (!named || !found) return <Skeleton className="h-96" />;
  return <Form key={found.version_id} start={() => ({ ...emptyForm(), datasetVersions: [refOf(named.name, found)] })} />;
}

function Form({ start }: { start: () => RunForm }) {
  const navigate = useNavigate();
  const providers = useListProvidersQuery({ limit: 500 }, { refetchOnMountOrArgChange: true });
  const collections = useListCollectionsQuery({ limit: 500 }, { refetchOnMountOrArgChange: true });
  const [form, setForm] = useState(start);
  const [priority, setPriority] = useState<number | null>(null);
  const [tried, setTried] = useState(0);
  const [sent, setSent] = useState<{ body: CreateRun; key: string } | null>(null);
  const [create, creating] = useCreateRunMutation();

  const set = (part: Partial<RunForm>) => setForm((now) => ({ ...now, ...part }));
  const tasks = (collections.data?.items ?? []).filter((one) => form.collectionIds.includes(one.id)).reduce((sum, one) => sum + one.task_count, 0);
  const versions = useVersionsOfQuery(form.datasetVersions.length > 0 ? form.datasetVersions.map(({ dataset_id, version_number }) => ({ dataset_id, version_number })) : skipToken);
  const cases = form.datasetVersions.length === 0 ? 0 : (versions.data ?? []).reduce((sum, one) => sum + (one?.row_count ?? 0), 0);
  const all = tasks + cases;
  // Clusters are never split, so a sample may be a little larger.
  const asked = Math.min(all, form.sample.size ?? all);
  const estimate = useEstimate(form, asked);
  const lacking = missing(form);
  const body = useExplicitEvaluators(toCreateRun(form));
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
    const request = sent && JSON.stringify(sent.body) === JSON.stringify(wanted) ? sent : { body: wanted, key: uniqueKey() };
    setSent(request);
    const answer = await create({ createRun: request.body, "Idempotency-Key": request.key });
    if (answer.data) void navigate(`/runs/${answer.data.id}`);
  };

  const schedule = () => {
    setTried((times) => times + 1);
    if (Object.keys(lacking).length === 0) void navigate("/runs/schedules", { state: { what: { kind: "run", request: body } } });
  };

  if (providers.isError) return <ErrorMessage error={providers.error} onRetry={() => void providers.refetch()} />;
  if (collections.isError) return <ErrorMessage error={collections.error} onRetry={() => void collections.refetch()} />;
  if (!providers.data || !collections.data) return <Skeleton className="h-96" />;
  if (providers.data.items.length === 0) return <NothingToAsk />;
  const sideBySide = mostSideBySide(form, providers.data.items);
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
        <TargetsSection form={form} providers={providers.data.items} errors={errors} onChange={(targets) => set({ targets })} />
        <CollectionsSection collections={collections.data.items} chosen={form.collectionIds} errors={errors} onChange={(collectionIds) => set({ collectionIds })} />
        <DatasetsSection chosen={form.datasetVersions} errors={errors} onChange={(datasetVersions) => set({ datasetVersions })} />
        <EvaluatorsSection evaluators={form.evaluators} providers={providers.data.items} errors={errors} onChange={(evaluators) => set({ evaluators })} />
        {needsJudge(form) && <JudgeSection form={form} providers={providers.data.items} errors={errors} onChange={set} />}
        <Section title="Settings" aside={<p className="text-xs text-ink-2">For every target without settings of its own</p>}>
          <div className="divide-y divide-line px-4 [&>details]:py-2">
            <Disclosure title="Limits" summary="epochs, concurrency, timeout, attempts, cache, cost, clusters">
              <div className="flex flex-col gap-3">
                <LimitsFields value={form.limits} onChange={(limits) => set({ limits })} errors={errors} prefix="" />
                <NumberField label="Cost limit in US dollars" hint="The run pauses when it is reached." className="sm:max-w-56" min={0} placeholder="None" value={form.maxCostUsd} error={errorAt(errors, "max_cost_usd")} onChange={(maxCostUsd) => set({ maxCostUsd })} />
                {(sideBySide > 1 || form.parallelGroups !== null) && (
                  <NumberField label="Models side by side" hint="Models of different hosted providers are called at the same time: one of each provider, and at most one local model." className="sm:max-w-md" min={1} max={16} step={1} placeholder="1" value={form.parallelGroups} error={errorAt(errors, "parallel_groups")} onChange={(parallelGroups) => set({ parallelGroups })} />
                )}
                <NumberField label="Earlier turns" hint="How many turns of a conversation are sent with the next one." className="sm:max-w-56" min={1} max={50} step={1} placeholder={String(USUAL_HISTORY)} value={form.maxHistory} error={errorAt(errors, "max_conversation_history")} onChange={(maxHistory) => set({ maxHistory })} />
                <TextField label="Cluster by" hint={CLUSTER_HINT} className="sm:max-w-xl" maxLength={255} placeholder="Document, conversation or case" value={form.clusterBy} error={errorAt(errors, "cluster_by")} onChange={(clusterBy) => set({ clusterBy })} />
                <CheckField label="Write the choices of a case below its question" hint="One lettered line each, unless the question already contains them." checked={form.showChoices} onChange={(showChoices) => set({ showChoices })} />
                <CheckField label="Check first that the providers have these models" hint="An unreachable provider, a wrong key or a mistyped model is reported before the run starts." checked={form.checkProviders} onChange={(checkProviders) => set({ checkProviders })} />
              </div>
            </Disclosure>
            <Disclosure title="Sample" summary="some of the cases instead of all" open={isSampled(form.sample)}>
              <SampleFields value={form.sample} all={all} errors={errors} onChange={(sample) => set({ sample })} />
            </Disclosure>
            <Disclosure title="Parameters" summary="temperature, tokens, system prompt, seed, stop, options">
              <SamplingFields value={form.sampling} onChange={(sampling) => set({ sampling })} errors={errors} path="params" />
            </Disclosure>
            <Disclosure title="Name and notes" summary="name, description, tags, baseline" open={form.name !== ""}>
              <Notes form={form} errors={errors} onChange={set} />
            </Disclosure>
          </div>
        </Section>
      </div>
      <PlanCard
        size={sizeOf(form, asked)}
        hasCases={form.datasetVersions.length > 0}
        byProgram={judges(form).length + embeddersOf(form.evaluators).length === 0}
        upperBound={form.collectionIds.length > 1}
        sampledFrom={asked < all ? all : null}
        estimate={estimate}
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
    </form>
  );
}

interface NotesProps {
  form: RunForm;
  errors: Readonly<Record<string, string>>;
  onChange: (part: Partial<RunForm>) => void;
}

function Notes({ form, errors, onChange }: NotesProps) {
  const { data } = useListRunsQuery({ limit: 100 });
  const runs = data?.items ?? [];
  const tags = [...new Set(runs.flatMap((one) => one.tags))].toSorted();
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextField label="Name" placeholder="The labels of its targets" maxLength={255} value={form.name} error={errorAt(errors, "name")} onChange={(name) => onChange({ name })} />
      <MultiSelect label="Tags" free placeholder="Type one, then Enter" choices={tags.map((one) => ({ value: one, label: harmless(one) }))} selected={form.tags} error={errorAt(errors, "tags")} onChange={(next) => onChange({ tags: next })} />
      <TextAreaField label="Description" className="sm:col-span-2" rows={2} maxLength={10_000} value={form.description} error={errorAt(errors, "description")} onChange={(description) => onChange({ description })} />
      <Combobox
        label="Baseline"
        hint="The run that this one is compared with."
        placeholder="None"
        choices={runs.map((one) => ({ value: one.id, label: harmless(one.name), detail: formatDate(one.created_at) }))}
        value={form.baselineRunId}
        error={errorAt(errors, "baseline_run_id")}
        onChange={(baselineRunId) => onChange({ baselineRunId })}
      />
      {form.subject && <Compared subject={form.subject} error={errorAt(errors, "subject.id")} onChange={(subject) => onChange({ subject })} />}
    </div>
  );
}

function Compared({ subject, error, onChange }: { subject: SubjectForm; error: string | undefined; onChange: (subject: SubjectForm) => void }) {
  const baselines = subject.label === null ? "the baselines" : `the baseline ${harmless(subject.label)}`;
  return (
    <div className="flex flex-col gap-1 self-center">
      <CheckField label={`Compare it with ${baselines} of the preset ${harmless(subject.name)} when it ends`} checked={subject.compared} onChange={(compared) => onChange({ ...subject, compared })} />
      {error && <FieldError>{error}</FieldError>}
    </div>
  );
}

function NothingToAsk() {
  return (
    <div className="card">
      <Message icon="spark" title="There is no provider yet">
        <p>A run asks models of a provider: an OpenAI-compatible server, Ollama, LM Studio, or a service in the cloud. Add one first, then come back.</p>
        <p className="mt-4 flex justify-center">
          <ButtonLink right="providers:create" to="/providers/new" icon="plus" kind="primary">Add a provider</ButtonLink>
        </p>
      </Message>
    </div>
  );
}
