/** The form of a run's evaluators, its conversion to a request, and its missing fields. */

import type { EvaluatorInfo } from "@/api/generated/config-api";
import type { EvaluatorInput, EvaluatorOut, RunDetail } from "@/api/generated/orchestrator";
import { limitOf, limitProblem, NO_LIMIT, toFilter, type CaseLimit } from "./case-limit";
import { missingInPanel, panelOf, toPanel, type ModelChoice, type PanelForm } from "./panel-form";

export interface EvaluatorForm {
  /** The React key, unique also for two evaluators of one kind. */
  key: string;
  kind: string;
  title: string;
  /** The evaluator calls a generative model: the run's judge or its own. */
  needsJudge: boolean;
  name: string;
  params: Readonly<Record<string, unknown>>;
  /** Null means the default weight of 1. */
  weight: number | null;
  required: boolean;
  passThreshold: number | null;
  /** Null means the run's judge. */
  judge: ModelChoice | null;
  /** Several judges instead of one. */
  panel: PanelForm | null;
  /** The cases it applies to, and the exceptions. */
  only: CaseLimit;
  unless: CaseLimit;
}

/** The value of the parameter `embedding` with which the vectors are a provider's. */
const BY_PROVIDER = "provider";

/**
 * Return whether an evaluator calls a provider's embedding model, which the form must name: the run's judge is a
 * generative model.
 */
export const asksEmbedder = ({ needsJudge, params }: Pick<EvaluatorForm, "needsJudge" | "params">) => !needsJudge && params.embedding === BY_PROVIDER;

/** The default evaluator of a run. */
const RUBRIC = { kind: "rubric", title: "Rubric", needs_judge: true } as const;

export function newEvaluator(info: Pick<EvaluatorInfo, "kind" | "title" | "needs_judge">, key: string): EvaluatorForm {
  return { key, kind: info.kind, title: info.title, needsJudge: info.needs_judge, name: "", params: {}, weight: null, required: true, passThreshold: null, judge: null, panel: null, only: NO_LIMIT, unless: NO_LIMIT };
}

export const usualEvaluators = (): EvaluatorForm[] => [newEvaluator(RUBRIC, RUBRIC.kind)];

/** Return whether this is the rubric alone with its defaults. */
function isUsual(evaluators: readonly EvaluatorForm[]): boolean {
  const [first] = evaluators;
  return evaluators.length === 1 && first !== undefined && JSON.stringify(toInput(first)) === JSON.stringify({ kind: RUBRIC.kind });
}

/** Return the evaluators that were configured for an earlier run. */
export function evaluatorsOf(run: RunDetail): EvaluatorForm[] {
  // People cannot be asked again, so their judge takes the place of the scores that they corrected.
  const chosen = run.evaluators.filter((one) => one.primary && !one.member).map((one) => run.evaluators.find((other) => other.revision_id === one.corrects) ?? one);
  return chosen.length === 0 ? usualEvaluators() : chosen.map((one) => evaluatorOf(run, one));
}

function evaluatorOf(run: RunDetail, one: EvaluatorOut): EvaluatorForm {
  const ofRun = one.judge_provider_id === run.judge?.provider_id && one.judge_model === run.judge?.model;
  return {
    key: one.revision_id,
    kind: one.kind,
    title: one.title,
    needsJudge: (one.judge_model !== null || one.panel !== null) && one.params.embedding !== BY_PROVIDER,
    name: one.name === one.kind ? "" : one.name,
    params: one.params,
    weight: one.weight === 1 ? null : one.weight,
    required: one.required,
    passThreshold: one.pass_threshold,
    judge: one.judge_provider_id !== null && one.judge_model !== null && (!ofRun || one.params.embedding === BY_PROVIDER) ? { providerId: one.judge_provider_id, model: one.judge_model } : null,
    panel: one.panel && panelOf(one.panel),
    only: limitOf(one.only),
    unless: limitOf(one.unless),
  };
}

/** Return the evaluators as request inputs; null if they equal the server's default. */
export function toInputs(evaluators: readonly EvaluatorForm[]): EvaluatorInput[] | null {
  return isUsual(evaluators) ? null : evaluators.map(toInput);
}

export function toInput(form: EvaluatorForm): EvaluatorInput {
  const [only, unless] = [toFilter(form.only), toFilter(form.unless)];
  return {
    kind: form.kind,
    ...(form.name.trim() !== "" && { name: form.name.trim() }),
    ...(Object.keys(form.params).length > 0 && { params: form.params }),
    ...(form.weight !== null && { weight: form.weight }),
    ...(!form.required && { required: false }),
    ...(form.passThreshold !== null && { pass_threshold: form.passThreshold }),
    ...((form.needsJudge || asksEmbedder(form)) && form.judge && { judge: { provider_id: form.judge.providerId, model: form.judge.model } }),
    ...(form.needsJudge && form.panel && { panel: toPanel(form.panel) }),
    ...(only && { only }),
    ...(unless && { unless }),
  };
}

/** Return the form of a stored request. `infos` are the evaluators that there are. */
export function formOfInput(input: EvaluatorInput, infos: readonly EvaluatorInfo[], key: string): EvaluatorForm {
  const info = infos.find((one) => one.kind === input.kind) ?? { kind: input.kind, title: input.kind, needs_judge: input.judge != null || input.panel != null };
  return {
    ...newEvaluator(info, key),
    name: input.name ?? "",
    params: input.params ?? {},
    weight: input.weight ?? null,
    required: input.required ?? true,
    passThreshold: input.pass_threshold ?? null,
    judge: input.judge ? { providerId: input.judge.provider_id, model: input.judge.model } : null,
    panel: input.panel ? panelOf(input.panel) : null,
    only: limitOf(input.only),
    unless: limitOf(input.unless),
  };
}

export const askRunJudge = (evaluators: readonly EvaluatorForm[]) => evaluators.some((one) => one.needsJudge && one.judge === null && one.panel === null);

/** Return every judge once; evaluators without a judge use the run's. */
export function judgesOf(evaluators: readonly EvaluatorForm[], ofRun: readonly ModelChoice[]): ModelChoice[] {
  return distinct(evaluators.flatMap((one) => itsJudges(one, ofRun)));
}

/** Return the judges of one evaluator: its own, or else the run's. */
export function itsJudges({ needsJudge, panel, judge }: EvaluatorForm, ofRun: readonly ModelChoice[]): readonly ModelChoice[] {
  return needsJudge ? (panel?.judges ?? (judge ? [judge] : ofRun)) : [];
}

/** Return the providers' embedding models, each once. They are not judges. */
export const embeddersOf = (evaluators: readonly EvaluatorForm[]) => distinct(evaluators.flatMap((one) => (asksEmbedder(one) && one.judge ? [one.judge] : [])));

const distinct = (models: readonly ModelChoice[]): ModelChoice[] => [...new Map(models.map((one) => [`${one.providerId} ${one.model}`, one])).values()];

/** Return the missing fields, keyed by the path of the field that shows the message. */
export function missingIn(evaluators: readonly EvaluatorForm[]): Record<string, string> {
  if (evaluators.length === 0) return { evaluators: "Choose at least one evaluator." };
  const problems: Record<string, string> = {};
  for (const [index, one] of evaluators.entries()) {
    const path = `evaluators.${index}`;
    for (const name of ["only", "unless"] as const) {
      const problem = limitProblem(one[name]);
      if (problem) problems[`${path}.${name}`] = problem;
    }
    if (one.needsJudge && one.panel) Object.assign(problems, missingInPanel(one.panel, `${path}.panel`));
    else if (asksEmbedder(one) && !one.judge?.model) problems[`${path}.judge.${one.judge?.providerId ? "model" : "provider_id"}`] = "Choose the embedding model.";
    else if (one.needsJudge && one.judge?.providerId === "") problems[`${path}.judge.provider_id`] = "Choose the provider of its judge.";
    else if (one.needsJudge && one.judge?.model === "") problems[`${path}.judge.model`] = "Choose the model that judges.";
  }
  return problems;
}

/** Return how often each judge is called per answer, according to the parameters. */
export const repeatsOf = ({ params }: EvaluatorForm) => (typeof params.repeats === "number" ? params.repeats : 1);

/** Return whether the number of calls per verdict is known. */
export const isCounted = (evaluators: readonly EvaluatorForm[]) => evaluators.every((one) => (one.needsJudge ? one.kind === RUBRIC.kind : !asksEmbedder(one)));
