/** Estimate a run from earlier ones: the duration and cost of answers and verdicts. */

import { useEffect, useMemo, useState } from "react";
import type { RunDetail, RunDistribution, RunSummary } from "@/api/generated/orchestrator";
import { ask, useApiDispatch } from "@/api/dispatch";
import { resultsApi } from "@/api/results";
import { runsApi, useListRunsQuery } from "@/api/runs";
import { itsJudges, judgesOf, repeatsOf, type EvaluatorForm } from "@/components/evaluators/evaluator-form";
import { concurrencyOf, epochsOf, runJudges, type RunForm, type TargetForm } from "./run-form";

interface Sum {
  /** Null if unknown. */
  seconds: number | null;
  usd: number | null;
}

export interface Estimate {
  /** The sum over the targets with known figures. */
  answers: Sum;
  judging: Sum;
  /** Models that ran before, of how many models. */
  known: number;
  models: number;
  /** The targets without known figures. */
  unknown: readonly TargetForm[];
}

/** An earlier run with the times of its judges. */
export interface EarlierRun {
  run: RunDetail;
  judges: RunDistribution["judges"];
}

/** The number of earlier runs that are considered. */
const LOOKED_INTO = 100;
const READ_AT_MOST = 8;
/** Limits how many runs of a model are read. A run with only cached answers has no times, so older ones are read, too. */
const OLDER_AT_MOST = 4;

const modelKey = (one: { providerId: string; model: string }) => `${one.providerId} ${one.model}`;

/** Every judge of a run. */
function judgeKeys({ judge, evaluators }: RunSummary): string[] {
  const own = evaluators.flatMap((one) => (one.judge_provider_id && one.judge_model ? [{ providerId: one.judge_provider_id, model: one.judge_model }] : []));
  return [...(judge ? [{ providerId: judge.provider_id, model: judge.model }] : []), ...own].map(modelKey);
}

export function useEstimate(form: RunForm, tasks: number): Estimate {
  const dispatch = useApiDispatch();
  const { evaluators, judge, panel } = form;
  const { data } = useListRunsQuery({ status: ["FINISHED"], limit: LOOKED_INTO }, { refetchOnMountOrArgChange: true });
  const [read, setRead] = useState<Readonly<Record<string, EarlierRun>>>({});
  const models = useMemo(() => [...new Set(form.targets.map(modelKey))], [form.targets]);
  const judgeNames = useMemo(() => judgesOf(evaluators, runJudges({ judge, panel })).map(modelKey), [evaluators, judge, panel]);
  // The newest run of each model, and the newest of each judge.
  const runIds = useMemo(() => {
    const answered = data?.items.filter((one) => one.counts.answered > 0) ?? [];
    const newest = models.map((model) => {
      const of = answered.filter((one) => one.targets.some((target) => modelKey({ providerId: target.provider_id ?? "", model: target.model }) === model));
      return of.slice(0, OLDER_AT_MOST).find((one) => { const known = read[one.id]; return !known || resultIn(known, model) !== undefined; });
    });
    newest.push(...judgeNames.map((name) => answered.find((one) => one.counts.judged > 0 && judgeKeys(one).includes(name))));
    return [...new Set(newest.flatMap((one) => one?.id ?? []))].slice(-READ_AT_MOST);
  }, [data, models, judgeNames, read]);
  useEffect(() => {
    const { getRun } = runsApi.endpoints;
    const { getRunDistribution } = resultsApi.endpoints;
    for (const runId of runIds) {
      if (read[runId]) continue;
      const fresh = { forceRefetch: true };
      const asked = Promise.all([ask(dispatch(getRun.initiate({ runId }, fresh))), ask(dispatch(getRunDistribution.initiate({ runId }, fresh)))]);
      // The form works without an estimate, so an error is ignored.
      asked.then(([run, { judges }]) => setRead((now) => ({ ...now, [runId]: { run, judges } })), () => undefined);
    }
  }, [dispatch, runIds, read]);
  return useMemo(() => estimate(form, tasks, runIds.flatMap((id) => read[id] ?? [])), [form, tasks, runIds, read]);
}

export function estimate(form: RunForm, tasks: number, earlier: readonly EarlierRun[]): Estimate {
  const known = new Set<string>();
  const answers: Sum = { seconds: null, usd: null };
  let items = 0;
  const unknown: TargetForm[] = [];
  const secondsBy = new Map<string, number>();
  for (const target of form.targets) {
    const itsItems = tasks * epochsOf(form, target);
    items += itsItems;
    const result = resultOf(earlier, target);
    if (!result) {
      unknown.push(target);
      continue;
    }
    known.add(modelKey(target));
    if (result.mean_time_ms !== null) secondsBy.set(target.providerId, (secondsBy.get(target.providerId) ?? 0) + (itsItems * result.mean_time_ms) / 1000 / concurrencyOf(form, target));
    if (result.cost_usd !== null && result.priced > 0) answers.usd = (answers.usd ?? 0) + (itsItems * result.cost_usd) / result.priced;
  }
  // Side by side, the answers take as long as those of the slowest provider, or as all of them shared out.
  const seconds = [...secondsBy.values()];
  if (seconds.length > 0) answers.seconds = Math.max(...seconds, seconds.reduce((sum, one) => sum + one, 0) / (form.parallelGroups ?? 1));
  return { answers, judging: judging(form, items, earlier), known: known.size, models: new Set(form.targets.map(modelKey)).size, unknown };
}

function resultOf(earlier: readonly EarlierRun[], target: { providerId: string; model: string }) {
  for (const one of earlier) {
    const result = resultIn(one, modelKey(target));
    if (result) return result;
  }
  return undefined;
}

/** Return the figures of a model in a run, if its answers were timed. */
function resultIn({ run }: EarlierRun, model: string) {
  const same = run.targets.find((one) => modelKey({ providerId: one.provider_id ?? "", model: one.model }) === model);
  return same && run.results.find((one) => one.target_id === same.id && one.mean_time_ms !== null);
}

/** Add the verdicts on each answer, at the run's concurrency, for evaluators with known judges. */
function judging(form: RunForm, items: number, earlier: readonly EarlierRun[]): Sum {
  const sum: Sum = { seconds: null, usd: null };
  for (const evaluator of form.evaluators) {
    for (const judge of itsJudges(evaluator, runJudges(form))) {
      const one = verdictOf(evaluator, judge, earlier);
      if (!one) continue;
      const verdicts = items * repeatsOf(evaluator);
      sum.seconds = (sum.seconds ?? 0) + (verdicts * one.timeMs) / 1000 / (form.limits.concurrency ?? 1);
      if (one.usd !== null) sum.usd = (sum.usd ?? 0) + verdicts * one.usd;
    }
  }
  return sum;
}

/** Return the time and cost of a verdict by this judge, from the same kind of evaluator if it was used. */
function verdictOf({ kind }: EvaluatorForm, judge: { providerId: string; model: string }, earlier: readonly EarlierRun[]): { timeMs: number; usd: number | null } | null {
  for (const { run, judges } of earlier) {
    const took = judges.find((one) => one.provider_id === judge.providerId && one.model === judge.model);
    if (!took) continue;
    const by = run.evaluators.filter((one) => one.judge_provider_id === judge.providerId && one.judge_model === judge.model);
    const asked = by.find((one) => one.kind === kind) ?? by[0];
    const verdicts = asked ? asked.asked - asked.pending : 0;
    return { timeMs: took.mean_time_ms, usd: asked?.cost_usd != null && verdicts > 0 ? asked.cost_usd / verdicts : null };
  }
  return null;
}
