import type { ColumnComparison, Verdict } from "@/api/generated/orchestrator";
import { Icon, type IconName } from "@/components/Icon";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { formatPoints, range } from "../words";

const VERDICTS: Record<Verdict | "not over", { tone: string; icon: IconName }> = {
  better: { tone: "text-good", icon: "up" },
  worse: { tone: "text-bad", icon: "down" },
  "not separable": { tone: "text-ink-3", icon: "scale" },
  "low coverage": { tone: "text-warn", icon: "alert" },
  "not over": { tone: "text-info", icon: "clock" },
};

type Evaluators = ColumnComparison["evaluators"];
/** A suite has an evaluator for each task: more than these are folded. */
const FEW = 8;

/** Each evaluator's own figures, also when the overall scores use different measures. */
export function ByEvaluator({ evaluators }: { evaluators: Evaluators }) {
  if (evaluators.length <= FEW) return <List evaluators={evaluators} />;
  return (
    <details className="text-xs">
      <summary className="cursor-pointer text-ink-2">{countWords(evaluators)}</summary>
      <div className="pt-2"><List evaluators={evaluators} /></div>
    </details>
  );
}

/** Say how many evaluators have each verdict: "40 evaluators: 2 worse, 38 not separable". */
function countWords(evaluators: Evaluators): string {
  const counts = (Object.keys(VERDICTS) as (keyof typeof VERDICTS)[])
    .map((verdict) => ({ verdict, count: evaluators.filter(({ score }) => (score.verdict ?? "not over") === verdict).length }))
    .filter(({ count }) => count > 0);
  return `${plural(evaluators.length, "evaluator")}: ${counts.map(({ verdict, count }) => `${formatCount(count)} ${verdict}`).join(", ")}`;
}

function List({ evaluators }: { evaluators: Evaluators }) {
  return (
    <ul aria-label="By evaluator" className="flex flex-col gap-1 text-xs">
      {evaluators.map(({ name, gates, score }) => {
        const verdict = score.verdict ?? "not over";
        const { tone, icon } = VERDICTS[verdict];
        const bounds = score.simultaneous ? `, ${range(score.simultaneous)} points` : "";
        const title = `${verdict}, ${plural(score.cases, "case")}${bounds}, adjusted for all ${gates ? "gating evaluators (Holm)" : "secondary evaluators (Benjamini–Hochberg)"}`;
        return (
          <li key={name} title={title} className="flex items-center gap-1.5">
            <Icon name={icon} className={`size-3.5 shrink-0 ${tone}`} />
            <span className="min-w-0 flex-1 truncate">{harmless(name)}{!gates && <span className="text-ink-3"> · secondary</span>}</span>
            <span className="tabular-nums">{score.mean === null ? "–" : formatPoints(score.mean)}</span>
            <span className={tone}>{verdict}</span>
          </li>
        );
      })}
    </ul>
  );
}
