import { useListEvaluatorsQuery } from "@/api/generated/config-api/evaluators";
import type { CreateRun } from "@/api/generated/orchestrator";
import { useGetBudgetQuery } from "@/api/usage";
import { newEvaluator, usualEvaluators, type EvaluatorForm } from "@/components/evaluators/evaluator-form";

/** Return the evaluators with which a new run's form begins: those that the organisation has set, else the rubric. */
export function useDefaultEvaluators(): { isLoading: boolean; evaluators: EvaluatorForm[] } {
  const kinds = useKinds();
  const catalogue = useListEvaluatorsQuery(undefined, { skip: kinds.list.length === 0 });
  const infos = catalogue.data?.items ?? [];
  const chosen = kinds.list.flatMap((kind) => infos.filter((one) => one.kind === kind));
  return { isLoading: kinds.isLoading || catalogue.isLoading, evaluators: chosen.length === 0 ? usualEvaluators() : chosen.map((info) => newEvaluator(info, info.kind)) };
}

/** Return the request with its evaluators named: where an organisation has set some, leaving them out means those. */
export function useExplicitEvaluators(body: CreateRun): CreateRun {
  const kinds = useKinds();
  return kinds.list.length === 0 || body.evaluators != null ? body : { ...body, evaluators: [{ kind: "rubric" }] };
}

const NONE: readonly string[] = [];

function useKinds() {
  const { data, isLoading } = useGetBudgetQuery();
  return { isLoading, list: data?.default_evaluators ?? NONE };
}
