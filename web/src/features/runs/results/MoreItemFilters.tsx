import type { RunDetail } from "@/api/generated/orchestrator";
import { MultiSelect } from "@/components/Combobox";
import { NumberField, SelectField } from "@/components/Field";
import { harmless } from "@/lib/plain-text";
import { ANSWER_KINDS, ANSWER_LABELS } from "../run-words";
import type { FilterParam, ItemView } from "./item-filter";

const KINDS = ANSWER_KINDS.map((value) => ({ value, label: ANSWER_LABELS[value] }));
const PASSED = [
  { value: "", label: "Any verdict" },
  { value: "true", label: "Passed" },
  { value: "false", label: "Not passed" },
] as const;

const CUT = [
  { value: "", label: "Any end" },
  { value: "true", label: "Cut at the token limit" },
  { value: "false", label: "Not cut" },
] as const;

interface Props {
  run: RunDetail;
  filter: ItemView["filter"];
  /** Shows a field for the targets. */
  hasTargets: boolean;
  onChange: (name: FilterParam, values: readonly string[]) => void;
}

/** The less common filters. */
export function MoreItemFilters({ run, hasTargets, filter: { targetId, category, scoreMin, scoreMax, timeMin, timeBelow, passed, cut, answerKind }, onChange }: Props) {
  const categories = run.categories.map((one) => ({ value: one.category, label: harmless(one.category) }));
  const number = (name: FilterParam) => (value: number | null) => onChange(name, value === null ? [] : [String(value)]);
  return (
    <div className="grid grid-cols-2 gap-3 md:grid-cols-[minmax(0,1.5fr)_minmax(0,1.5fr)_1fr_1fr_minmax(8rem,1fr)]">
      {hasTargets && <MultiSelect className="col-span-2 md:col-span-1" label="Targets" placeholder="All" choices={run.targets.map((one) => ({ value: one.id, label: harmless(one.label) }))} selected={targetId ?? []} onChange={(next) => onChange("target_id", next)} />}
      <MultiSelect className="col-span-2 md:col-span-1" label="Categories" placeholder="All" choices={categories} selected={category ?? []} onChange={(next) => onChange("category", next)} />
      <NumberField label="Score from" value={scoreMin ?? null} onChange={number("score_min")} />
      <NumberField label="Score to" value={scoreMax ?? null} onChange={number("score_max")} />
      <NumberField label="Time from (ms)" min={0} value={timeMin ?? null} onChange={number("time_min")} />
      <NumberField label="Time below (ms)" min={0} value={timeBelow ?? null} onChange={number("time_below")} />
      <SelectField className="col-span-2 md:col-span-1" label="Verdict" options={PASSED} value={passed === undefined ? "" : passed ? "true" : "false"} onChange={(next) => onChange("passed", next === "" ? [] : [next])} />
      <SelectField className="col-span-2 md:col-span-1" label="End of the answer" options={CUT} value={cut === undefined ? "" : cut ? "true" : "false"} onChange={(next) => onChange("cut", next === "" ? [] : [next])} />
      <MultiSelect className="col-span-2 md:col-span-1" label="Kinds of answers" placeholder="All" choices={KINDS} selected={answerKind ?? []} onChange={(next) => onChange("answer_kind", next)} />
    </div>
  );
}
