import type { RunDetail, RunPhase } from "@/api/generated/orchestrator";
import type { Tone } from "@/components/Chip";
import { ProgressBar } from "@/components/ProgressBar";
import { formatCount, formatDuration, formatPercent, formatRate, plural } from "@/lib/format";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { askedCount, overCount, phaseProgress, progressSegments } from "../progress-segments";
import { PHASE_LABELS } from "../run-words";
import { CurrentWork } from "./CurrentWork";
import { remaining, type Remaining, type Span } from "./remaining";

const DOTS: Partial<Record<Tone, string>> = { good: "bg-good-fill", bad: "bg-bad-fill", info: "bg-info-fill" };

export function ProgressPanel({ run, store }: { run: RunDetail; store: RunStore }) {
  const progress = useValue(store.progress) ?? { ...run.counts, phase: run.phase, current: run.current, others: run.others };
  const paces = useValue(store.pace.current);
  const status = useValue(store.head)?.status ?? run.status;
  const running = status === "RUNNING";
  const { items, answered, judged, failed, skipped = 0 } = progress;
  const asked = askedCount(progress);
  const { done, verb } = phaseProgress(progress.phase, progress);
  return (
    <section aria-label="Progress" className="card px-4 pt-3.5 pb-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p>
          <span className="text-lg font-semibold">{formatPercent(asked === 0 ? null : done / asked)}</span>
          <span className="ml-2 text-ink-2">of {plural(asked, "item")} {verb}{skipped > 0 && `, ${formatCount(skipped)} skipped`}</span>
        </p>
        <p className="text-ink-2">
          {running && <TimeLeft left={remaining({ ...run, phase: progress.phase }, paces)} phase={progress.phase} />}
        </p>
      </div>
      <ProgressBar className="mt-2.5 h-2.5" label="Progress of the run" segments={progressSegments(progress)} total={items} done={overCount(progress)} />
      <dl className="mt-2.5 flex flex-wrap gap-x-6 gap-y-1 text-xs">
        <Count name="Answered" value={answered} tone="info" />
        <Count name="Judged" value={judged} tone="good" />
        <Count name="Failed" value={failed} tone="bad" />
        {skipped > 0 && <Count name="Skipped" value={skipped} />}
        <Count name="Items" value={items} />
      </dl>
      <CurrentWork at={progress.current ? [progress.current, ...(progress.others ?? [])] : []} status={status} queue={run.queue} />
    </section>
  );
}

/** The progress in one line: after the end, and on all views but the results. */
export function ProgressLine({ run, store }: { run: RunDetail; store: RunStore }) {
  const progress = useValue(store.progress) ?? { ...run.counts, phase: run.phase };
  const { items, failed, skipped = 0 } = progress;
  const asked = askedCount(progress);
  const { done, verb } = phaseProgress(progress.phase, progress);
  return (
    <section aria-label="Progress" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-2">
      <div className="w-40">
        <ProgressBar className="h-1.5" label="Progress of the run" segments={progressSegments(progress)} total={items} done={overCount(progress)} />
      </div>
      <p>
        <span className="font-medium text-ink">{formatPercent(asked === 0 ? null : done / asked)}</span> of {plural(asked, "item")} {verb}
        {failed > 0 && <>, <span className="font-medium text-bad">{formatCount(failed)} failed</span></>}
        {skipped > 0 && `, ${formatCount(skipped)} skipped`}
      </p>
    </section>
  );
}

/** The range of the remaining time of this phase over all models, and the step that follows. */
function TimeLeft({ left: { now, toCome, next, perMinute }, phase }: { left: Remaining; phase: RunPhase }) {
  const models = toCome === 0 ? "" : `, if the ${plural(toCome, "model")} to come ${toCome === 1 ? "is" : "are"} alike`;
  return (
    <>
      {perMinute !== null && <><span className="font-medium text-ink">{formatRate(perMinute)}</span> per minute · </>}
      {now ? <><span className="font-medium text-ink">{spanInWords(now)}</span> left in {PHASE_LABELS[phase].toLowerCase()}{models}</> : phase === "JUDGING" ? "The remaining time is known after the first verdicts" : "Measuring the pace…"}
      {next === "judge" && " · then judging, whose duration is not known yet"}
      {next === "programs" && " · then scores by program, at once"}
    </>
  );
}

function spanInWords({ low, high }: Span): string {
  const [from, to] = [formatDuration(low), formatDuration(high)];
  return from === to ? `about ${to}` : `${from} to ${to}`;
}

function Count({ name, value, tone }: { name: string; value: number; tone?: Tone }) {
  return (
    <div className="flex items-center gap-1.5">
      <dt className="flex items-center gap-1.5 text-ink-2">
        <span aria-hidden="true" className={`size-2 rounded-full ${(tone && DOTS[tone]) ?? "bg-line-strong"}`} />
        {name}
      </dt>
      <dd className="min-w-6 font-medium">{formatCount(value)}</dd>
    </div>
  );
}
