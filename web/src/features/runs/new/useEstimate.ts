/** What earlier runs say about this one: how long the answers take, and what they cost. */

import { useEffect, useMemo, useState } from "react";
import type { RunDetail } from "@/api/generated/orchestrator";
import { useApiDispatch } from "@/api/dispatch";
import { runsApi, useListRunsQuery } from "@/api/runs";
import { concurrencyOf, epochsOf, type RunForm } from "./run-form";

export interface Estimate {
  /** Seconds for the answers of the targets that are known; null when none is. */
  seconds: number | null;
  usd: number | null;
  /** Models that ran before, of how many models. */
  known: number;
  models: number;
}

/** So many earlier runs are looked into. */
const LOOKED_INTO = 100;
const READ_AT_MOST = 8;

const modelKey = (one: { providerId: string; model: string }) => `${one.providerId} ${one.model}`;

export function useEstimate(form: RunForm, tasks: number): Estimate {
  const dispatch = useApiDispatch();
  const { data } = useListRunsQuery({ status: ["FINISHED"], limit: LOOKED_INTO }, { refetchOnMountOrArgChange: true });
  const [read, setRead] = useState<Readonly<Record<string, RunDetail>>>({});
  const models = useMemo(() => [...new Set(form.targets.map(modelKey))], [form.targets]);
  // The newest run of each model.
  const runIds = useMemo(() => {
    const newest = new Set<string>();
    for (const model of models) {
      const run = data?.items.find((one) => one.counts.answered > 0 && one.targets.some((target) => modelKey({ providerId: target.provider_id, model: target.model }) === model));
      if (run) newest.add(run.id);
    }
    return [...newest].slice(0, READ_AT_MOST);
  }, [data, models]);
  useEffect(() => {
    for (const runId of runIds) {
      if (read[runId]) continue;
      const request = dispatch(runsApi.endpoints.getRun.initiate({ runId }, { subscribe: false, forceRefetch: true }));
      // An estimate is a help: without it the form works as well.
      request.unwrap().then((run) => setRead((now) => ({ ...now, [runId]: run })), () => undefined);
    }
  }, [dispatch, runIds, read]);
  return useMemo(() => estimate(form, tasks, runIds.flatMap((id) => read[id] ?? [])), [form, tasks, runIds, read]);
}

export function estimate(form: RunForm, tasks: number, runs: readonly RunDetail[]): Estimate {
  const known = new Set<string>();
  let [seconds, usd]: [number | null, number | null] = [null, null];
  for (const target of form.targets) {
    const found = earlier(runs, target);
    if (!found) continue;
    known.add(modelKey(target));
    const items = tasks * epochsOf(form, target);
    if (found.mean_time_ms !== null) seconds = (seconds ?? 0) + (items * found.mean_time_ms) / 1000 / concurrencyOf(form, target);
    if (found.cost_usd !== null && found.priced > 0) usd = (usd ?? 0) + (items * found.cost_usd) / found.priced;
  }
  return { seconds, usd, known: known.size, models: new Set(form.targets.map(modelKey)).size };
}

function earlier(runs: readonly RunDetail[], target: { providerId: string; model: string }) {
  for (const run of runs) {
    const same = run.targets.find((one) => one.provider_id === target.providerId && one.model === target.model);
    const result = same && run.results.find((one) => one.target_id === same.id && one.mean_time_ms !== null);
    if (result) return result;
  }
  return undefined;
}
