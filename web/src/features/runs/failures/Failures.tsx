import { lazy, Suspense, useMemo, useState } from "react";
import { Link } from "react-router";
import type { RunDetail } from "@/api/generated/orchestrator";
import { Button } from "@/components/Button";
import { Icon } from "@/components/Icon";
import { Message } from "@/components/Message";
import { PlainText } from "@/components/PlainText";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { useItemsHref } from "../results/item-filter";
import { failureLabel, isOver, PHASE_LABELS } from "../run-words";
import { causesOf, type Cause } from "./causes";
import { outcomeWords } from "./outcome-words";
import { useRetry } from "./useRetry";
import { loadCode } from "@/live/reach";

const OtherJudgeDialog = lazy(() => loadCode(async () => ({ default: (await import("./OtherJudgeDialog")).OtherJudgeDialog })));

/** The failures by cause, and a button that retries them after the run. */
export function Failures({ run, store }: { run: RunDetail; store: RunStore }) {
  const index = useValue(store.items.index);
  const status = useValue(store.head)?.status ?? run.status;
  const causes = useMemo(() => (index.counts.FAILED === 0 ? [] : causesOf(index.ids.flatMap((id) => store.items.rows.get(id) ?? []))), [index, store]);
  const retry = useRetry(run.id, store);
  const [judgeFor, setJudgeFor] = useState<Cause | null>(null);
  if (causes.length === 0) {
    return (
      <Section title="Failures">
        <RetryLine store={store} />
        <Message icon="check" title="Nothing failed">
          <p>{isOver(status) ? "Every item has its answer and its scores." : "Failed items appear here, by cause."}</p>
        </Message>
      </Section>
    );
  }
  const failed = causes.reduce((sum, one) => sum + one.ids.length, 0);
  const retryable = status === "FINISHED" && !retry.busy;
  return (
    <Section
      title="Failures"
      aside={
        <div className="flex flex-wrap items-center gap-3">
          <p className="text-xs text-ink-2">{status === "FINISHED" ? plural(failed, "item") : status === "CANCELLED" ? `${plural(failed, "item")}; a cancelled run cannot be continued` : "Retries are possible once the run is finished"}</p>
          {status === "FINISHED" && <Button icon="retry" right="runs:create" disabled={!retryable} onClick={() => void retry.again()}>Try all again</Button>}
        </div>
      }
    >
      <RetryLine store={store} />
      {retry.error !== undefined && !judgeFor && <div className="px-4 pt-3"><ProblemNote error={retry.error} /></div>}
      <ul className="divide-y divide-line">
        {causes.map((cause) => (
          <CauseLine key={cause.key} cause={cause} retryable={retryable} onRetry={() => void retry.again(cause.ids)} onOtherJudge={() => setJudgeFor(cause)} />
        ))}
      </ul>
      <Suspense>{judgeFor && <OtherJudgeDialog key={judgeFor.key} run={run} store={store} open itemIds={judgeFor.ids} onClose={() => setJudgeFor(null)} />}</Suspense>
    </Section>
  );
}

/** The items that are being tried again, then what became of them. A toast announces the outcome. */
function RetryLine({ store }: { store: RunStore }) {
  const retry = useValue(store.retry.current);
  if (!retry) return null;
  const { before, after } = retry;
  if (!after) return <p className="flex items-center gap-2 px-4 pt-3 text-ink-2"><Icon name="retry" />Trying {plural(before.length, "item")} again…</p>;
  const { text, tone } = outcomeWords({ before, after });
  return <p className={`flex items-center gap-2 px-4 pt-3 font-medium ${tone === "good" ? "text-good" : "text-bad"}`}><Icon name={tone === "good" ? "check" : "alert"} /><span className="min-w-0 wrap-anywhere">{text}</span></p>;
}

const MOST_MESSAGES = 3;

interface LineProps {
  cause: Cause;
  retryable: boolean;
  onRetry: () => void;
  onOtherJudge: () => void;
}

function CauseLine({ cause, retryable, onRetry, onOtherJudge }: LineProps) {
  const itemsHref = useItemsHref();
  const label = failureLabel(cause.cause);
  const filter = { status: "FAILED", failure_cause: cause.cause, failure_phase: cause.phase };
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-80">
        <p>
          <span className="font-semibold text-bad">{formatCount(cause.ids.length)}</span> <span className="font-medium">{harmless(label)}</span>
          <span className="text-ink-2"> in {PHASE_LABELS[cause.phase].toLowerCase()} · {cause.targets.map(harmless).join(", ")}</span>
        </p>
        {cause.messages.slice(0, MOST_MESSAGES).map(({ message, count }) => (
          <PlainText key={message} text={cause.messages.length > 1 ? `${formatCount(count)} × ${message}` : message} maxLines={2} maxCharacters={300} className="mt-0.5 text-xs text-ink-2" />
        ))}
        {cause.messages.length > MOST_MESSAGES && <p className="mt-0.5 text-xs text-ink-3">and {plural(cause.messages.length - MOST_MESSAGES, "other message")}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Link to={itemsHref(filter)} className="px-1 font-medium text-accent hover:underline print:hidden">
          Show<span className="sr-only"> items that failed: {harmless(label)}</span>
        </Link>
        {cause.phase === "JUDGING" && (
          <Button icon="scale" right="runs:create" disabled={!retryable} onClick={onOtherJudge}>Ask another judge</Button>
        )}
        <Button icon="retry" right="runs:create" disabled={!retryable} onClick={onRetry} aria-label={`Try again: ${harmless(label)}`}>Try again</Button>
      </div>
    </li>
  );
}
