/** The form of a run, its conversion to a request, its size, and its missing fields. */

import type { CreateRun, DatasetVersionRef, RunDetail, RunSummary, TargetChoice } from "@/api/generated/orchestrator";
import { askRunJudge, embeddersOf, evaluatorsOf, isCounted, itsJudges, judgesOf, missingIn, repeatsOf, toInputs, usualEvaluators, type EvaluatorForm } from "@/components/evaluators/evaluator-form";
import { NO_JUDGE, missingJudge, toJudge, type JudgeForm } from "@/components/evaluators/judge-form";
import { missingInPanel, toPanel, type ModelChoice, type PanelForm } from "@/components/evaluators/panel-form";
import type { PromptChoice } from "@/components/PromptPicker";
import { NOTHING_SAID, samplingOf, toParams, type SamplingForm } from "@/lib/sampling-form";
import { USUAL_HISTORY, USUAL_LIMITS } from "./usual-limits";

export interface LimitsForm {
  epochs: number | null;
  concurrency: number | null;
  timeoutS: number | null;
  maxAttempts: number | null;
  useCache: boolean | null;
}

export interface TargetForm {
  /** The React key, unique also for two targets of one model. */
  key: string;
  providerId: string;
  model: string;
  label: string;
  /** Null to send context and question as they are. */
  prompt: PromptChoice | null;
  sampling: SamplingForm;
  limits: LimitsForm;
}

/** A sample of the cases. The run has every case with the tags if `size` is null; its name gives the seed if `seed` is null. */
export interface SampleForm {
  size: number | null;
  tags: string[];
  strategy: "random" | "stratified";
  seed: number | null;
}

/** A preset whose baselines compare the run, or only that of `label`. */
export interface SubjectForm {
  kind: "preset";
  id: string;
  name: string;
  label: string | null;
  compared: boolean;
}

export interface RunForm {
  judge: JudgeForm;
  /** Several judges instead of the one. */
  panel: PanelForm | null;
  targets: TargetForm[];
  collectionIds: string[];
  evaluators: EvaluatorForm[];
  datasetVersions: DatasetVersionRef[];
  sampling: SamplingForm;
  limits: LimitsForm;
  /** Null for the suggested name. */
  name: string | null;
  description: string;
  tags: string[];
  baselineRunId: string;
  maxCostUsd: number | null;
  clusterBy: string;
  /** The number of earlier turns of a conversation that are sent with the next. */
  maxHistory: number | null;
  /** The number of models that are called at the same time; null for one after another. */
  parallelGroups: number | null;
  /** Write the choices of a case below its question. */
  showChoices: boolean;
  sample: SampleForm;
  /** The subject of the copied run: its baselines compare the run when it ends. */
  subject: SubjectForm | null;
  checkProviders: boolean;
  allowSelfJudging: boolean;
}

export const NO_LIMITS: LimitsForm = { epochs: null, concurrency: null, timeoutS: null, maxAttempts: null, useCache: null };
export const NO_SAMPLE: SampleForm = { size: null, tags: [], strategy: "random", seed: null };
export function emptyForm(): RunForm {
  return {
    judge: NO_JUDGE,
    panel: null,
    targets: [],
    collectionIds: [],
    evaluators: usualEvaluators(),
    datasetVersions: [],
    sampling: NOTHING_SAID,
    limits: NO_LIMITS,
    name: null,
    description: "",
    tags: [],
    baselineRunId: "",
    maxCostUsd: null,
    clusterBy: "",
    maxHistory: null,
    parallelGroups: null,
    showChoices: true,
    sample: NO_SAMPLE,
    subject: null,
    checkProviders: true,
    allowSelfJudging: false,
  };
}

export function newTarget(providerId: string, model: string, key: string): TargetForm {
  return { key, providerId, model, label: "", prompt: null, sampling: NOTHING_SAID, limits: NO_LIMITS };
}

/** Return the form of an earlier run, to start it again or change it first. */
export function formOf(run: RunDetail): RunForm {
  const atATime = (providerId: string, model: string) =>
    run.groups.find((one) => one.phase === "BENCHMARKING" && one.provider_id === providerId && one.model === model)?.concurrency ?? run.limits.concurrency;
  // Imported answers have no provider and cannot be requested again.
  const called = run.targets.flatMap((one) => (one.provider_id === null ? [] : [{ ...one, provider_id: one.provider_id }]));
  const targets = called.map((one) => ({
    label: one.label === one.model ? "" : one.label,
    key: one.id,
    providerId: one.provider_id,
    model: one.model,
    prompt: one.prompt ? { promptId: one.prompt.prompt_id, versionId: one.prompt.version_id, name: one.prompt.name, number: one.prompt.number } : null,
    sampling: samplingOf(one.params),
    limits: { epochs: one.epochs, concurrency: atATime(one.provider_id, one.model), timeoutS: one.timeout_s, maxAttempts: one.max_attempts, useCache: one.use_cache },
  }));
  // Values that all targets share become the run's; only differing ones stay with a target.
  const sampling = shared(targets.map((one) => one.sampling), NOTHING_SAID);
  const limits = shared(targets.map((one) => one.limits), NO_LIMITS);
  return {
    ...emptyForm(),
    ...(run.judge && { judge: { providerId: run.judge.provider_id, model: run.judge.model, sampling: samplingOf(run.judge.params) } }),
    // The evaluators of a suite score its tasks only.
    evaluators: run.suite ? usualEvaluators() : evaluatorsOf(run),
    datasetVersions: run.dataset_versions,
    targets: targets.map((one) => ({ ...one, sampling: without(one.sampling, sampling, NOTHING_SAID), limits: without(one.limits, limits, NO_LIMITS) })),
    collectionIds: run.collections.map((one) => one.id),
    sampling,
    limits,
    name: null,
    description: run.description ?? "",
    tags: run.tags,
    baselineRunId: run.baseline_run_id ?? "",
    maxCostUsd: run.max_cost_usd,
    clusterBy: run.cluster_by ?? "",
    maxHistory: run.limits.max_conversation_history === USUAL_HISTORY ? null : run.limits.max_conversation_history,
    parallelGroups: run.limits.parallel_groups === 1 ? null : run.limits.parallel_groups,
    showChoices: run.show_choices ?? true,
    // With the seed, the copy has the same cases under any name.
    sample: run.sample ? { size: run.sample.size, tags: run.sample.tags ?? [], strategy: run.sample.strategy, seed: run.sample.seed } : NO_SAMPLE,
    // A run of a suite is started from the suite, so its copy is no run of the suite.
    subject: run.subject?.kind === "preset" ? { ...run.subject, kind: "preset", label: run.baseline_label ?? null, compared: true } : null,
    allowSelfJudging: run.judge !== null && selfJudged([{ providerId: run.judge.provider_id, model: run.judge.model }], targets).length > 0,
  };
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function shared<T extends object>(all: readonly T[], nothing: T): T {
  const first = all[0];
  if (!first) return nothing;
  const keys = Object.keys(nothing) as (keyof T)[];
  return Object.fromEntries(keys.map((key) => [key, all.every((one) => same(one[key], first[key])) ? first[key] : nothing[key]])) as T;
}

function without<T extends object>(own: T, common: T, nothing: T): T {
  const keys = Object.keys(nothing) as (keyof T)[];
  return Object.fromEntries(keys.map((key) => [key, same(own[key], common[key]) ? nothing[key] : own[key]])) as T;
}

/** Return the labels of the targets whose model is also a judge. */
export function selfJudged(judges: readonly Pick<JudgeForm, "providerId" | "model">[], targets: readonly TargetForm[]): string[] {
  const isJudge = (one: TargetForm) => judges.some((judge) => judge.model !== "" && one.providerId === judge.providerId && one.model === judge.model);
  return targets.filter(isJudge).map((one) => one.label || one.model);
}

/** Return the form with the judge of the newest run, if none is chosen yet. `earlier` are runs, the newest first. */
export function withLastJudge(form: RunForm, earlier: readonly Pick<RunSummary, "judge">[], providers: readonly { id: string }[]): RunForm {
  if (form.panel || form.judge.providerId !== "" || form.judge.model !== "") return form;
  const last = earlier.find((one) => providers.some(({ id }) => id === one.judge?.provider_id))?.judge;
  return last ? { ...form, judge: { ...form.judge, providerId: last.provider_id, model: last.model } } : form;
}

export const needsJudge = (form: RunForm) => askRunJudge(form.evaluators);

/** Return every judge of the run. */
export const judges = (form: RunForm) => judgesOf(form.evaluators, runJudges(form));

/** Return the run's own judge, or its panel. */
export const runJudges = ({ judge, panel }: Pick<RunForm, "judge" | "panel">): readonly ModelChoice[] => panel?.judges ?? [judge];

function toLimits(form: LimitsForm) {
  return {
    ...(form.epochs !== null && { epochs: form.epochs }),
    ...(form.concurrency !== null && { concurrency: form.concurrency }),
    ...(form.timeoutS !== null && { timeout_s: form.timeoutS }),
    ...(form.maxAttempts !== null && { max_attempts: form.maxAttempts }),
    ...(form.useCache !== null && { use_cache: form.useCache }),
  };
}

export const isSampled = ({ size, tags }: SampleForm) => size !== null || tags.length > 0;

/** The seed that the server gives a run without a name: runs with suggested names have the same sample, too. */
const UNNAMED_SEED = 0x63b0c442;

function toSample({ name, sample: { size, tags, strategy, seed } }: RunForm): NonNullable<CreateRun["sample"]> {
  const given = seed ?? (name === null ? UNNAMED_SEED : null);
  return { ...(size !== null && { size }), ...(tags.length > 0 && { tags }), strategy, ...(given !== null && { seed: given }) };
}

/** Return the request, without a name if the form has none of its own. */
export function toCreateRun(form: RunForm): CreateRun {
  const self = selfJudged(judges(form), form.targets).length > 0;
  const evaluators = toInputs(form.evaluators);
  return {
    ...(form.name?.trim() && { name: form.name.trim() }),
    ...(form.description.trim() !== "" && { description: form.description.trim() }),
    ...(form.tags.length > 0 && { tags: form.tags }),
    ...(form.baselineRunId !== "" && { baseline_run_id: form.baselineRunId }),
    ...(form.maxCostUsd !== null && { max_cost_usd: form.maxCostUsd }),
    ...(form.clusterBy.trim() !== "" && { cluster_by: form.clusterBy.trim() }),
    ...(!form.showChoices && { show_choices: false }),
    ...(isSampled(form.sample) && { sample: toSample(form) }),
    ...(form.parallelGroups !== null && { parallel_groups: form.parallelGroups }),
    ...(form.subject?.compared && { subject: { kind: form.subject.kind, id: form.subject.id }, ...(form.subject.label !== null && { baseline_label: form.subject.label }) }),
    ...(form.maxHistory !== null && { max_conversation_history: form.maxHistory }),
    ...(needsJudge(form) && form.panel && { panel: toPanel(form.panel) }),
    ...(needsJudge(form) && !form.panel && { judge: toJudge(form.judge) }),
    ...(evaluators && { evaluators }),
    ...(form.datasetVersions.length > 0 && { dataset_version_ids: form.datasetVersions.map((one) => one.version_id) }),
    targets: form.targets.map(toTarget),
    collection_ids: form.collectionIds,
    params: toParams(form.sampling),
    ...toLimits(form.limits),
    check_providers: form.checkProviders,
    allow_self_judging: self && form.allowSelfJudging,
  };
}

function toTarget(target: TargetForm): TargetChoice {
  return {
    provider_id: target.providerId,
    model: target.model,
    ...(target.label.trim() !== "" && { label: target.label.trim() }),
    ...(target.prompt && { prompt_version_id: target.prompt.versionId }),
    params: toParams(target.sampling),
    ...toLimits(target.limits),
  };
}

/**
 * Return the missing fields without which a run cannot start, keyed by the path of the field that shows the message.
 */
export function missing(form: RunForm): Record<string, string> {
  const problems: Record<string, string> = {};
  if (form.collectionIds.length + form.datasetVersions.length === 0) problems["collection_ids"] = "Choose at least one collection or dataset.";
  if (form.targets.length === 0) problems["targets"] = "Choose at least one model to be benchmarked.";
  if (needsJudge(form) && form.panel) Object.assign(problems, missingInPanel(form.panel, "panel"));
  else if (needsJudge(form)) Object.assign(problems, missingJudge(form.judge));
  Object.assign(problems, missingIn(form.evaluators));
  if (selfJudged(judges(form), form.targets).length > 0 && !form.allowSelfJudging) problems["allow_self_judging"] = "Choose another judge, or tick “Let it judge its own answers”.";
  if (form.name?.trim() === "") problems["name"] = "Give the run a name.";
  const labels = form.targets.map((one) => one.label.trim() || one.model);
  for (const [index, label] of labels.entries()) {
    if (labels.indexOf(label) < index) problems[`targets.${index}.label`] = `“${label}” is taken by another target: give this one its own label.`;
  }
  return problems;
}

export interface RunSize {
  tasks: number;
  items: number;
  /** Count the calls: answers, verdicts and one warm-up per model. */
  calls: number;
  /** False if an evaluator takes an unknown number of calls per verdict. */
  isCounted: boolean;
}

export function sizeOf(form: RunForm, tasks: number): RunSize {
  const items = form.targets.reduce((sum, one) => sum + tasks * epochsOf(form, one), 0);
  const models = new Set(form.targets.map((one) => `${one.providerId} ${one.model}`));
  const verdicts = form.evaluators.reduce((sum, one) => sum + repeatsOf(one) * itsJudges(one, runJudges(form)).length, 0);
  return { tasks, items, calls: items === 0 ? 0 : items * (1 + verdicts) + models.size + judges(form).length + embeddersOf(form.evaluators).length, isCounted: isCounted(form.evaluators) };
}

export function epochsOf(form: RunForm, target: TargetForm): number {
  return target.limits.epochs ?? form.limits.epochs ?? USUAL_LIMITS.epochs;
}

export function concurrencyOf(form: RunForm, target: TargetForm): number {
  return target.limits.concurrency ?? form.limits.concurrency ?? USUAL_LIMITS.concurrency;
}
