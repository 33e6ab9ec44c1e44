import { lazy, Suspense } from "react";
import type { ItemDetail } from "@/api/generated/orchestrator";
import { CheckField, SelectField } from "@/components/Field";
import { loadCode } from "@/live/reach";
import { comparisonsOf, type Target } from "./against";
import { TextBox } from "./Part";

const ReferenceDiff = lazy(() => loadCode(() => import("./ReferenceDiff")));
const TargetDiff = lazy(() => loadCode(() => import("./TargetDiff")));

const BOX = "rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs leading-5";

interface Props {
  item: ItemDetail;
  answer: string;
  /** The targets of the run. */
  targets: readonly Target[];
  against: string | null;
  onAgainst: ((value: string | null) => void) | undefined;
}

/** An answer as it is, or with its differences from a reference or from the answer of another target. */
export function AnswerText({ item, answer, targets, against, onAgainst }: Props) {
  const plain = <TextBox text={answer} />;
  const comparisons = onAgainst ? comparisonsOf(item, targets) : [];
  const [first] = comparisons;
  if (!onAgainst || !first) return plain;
  // Another case may have other references.
  const chosen = against === null ? null : (comparisons.find(({ value }) => value === against) ?? first);
  return (
    <>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        <CheckField label="Show differences" checked={chosen !== null} onChange={(isOn) => onAgainst(isOn ? first.value : null)} className="text-xs" />
        {chosen && comparisons.length > 1 && <SelectField label="Against" className="w-52 max-w-full" value={chosen.value} options={comparisons} onChange={onAgainst} />}
      </div>
      {!chosen ? plain : (
        <Suspense fallback={plain}>
          <div>
            {chosen.base.kind === "reference" ? <ReferenceDiff reference={chosen.base.reference} answer={answer} className={BOX} /> : <TargetDiff item={item} target={chosen.base.target} answer={answer} className={BOX} />}
          </div>
        </Suspense>
      )}
    </>
  );
}
