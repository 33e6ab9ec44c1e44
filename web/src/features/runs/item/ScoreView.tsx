import type { ScoreOut } from "@/api/generated/orchestrator";
import { Chip, type ChipLook } from "@/components/Chip";
import { PlainText } from "@/components/PlainText";
import { formatPercent, formatScore, formatUsd } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { Part, TextBox } from "./Part";

function verdictLook(score: ScoreOut): ChipLook {
  if (score.outcome === null) return { label: score.status === "IN_PROGRESS" ? "Judging" : "Not judged yet", tone: "neutral", icon: "scale" };
  if (score.outcome !== "scored") return { label: score.outcome.replace(/^./, (letter) => letter.toUpperCase()), tone: "bad", icon: "cross" };
  if (score.passed === null) return { label: "Scored", tone: "info", icon: "scale" };
  return score.passed ? { label: "Passed", tone: "good", icon: "check" } : { label: "Not passed", tone: "bad", icon: "cross" };
}

/** What the judge was asked, what it replied, and what that came to. */
export function ScoreView({ score }: { score: ScoreOut }) {
  return (
    <Part title={score.judge_model ? `Verdict of ${harmless(score.judge_model)}` : `Verdict (${score.kind})`}>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-3">
          {score.raw !== null && (
            <p>
              <span className="text-xl font-semibold">{formatScore(score.raw)}</span>
              <span className="text-ink-2"> of {formatScore(score.scale_max)}</span>
              {score.scale_min !== 0 && <span className="text-ink-3"> (from {formatScore(score.scale_min)}, {formatPercent(score.normalised)})</span>}
            </p>
          )}
          <Chip {...verdictLook(score)} />
          {(score.attempts > 1 || score.cost_usd !== null) && (
            <span className="text-xs text-ink-3">
              {[score.attempts > 1 && `attempt ${score.attempts}`, score.cost_usd !== null && formatUsd(score.cost_usd)].filter(Boolean).join(" · ")}
            </span>
          )}
        </div>
        {score.reason && <PlainText text={score.reason} maxLines={20} />}
        {score.error && (
          <div className="rounded-md bg-bad-soft px-3 py-2 text-bad">
            <PlainText text={score.error} maxLines={12} />
          </div>
        )}
        <Folded title="Judge prompt" closed text={score.judge_prompt} />
        <Folded title="Judge reply" text={score.judge_reply} />
      </div>
    </Part>
  );
}

function Folded({ title, text, closed = false }: { title: string; text: string | null; closed?: boolean }) {
  if (!text) return null;
  return (
    <details open={!closed}>
      <summary className="mb-1.5 cursor-pointer text-xs font-medium text-ink-2">{title}</summary>
      <TextBox text={text} />
    </details>
  );
}
