import type { ColumnComparison, ColumnDifference, Comparison } from "@/api/generated/orchestrator";
import { Button, ButtonLink } from "@/components/Button";
import { Chip } from "@/components/Chip";
import { compareColumnsHref } from "@/lib/compare-link";
import { formatCount, formatPercent } from "@/lib/format";
import { excerpt, harmless } from "@/lib/plain-text";
import { showing } from "../compare-view";
import { ByEvaluator } from "../columns/ByEvaluator";
import { PassSentence } from "../PassSentence";
import { verdictLook, verdictWords, zeroWords } from "../words";

const PAIRED: Record<NonNullable<ColumnComparison["paired_by"]>, string> = {
  hand: "paired by hand",
  "only targets": "each run’s only target",
  label: "same label",
  "model and parameters": "same model and parameters",
  model: "same model",
};
const LONGEST = 60;

interface Props {
  comparisons: readonly Comparison[];
  shown: Comparison;
  onShow: (targetId: string) => void;
}

/** One row per pair: targets, differences and the verdict. */
export function PairsTable({ comparisons, shown, onShow }: Props) {
  return (
    <ul aria-label="Pairs" className="divide-y divide-line">
      {comparisons.map((each) => (
        <Pair key={each.columns[1]?.target_id} each={each} isShown={each === shown} several={comparisons.length > 1} onShow={onShow} />
      ))}
    </ul>
  );
}

function Pair({ each, isShown, several, onShow }: { each: Comparison; isShown: boolean; several: boolean; onShow: (targetId: string) => void }) {
  const [before, here] = each.columns;
  const [one] = each.comparisons;
  if (!before || !here || !one) return null;
  const { score } = one;
  const figures = compareColumnsHref(each.columns.map((column) => ({ runId: column.run_id, targetId: column.target_id })));
  return (
    <li className={`grid gap-x-6 gap-y-2 px-4 py-3 md:grid-cols-[minmax(0,1fr)_minmax(0,1.6fr)_8.5rem] print:break-inside-avoid ${isShown && several ? "bg-selected" : ""}`}>
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">
          {harmless(here.label)}
          {before.label !== here.label && <span className="font-normal text-ink-2"> against {harmless(before.label)}</span>}
        </p>
        {one.paired_by && <p className="text-xs text-ink-3">{PAIRED[one.paired_by]}</p>}
        <Differences differs={one.differs} />
      </div>
      <div className="flex min-w-0 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Chip {...verdictLook(one)} />
          {score && (
            <span className="text-xs text-ink-2">
              {formatPercent(score.mean_baseline)} → {formatPercent(score.mean_here)} · {formatCount(score.better)} better, {formatCount(score.worse)} worse, {formatCount(score.equal)} equal
              {one.missing > 0 && `, ${formatCount(one.missing)} missing`}
            </span>
          )}
        </p>
        <p>{harmless(verdictWords(one))}</p>
        {one.passes && <PassSentence passes={one.passes} comparison={each} at={one.column} searchOf={(show) => String(showing(new URLSearchParams(figures.split("?")[1]), show, one.column))} />}
        {zeroWords(one) && <p className="text-xs text-ink-2">{zeroWords(one)}</p>}
        {one.questions_differ > 0 && <p className="text-xs text-warn">{one.questions_differ === 1 ? "One case asks" : `${formatCount(one.questions_differ)} cases ask`} another question than the baseline’s.</p>}
        {one.references_note && <p className="text-xs text-warn">{one.references_note}</p>}
        {one.evaluators.length > 0 && <ByEvaluator evaluators={one.evaluators} />}
      </div>
      <div className="flex flex-wrap items-start gap-2 md:flex-col md:flex-nowrap md:items-stretch print:hidden">
        {several && (
          <Button aria-pressed={isShown} onClick={() => onShow(here.target_id)}>
            {isShown ? "Cases shown" : "Show its cases"}
          </Button>
        )}
        <ButtonLink kind="ghost" to={figures} aria-label={`Figures of ${harmless(here.label)} side by side`}>
          Figures
        </ButtonLink>
      </div>
    </li>
  );
}

function Differences({ differs }: { differs: readonly ColumnDifference[] }) {
  if (differs.length === 0) return <p className="text-xs text-ink-3">Model and parameters are the same.</p>;
  return (
    <ul aria-label="What differs" className="text-xs text-ink-2">
      {differs.map(({ name, baseline, here }) => (
        <li key={name} className="wrap-anywhere">
          {harmless(name.replaceAll("_", " "))}: {short(baseline)} → {short(here)}
        </li>
      ))}
    </ul>
  );
}

function short(value: string | null): string {
  return value === null ? "not set" : harmless(excerpt(value, LONGEST, 1).text);
}
