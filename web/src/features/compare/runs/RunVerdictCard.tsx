import { Link } from "react-router";
import type { Comparison, RunDetail, RunVerdict } from "@/api/generated/orchestrator";
import { Chip } from "@/components/Chip";
import { formatCount, formatPercent, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { ChangedReferences } from "../ChangedReferences";
import { costSentence, speedSentence } from "../verdict-sentences";
import { verdictLook, verdictWords } from "../words";

interface Props {
  run: RunVerdict;
  comparisons: readonly Comparison[];
  baseline: RunDetail;
}

/** The run over all its pairs, in one verdict. */
export function RunVerdictCard({ run, comparisons, baseline }: Props) {
  const { score } = run;
  return (
    <section aria-label="The run" className="card flex flex-col gap-2 px-4 py-3 print:break-inside-avoid">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 text-base font-semibold wrap-anywhere">
          <Link to={`/runs/${run.run_id}`} className="hover:text-accent hover:underline">{harmless(run.run_name)}</Link>
          <span className="font-normal text-ink-2"> against </span>
          <Link to={`/runs/${baseline.id}`} className="hover:text-accent hover:underline">{harmless(baseline.name)}</Link>
        </h2>
        <Chip {...verdictLook(run)} />
      </div>
      <p>{harmless(verdictWords(run))}</p>
      {score && score.mean_here !== null && (
        <p className="text-xs text-ink-2">
          Mean score {formatPercent(score.mean_here)}, baseline {formatPercent(score.mean_baseline)}: over {plural(run.pairs, "pair")} of targets with {plural(score.cases, "case")}
          {score.clusters !== score.cases && ` in ${plural(score.clusters, "cluster")}`}; {formatCount(score.better)} better, {formatCount(score.worse)} worse, {formatCount(score.equal)} equal.
        </p>
      )}
      {[...notesOf(comparisons)].map((note) => <ChangedReferences key={note} note={note} />)}
      <CostAndSpeed comparisons={comparisons} />
      {opposed(run, comparisons) && <p className="text-xs text-warn">{opposed(run, comparisons)}</p>}
      <p className="text-xs text-ink-3">
        Points are hundredths of the scale. {run.weighting === null ? "Each case of each pair counts alike" : harmless(run.weighting.replace(/\.$/, ""))}, and cases that pairs share are one cluster.
        {run.pairs > 1 && " The verdicts of the run and of its pairs allow for each other (Holm)."}
      </p>
    </section>
  );
}

/** The sentences on changed references; pairs of the same cases share one. */
const notesOf = (comparisons: readonly Comparison[]) => new Set(comparisons.flatMap((each) => each.comparisons.flatMap((one) => one.references_note ?? [])));

/** The cost and the speed of each pair's answers. */
function CostAndSpeed({ comparisons }: { comparisons: readonly Comparison[] }) {
  return comparisons.map((each) => {
    const [base, here] = each.columns;
    const text = base && here ? [costSentence(here, base), speedSentence(here, base)].filter((one) => one !== null).join(" ") : "";
    if (!here || text === "") return null;
    return <p key={here.target_id} className="text-ink-2 wrap-anywhere">{comparisons.length > 1 && `${harmless(here.label)}: `}{text}</p>;
  });
}

/** Name the pairs with another verdict: the run's verdict does not hold for each pair. */
function opposed(run: RunVerdict, comparisons: readonly Comparison[]): string | null {
  const others = comparisons.flatMap((each) =>
    each.comparisons.flatMap((one) => {
      const verdict = one.score?.verdict;
      const tells = verdict === "better" || verdict === "worse";
      return tells && verdict !== run.score?.verdict ? [`${harmless(each.columns[one.column]?.label ?? "")} is ${verdict}`] : [];
    }),
  );
  return others.length > 0 ? `Not every pair goes this way: ${others.join(", ")}.` : null;
}
