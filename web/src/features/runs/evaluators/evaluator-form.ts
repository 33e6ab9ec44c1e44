/** Evaluators as they are being chosen, and what becomes of them: a request, and what is missing. */

import type { EvaluatorInfo } from "@/api/generated/config-api";
import type { EvaluatorInput, EvaluatorOut, RunDetail } from "@/api/generated/orchestrator";
import { missingInPanel, panelOf, toPanel, type ModelChoice, type PanelForm } from "./panel-form";

export interface EvaluatorForm {
  /** For lists only: two of one kind are two. */
  key: string;
  kind: string;
  title: string;
  /** It asks a model that writes: the run's judge, or one of its own. */
  needsJudge: boolean;
  name: string;
  params: Readonly<Record<string, unknown>>;
  /** Null: nothing is said, so that it counts once. */
  weight: number | null;
  required: boolean;
  passThreshold: number | null;
  /** Null: the run's. */
  judge: ModelChoice | null;
  /** Several judges instead of one. */
  panel: PanelForm | null;
}

/** The value of the parameter `embedding` with which the vectors are a provider's. */
const BY_PROVIDER = "provider";

/** Whether it asks a provider's embedding model, which has to be named with it: the run's judge is a model that writes. */
export const asksEmbedder = ({ needsJudge, params }: Pick<EvaluatorForm, "needsJudge" | "params">) => !needsJudge && params.embedding === BY_PROVIDER;

/** What a run is scored by when nothing is said. */
const RUBRIC = { kind: "rubric", title: "Rubric", needs_judge: true } as const;

export function newEvaluator(info: Pick<EvaluatorInfo, "kind" | "title" | "needs_judge">, key: string): EvaluatorForm {
  return { key, kind: info.kind, title: info.title, needsJudge: info.needs_judge, name: "", params: {}, weight: null, required: true, passThreshold: null, judge: null, panel: null };
}

export const usualEvaluators = (): EvaluatorForm[] => [newEvaluator(RUBRIC, RUBRIC.kind)];

/** The rubric alone, with nothing set. */
function isUsual(evaluators: readonly EvaluatorForm[]): boolean {
  const [first] = evaluators;
  return evaluators.length === 1 && first !== undefined && JSON.stringify(toInput(first)) === JSON.stringify({ kind: RUBRIC.kind });
}

/** What an earlier run was told to be scored by. */
export function evaluatorsOf(run: RunDetail): EvaluatorForm[] {
  const chosen = run.evaluators.filter((one) => one.primary && !one.member);
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
  };
}

/** Nothing where the server would take the same by itself. */
export function toInputs(evaluators: readonly EvaluatorForm[]): EvaluatorInput[] | null {
  return isUsual(evaluators) ? null : evaluators.map(toInput);
}

export function toInput(form: EvaluatorForm): EvaluatorInput {
  return {
    kind: form.kind,
    ...(form.name.trim() !== "" && { name: form.name.trim() }),
    ...(Object.keys(form.params).length > 0 && { params: form.params }),
    ...(form.weight !== null && { weight: form.weight }),
    ...(!form.required && { required: false }),
    ...(form.passThreshold !== null && { pass_threshold: form.passThreshold }),
    ...((form.needsJudge || asksEmbedder(form)) && form.judge && { judge: { provider_id: form.judge.providerId, model: form.judge.model } }),
    ...(form.needsJudge && form.panel && { panel: toPanel(form.panel) }),
  };
}

/** Whether any of them asks the run's judge. */
export const askRunJudge = (evaluators: readonly EvaluatorForm[]) => evaluators.some((one) => one.needsJudge && one.judge === null && one.panel === null);

/** Every judge that is asked, each once, with the run's own where they are meant. */
export function judgesOf(evaluators: readonly EvaluatorForm[], ofRun: readonly ModelChoice[]): ModelChoice[] {
  return distinct(evaluators.flatMap((one) => itsJudges(one, ofRun)));
}

/** Those that score by one evaluator: its own, or else the run's. */
export function itsJudges({ needsJudge, panel, judge }: EvaluatorForm, ofRun: readonly ModelChoice[]): readonly ModelChoice[] {
  return needsJudge ? (panel?.judges ?? (judge ? [judge] : ofRun)) : [];
}

/** Embedding models of providers, each once. They judge nobody. */
export const embeddersOf = (evaluators: readonly EvaluatorForm[]) => distinct(evaluators.flatMap((one) => (asksEmbedder(one) && one.judge ? [one.judge] : [])));

const distinct = (models: readonly ModelChoice[]): ModelChoice[] => [...new Map(models.map((one) => [`${one.providerId} ${one.model}`, one])).values()];

/** What is missing, by the path of the field it is said beside. */
export function missingIn(evaluators: readonly EvaluatorForm[]): Record<string, string> {
  if (evaluators.length === 0) return { evaluators: "Choose at least one evaluator." };
  const found: Record<string, string> = {};
  for (const [index, one] of evaluators.entries()) {
    const path = `evaluators.${index}`;
    if (one.needsJudge && one.panel) Object.assign(found, missingInPanel(one.panel, `${path}.panel`));
    else if (asksEmbedder(one) && !one.judge?.model) found[`${path}.judge.${one.judge?.providerId ? "model" : "provider_id"}`] = "Choose the embedding model.";
    else if (one.needsJudge && one.judge?.providerId === "") found[`${path}.judge.provider_id`] = "Choose the provider of its judge.";
    else if (one.needsJudge && one.judge?.model === "") found[`${path}.judge.model`] = "Choose the model that judges.";
  }
  return found;
}

/** How often each of its judges is asked about an answer, as far as its parameters tell. */
export const repeatsOf = ({ params }: EvaluatorForm) => (typeof params.repeats === "number" ? params.repeats : 1);

/** Some kinds take more calls than a verdict each, and only the judge knows how many. */
export const isCounted = (evaluators: readonly EvaluatorForm[]) => evaluators.every((one) => (one.needsJudge ? one.kind === RUBRIC.kind : !asksEmbedder(one)));
