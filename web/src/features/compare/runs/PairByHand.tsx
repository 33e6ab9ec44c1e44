import type { BenchmarksCompared, RunDetail } from "@/api/generated/orchestrator";
import { Disclosure } from "@/components/Disclosure";
import { SelectField } from "@/components/Field";
import { harmless } from "@/lib/plain-text";
import { usePairView, withPair } from "./pair-view";

interface Props {
  baseline: RunDetail;
  candidate: RunDetail;
  /** The comparison with its pairs; null if nothing could be paired. */
  compared: BenchmarksCompared | null;
  open: boolean;
}

const BY_ITSELF = "";

/** Choose the counterpart of each target of the baseline. */
export function PairByHand({ baseline, candidate, compared, open }: Props) {
  const { pairs, setPairs } = usePairView();
  const labelOf = (id: string | undefined) => candidate.targets.find((one) => one.id === id)?.label;
  const choices = candidate.targets.map((one) => ({ value: one.id, label: harmless(one.label) }));
  return (
    <Disclosure title="Pair by hand" summary={pairs.length > 0 ? `${pairs.length} chosen` : undefined} open={open} className="border-t border-line px-4 py-2 print:hidden">
      <div className="grid gap-3 pb-2 sm:grid-cols-2 lg:grid-cols-3">
        {baseline.targets.map((target) => {
          const paired = labelOf(compared?.comparisons.find((each) => each.columns[0]?.target_id === target.id)?.columns[1]?.target_id);
          const chosen = pairs.find((pair) => pair.baseline_target_id === target.id)?.target_id ?? BY_ITSELF;
          const byItself = { value: BY_ITSELF, label: chosen === BY_ITSELF && paired !== undefined ? `Automatic: ${harmless(paired)}` : "Automatic" };
          return (
            <SelectField
              key={target.id}
              label={`${harmless(target.label)} is compared with`}
              options={[byItself, ...choices]}
              value={chosen}
              onChange={(next) => setPairs(withPair(pairs, target.id, next === BY_ITSELF ? null : next))}
            />
          );
        })}
      </div>
    </Disclosure>
  );
}
