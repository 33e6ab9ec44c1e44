import type { RunDetail } from "@/api/generated/orchestrator";
import type { RunForm } from "../new/run-form";

const LONGEST_NAME = 255;
const SUFFIX = ", reference mended";

/** Return the form of a run that takes every stored answer of `run`, and is compared with it. `form` is that of a copy. */
export function judgedAgain(form: RunForm, run: Pick<RunDetail, "id" | "name">): RunForm {
  return {
    ...form,
    name: run.name.endsWith(SUFFIX) ? run.name : `${run.name.slice(0, LONGEST_NAME - SUFFIX.length)}${SUFFIX}`,
    baselineRunId: run.id,
    limits: { ...form.limits, useCache: true },
    targets: form.targets.map((one) => ({ ...one, limits: { ...one.limits, useCache: null } })),
  };
}

/** Count the answers that the run lacks, and those to a question that was changed. */
export function anewOf({ counts, targets }: Pick<RunDetail, "counts" | "targets">, isQuestionChanged: boolean): number {
  const changed = isQuestionChanged ? targets.reduce((sum, one) => sum + one.epochs, 0) : 0;
  return counts.items - counts.answered + changed;
}
