import type { AnalysisOut, ExperimentOut, RoundOut } from "@/api/generated/orchestrator";
import { Icon } from "@/components/Icon";
import { ProgressBar } from "@/components/ProgressBar";
import { formatCount, formatPart, formatUsd, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { formatP, progressOf, savingsOf } from "../experiment-words";

interface Props {
  experiment: ExperimentOut;
  analysis: AnalysisOut | null;
  rounds: readonly RoundOut[];
}

/** The state of the experiment, and what happens next. */
export function StateCard({ experiment, analysis, rounds }: Props) {
  const { progress, stopped, status, sources } = experiment;
  const counted = progressOf(experiment);
  const savings = savingsOf(experiment);
  const sentence = stopped?.sentence ?? analysis?.sentence ?? null;
  return (
    <section aria-label="State" className="card flex flex-col gap-3 px-4 py-4">
      {sentence && <p className="max-w-3xl text-base font-medium wrap-anywhere">{harmless(sentence)}</p>}
      {savings && <p className="inline-flex items-center gap-1.5 font-medium text-good"><Icon name="check" />{savings}</p>}
      {counted && (
        <div>
          <ProgressBar label="Progress" segments={[{ name: "done", value: counted.done, tone: stopped ? "good" : "info" }]} total={counted.total} done={counted.done} />
          <p className="mt-1.5 flex flex-wrap gap-x-4 gap-y-0.5 text-xs text-ink-2">
            <span>{formatPart(counted.done, counted.total)} {counted.unit}{experiment.config.design === "paired" || sources === "none" ? " of each variant" : ""}</span>
            <span>{plural(progress.looks, "look")}</span>
            {sources !== "none" && <span>{plural(progress.rounds, "round")}</span>}
            {sources !== "none" && progress.planned_calls !== null && <span>{formatPart(progress.calls, progress.planned_calls)} calls</span>}
            {progress.cost_usd > 0 && <span>{formatUsd(progress.cost_usd)} spent</span>}
          </p>
        </div>
      )}
      <p className="max-w-3xl text-ink-2" role="status">{nextOf(experiment, analysis, rounds)}</p>
      {status === "PAUSED" && !stopped && experiment.status_reason && (
        <p className="flex items-start gap-2 rounded-md bg-warn-soft px-3 py-2 wrap-anywhere text-warn"><Icon name="alert" className="mt-0.5" />{harmless(experiment.status_reason)}</p>
      )}
      {analysis?.sample_ratio.mismatch && (
        <p role="alert" className="flex items-start gap-2 rounded-md bg-bad-soft px-3 py-2 text-bad">
          <Icon name="alert" className="mt-0.5" />
          <span><strong className="font-semibold">The variants did not get their shares.</strong> The numbers of units differ from the planned shares by more than chance (p-value {formatP(analysis.sample_ratio.p_value)}). Something loses units of one variant, so nothing is decided. Look for it before you trust any figure.</span>
        </p>
      )}
      {analysis?.warnings.map((one) => (
        <p key={one} className="flex items-start gap-2 rounded-md bg-warn-soft px-3 py-2 wrap-anywhere text-warn"><Icon name="alert" className="mt-0.5" />{harmless(one)}</p>
      ))}
    </section>
  );
}

/** Return what happens next. */
function nextOf(experiment: ExperimentOut, analysis: AnalysisOut | null, rounds: readonly RoundOut[]): string {
  const { status, stopped, config, progress, sources } = experiment;
  if (status === "CONCLUDED" || status === "ARCHIVED") return "The experiment is over. Its looks, rounds and cases stay.";
  if (stopped) return "It made no call after that. Next: conclude it with a winner, or with none.";
  if (status === "PAUSED") return "It is paused: no model is called until it is resumed.";
  if (sources === "none") return progress.done === 0 ? "It waits for the first observations." : "It continues with every observation that is sent.";
  const round = rounds.find((one) => one.ended_at === null);
  const left = analysis?.sample_left ?? 0;
  const rest = left > 0 && analysis ? ` About ${formatCount(left)} more cases are needed.` : "";
  const then = config.method === "sequential" ? "After the round, the results are analysed. The experiment stops if it is decided." : "It is decided when the planned sample is complete.";
  return round ? `Round ${round.number} is running: ${formatPart(round.items_done, round.items)} answers. ${then}${rest}` : `The next round begins soon. ${then}${rest}`;
}
