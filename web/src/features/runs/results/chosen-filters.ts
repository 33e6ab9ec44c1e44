/** The active filters of the items, in words. States and the search text are shown elsewhere. */

import type { RunDetail } from "@/api/generated/orchestrator";
import type { ItemFilter } from "@/api/results";
import { formatLatency } from "@/lib/format";
import { overallScale, rangeInWords } from "../overall-scale";
import { ANSWER_LABELS, failureLabel } from "../run-words";
import type { FilterParam } from "./item-filter";

export interface ChosenFilter {
  /** The URL parameters to remove with this filter. */
  names: readonly FilterParam[];
  label: string;
}

const several = (name: FilterParam, word: string, values: readonly string[] | null | undefined): ChosenFilter[] => (values?.length ? [{ names: [name], label: `${word}: ${values.join(", ")}` }] : []);
const either = (name: FilterParam, value: boolean | null | undefined, yes: string, no: string): ChosenFilter[] => (value == null ? [] : [{ names: [name], label: value ? yes : no }]);

export function chosenFilters(run: Pick<RunDetail, "targets" | "evaluators">, filter: ItemFilter): ChosenFilter[] {
  const labelOf = (id: string) => run.targets.find((one) => one.id === id)?.label ?? id;
  const { overallMin, overallBelow, timeMin, timeBelow, scoreMin, scoreMax } = filter;
  return [
    ...several("target_id", "Target", filter.targetId?.map(labelOf)),
    ...several("model", "Model", filter.model),
    ...several("category", "Category", filter.category),
    ...several("tag", "Tag", filter.tag),
    ...several("task_id", "Task", filter.taskId ? [filter.taskId] : []),
    ...several("suite_task", "Task of the suite", filter.suiteTask),
    ...several("conversation_id", "Conversation", filter.conversationId ? [filter.conversationId] : []),
    ...(overallMin == null && overallBelow == null ? [] : [{ names: ["overall_min", "overall_below"] as const, label: `Score: ${rangeInWords(overallScale(run.evaluators), overallMin ?? undefined, overallBelow ?? undefined)}` }]),
    ...(timeMin == null && timeBelow == null ? [] : [{ names: ["time_min", "time_below"] as const, label: `Time: ${[timeMin != null && `from ${formatLatency(timeMin)}`, timeBelow != null && `below ${formatLatency(timeBelow)}`].filter(Boolean).join(" and ")}` }]),
    ...(scoreMin == null ? [] : [{ names: ["score_min"] as const, label: `Score from ${scoreMin}` }]),
    ...(scoreMax == null ? [] : [{ names: ["score_max"] as const, label: `Score up to ${scoreMax}` }]),
    ...either("passed", filter.passed, "Passed", "Not passed"),
    ...several("failure_kind", "Failure", filter.failureKind?.map(failureLabel)),
    ...several("failure_cause", "Failure", filter.failureCause?.map(failureLabel)),
    ...several("failure_phase", "Failed in", filter.failurePhase ? [filter.failurePhase === "JUDGING" ? "judging" : "benchmarking"] : []),
    ...either("cached", filter.cached, "From the cache", "Not from the cache"),
    ...either("cut", filter.cut, "Cut at the token limit", "Not cut"),
    ...several("finish_reason", "Finish", filter.finishReason),
    ...several("answer_kind", "Answer", filter.answerKind?.map((kind) => ANSWER_LABELS[kind])),
  ];
}
