/** The form of an experiment, its conversion to a request, and its missing fields. */

import type { EvaluatorInfo } from "@/api/generated/config-api";
import type { DatasetVersionRef, Design, EvaluatorInput, ExperimentIn, ExperimentOut, ExperimentType, JudgeChoice, Method, PanelChoice, VariantConfig, VariantIn, VariantOut } from "@/api/generated/orchestrator";
import { askRunJudge, formOfInput, missingIn, toInput, usualEvaluators, type EvaluatorForm } from "@/components/evaluators/evaluator-form";
import { judgeOf, missingJudge, NO_JUDGE, toJudge, type JudgeForm } from "@/components/evaluators/judge-form";
import { missingInPanel, panelOf, toPanel, type PanelForm } from "@/components/evaluators/panel-form";
import { NOTHING_SAID, samplingOf, toParams, type SamplingForm } from "@/lib/sampling-form";
import { uniqueKey } from "@/lib/unique-key";
import { isRelative, PLAIN_METRICS } from "../experiment-words";

export interface VariantForm {
  key: string;
  name: string;
  isControl: boolean;
  /** The share in percent; null means an equal one. */
  share: number | null;
  providerId: string;
  model: string;
  sampling: SamplingForm;
  promptVersionId: string;
  /** These two are only shown, such as a version kept elsewhere. */
  modelVersion: string;
  promptVersion: string;
}

export interface GuardrailForm {
  key: string;
  metric: string;
  /** The margin in points or percent; null means the server's default. */
  margin: number | null;
}

export interface ExperimentForm {
  name: string;
  hypothesis: string;
  notes: string;
  type: ExperimentType;
  /** The experiment is run elsewhere, and observations are sent. */
  isOutside: boolean;
  collectionIds: string[];
  datasetVersions: DatasetVersionRef[];
  variants: VariantForm[];
  evaluators: EvaluatorForm[];
  judge: JudgeForm;
  panel: PanelForm | null;
  metric: string;
  guardrails: GuardrailForm[];
  method: Method;
  design: Design;
  /** The smallest difference that matters, in points or percent. */
  effect: number;
  power: number;
  significance: number;
  minimumSample: number | null;
  maximumSample: number | null;
  maximumDays: number | null;
  maximumCostUsd: number | null;
  clusterBy: string;
  roundSize: number | null;
  seed: number | null;
  allowSelfJudging: boolean;
  /** The settings of the calls that the form does not show, as they were sent. */
  calls: NonNullable<ExperimentIn["calls"]>;
}

export const MOST_VARIANTS = 10;
export const MOST_GUARDRAILS = 20;

export const newVariant = (name: string, isControl = false): VariantForm => ({
  key: uniqueKey(),
  name,
  isControl,
  share: null,
  providerId: "",
  model: "",
  sampling: NOTHING_SAID,
  promptVersionId: "",
  modelVersion: "",
  promptVersion: "",
});

export const newGuardrail = (metric: string): GuardrailForm => ({ key: uniqueKey(), metric, margin: null });

export function emptyExperiment(): ExperimentForm {
  return {
    name: "",
    hypothesis: "",
    notes: "",
    type: "AB_TEST",
    isOutside: false,
    collectionIds: [],
    datasetVersions: [],
    variants: [newVariant("Control", true), newVariant("Treatment")],
    evaluators: usualEvaluators(),
    judge: NO_JUDGE,
    panel: null,
    metric: "score",
    guardrails: [],
    method: "sequential",
    design: "paired",
    effect: 5,
    power: 0.8,
    significance: 0.05,
    minimumSample: null,
    maximumSample: null,
    maximumDays: null,
    maximumCostUsd: null,
    clusterBy: "",
    roundSize: null,
    seed: null,
    allowSelfJudging: false,
    calls: {},
  };
}

const percent = (share: number) => Math.round(share * 1e6) / 1e4;

/** Return the form of a stored draft. `versions` are its dataset versions, `infos` the evaluators that there are. */
export function formOf(draft: ExperimentOut, versions: DatasetVersionRef[], infos: readonly EvaluatorInfo[]): ExperimentForm {
  const { config, sources, judge, panel, calls } = draft;
  const areEqual = draft.variants.every((one) => Math.abs(one.traffic_allocation - 1 / draft.variants.length) < 1e-6);
  return {
    name: draft.name,
    hypothesis: draft.hypothesis ?? "",
    notes: draft.notes ?? "",
    type: draft.type,
    isOutside: sources === "none",
    collectionIds: sources === null || sources === "none" ? [] : ((sources.collection_ids as string[] | undefined) ?? []),
    datasetVersions: versions,
    variants: draft.variants.map((one) => variantOf(one, areEqual)),
    evaluators: draft.evaluators === null ? usualEvaluators() : draft.evaluators.map((one, index) => formOfInput(one as EvaluatorInput, infos, `${index}`)),
    judge: judge === null ? NO_JUDGE : judgeOf(judge as JudgeChoice),
    panel: panel === null ? null : panelOf(panel as PanelChoice),
    metric: draft.primary_metric,
    guardrails: draft.guardrail_metrics.map((one) => ({ key: uniqueKey(), metric: one.metric, margin: percent(one.margin) })),
    method: config.method,
    design: config.design,
    effect: percent(config.minimum_effect),
    power: config.power,
    significance: config.significance_level,
    minimumSample: config.minimum_sample_size,
    maximumSample: config.maximum_sample_size,
    maximumDays: config.maximum_duration_days,
    maximumCostUsd: config.maximum_cost_usd,
    clusterBy: config.cluster_by ?? "",
    roundSize: config.round_size,
    seed: config.seed,
    allowSelfJudging: calls.allow_self_judging === true,
    calls,
  };
}

function variantOf(one: VariantOut, areEqual: boolean): VariantForm {
  const config = one.config as VariantConfig;
  return {
    key: one.variant_id,
    name: one.name,
    isControl: one.is_control,
    share: areEqual ? null : percent(one.traffic_allocation),
    providerId: config.model?.provider_id ?? "",
    model: config.model?.name ?? "",
    sampling: { ...samplingOf(config.parameters ?? {}), systemPrompt: config.system_prompt ?? config.parameters?.system_prompt ?? "" },
    promptVersionId: config.prompt_version_id ?? "",
    modelVersion: config.model?.version ?? "",
    promptVersion: config.prompt_version ?? "",
  };
}

/** Return the design that the type and the source permit. */
export const designOf = ({ type, isOutside, design }: Pick<ExperimentForm, "type" | "isOutside" | "design">): Design => (type === "MULTI_ARM_BANDIT" || isOutside ? "split" : design);

export const needsJudge = (form: ExperimentForm) => !form.isOutside && askRunJudge(form.evaluators);

/** Return the metrics on offer: the plain ones, then the scores of the evaluators. */
export function metricsOf({ evaluators, isOutside }: Pick<ExperimentForm, "evaluators" | "isOutside">): string[] {
  return isOutside ? PLAIN_METRICS : [...new Set([...PLAIN_METRICS, ...evaluators.map((one) => one.name.trim() || one.kind)])];
}

export function toExperiment(form: ExperimentForm): ExperimentIn {
  const hasShares = designOf(form) === "split" && form.variants.some((one) => one.share !== null);
  const hasCases = form.collectionIds.length + form.datasetVersions.length > 0;
  return {
    name: form.name.trim(),
    ...(form.hypothesis.trim() !== "" && { hypothesis: form.hypothesis.trim() }),
    ...(form.notes.trim() !== "" && { notes: form.notes.trim() }),
    type: form.type,
    primary_metric: form.metric.trim(),
    guardrail_metrics: form.guardrails.map((one) => ({ metric: one.metric.trim(), ...(one.margin !== null && { margin: one.margin / 100 }) })),
    config: {
      method: form.method,
      significance_level: form.significance,
      design: designOf(form),
      minimum_effect: form.effect / 100,
      power: form.power,
      ...(form.minimumSample !== null && { minimum_sample_size: form.minimumSample }),
      ...(form.maximumSample !== null && { maximum_sample_size: form.maximumSample }),
      ...(form.maximumDays !== null && { maximum_duration_days: form.maximumDays }),
      ...(form.maximumCostUsd !== null && { maximum_cost_usd: form.maximumCostUsd }),
      ...(!form.isOutside && form.clusterBy.trim() !== "" && { cluster_by: form.clusterBy.trim() }),
      ...(form.roundSize !== null && { round_size: form.roundSize }),
      ...(form.seed !== null && { seed: form.seed }),
    },
    variants: form.variants.map((one) => toVariant(one, hasShares, form.isOutside)),
    sources: form.isOutside ? "none" : hasCases ? { collection_ids: form.collectionIds, dataset_version_ids: form.datasetVersions.map((one) => one.version_id) } : null,
    ...(!form.isOutside && { evaluators: form.evaluators.map(toInput) }),
    ...(needsJudge(form) && (form.panel ? { panel: toPanel(form.panel) } : form.judge.model !== "" && { judge: toJudge(form.judge) })),
    calls: { ...form.calls, allow_self_judging: form.allowSelfJudging },
  };
}

function toVariant(one: VariantForm, hasShares: boolean, isOutside: boolean): VariantIn {
  const { system_prompt: systemPrompt, ...parameters } = toParams(one.sampling);
  const model = one.model.trim() === "" ? null : { ...(one.providerId !== "" && !isOutside && { provider_id: one.providerId }), name: one.model.trim(), ...(one.modelVersion !== "" && { version: one.modelVersion }) };
  return {
    name: one.name.trim(),
    is_control: one.isControl,
    ...(hasShares && { traffic_allocation: (one.share ?? 0) / 100 }),
    config: {
      ...(model && { model }),
      parameters,
      ...(systemPrompt && { system_prompt: systemPrompt }),
      ...(one.promptVersionId !== "" && { prompt_version_id: one.promptVersionId }),
      ...(one.promptVersion !== "" && { prompt_version: one.promptVersion }),
    },
  };
}

/** Return what a draft lacks to be saved, keyed by the path of the field that shows the message. */
export function faults(form: ExperimentForm): Record<string, string> {
  const problems: Record<string, string> = {};
  if (form.name.trim() === "") problems.name = "Give the experiment a name.";
  if (form.metric.trim() === "") problems.primary_metric = "Choose the metric that decides.";
  else if (!form.isOutside && !metricsOf(form).includes(form.metric)) problems.primary_metric = "No chosen evaluator gives this metric: choose another one, or add the evaluator.";
  const names = form.variants.map((one) => one.name.trim().toLowerCase());
  for (const [index, name] of names.entries()) {
    if (name === "") problems[`variants.${index}.name`] = "Give the variant a name.";
    else if (names.indexOf(name) < index) problems[`variants.${index}.name`] = "Another variant has this name.";
  }
  if (designOf(form) === "split" && form.variants.some((one) => one.share !== null)) {
    const total = form.variants.reduce((sum, one) => sum + (one.share ?? 0), 0);
    for (const [index, one] of form.variants.entries()) {
      if (one.share === null || one.share <= 0) problems[`variants.${index}.traffic_allocation`] = "A share above 0, or leave all shares empty.";
    }
    if (Math.abs(total - 100) > 1e-4) problems.variants = `The shares add up to ${Math.round(total * 100) / 100}% instead of 100%.`;
  }
  const metrics = [form.metric];
  for (const [index, one] of form.guardrails.entries()) {
    if (one.metric.trim() === "") problems[`guardrail_metrics.${index}`] = "Choose a metric, or remove the guardrail.";
    else if (metrics.includes(one.metric)) problems[`guardrail_metrics.${index}`] = one.metric === form.metric ? "This is the primary metric: choose another one." : "Another guardrail has this metric.";
    metrics.push(one.metric);
    if (one.margin !== null && one.margin <= 0) problems[`guardrail_metrics.${index}.margin`] = "Above 0.";
    else if (one.margin !== null && one.margin >= 100 && !isRelative(one.metric)) problems[`guardrail_metrics.${index}.margin`] = "Below 100 points: scores and rates are from 0 to 100.";
  }
  if (form.minimumSample !== null && form.maximumSample !== null && form.minimumSample > form.maximumSample) problems["config.minimum_sample_size"] = "More than the maximum sample.";
  if (!form.isOutside) Object.assign(problems, missingIn(form.evaluators));
  if (needsJudge(form) && form.panel) Object.assign(problems, missingInPanel(form.panel, "panel"));
  return problems;
}

/** Return what a draft still lacks to be started. */
export function startFaults(form: ExperimentForm): Record<string, string> {
  if (form.isOutside) return {};
  const problems: Record<string, string> = {};
  if (form.collectionIds.length + form.datasetVersions.length === 0) problems.collection_ids = "Choose at least one collection or dataset.";
  for (const [index, one] of form.variants.entries()) {
    if (one.providerId === "") problems[`variants.${index}.config.model.provider_id`] = "Choose the provider.";
    else if (one.model.trim() === "") problems[`variants.${index}.config.model.name`] = "Choose the model.";
  }
  return needsJudge(form) && !form.panel ? { ...problems, ...missingJudge(form.judge) } : problems;
}
