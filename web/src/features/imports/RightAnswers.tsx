import type { ReactNode } from "react";
import type { RightAnswers as Counts } from "@/api/generated/config-api";
import { Icon, type IconName } from "@/components/Icon";
import { Section } from "@/components/Section";
import { formatCount } from "@/lib/format";

interface Props {
  counts: Counts;
  good: number;
  /** The counts are those of the first rows. */
  isPart: boolean;
}

/** A preview of how answers will be checked, shown before the import, when columns can still be mapped. */
export function RightAnswers({ counts, good, isPart }: Props) {
  const { answers = 0, choices = 0, grades = 0, citations = 0, checks = 0, none = 0 } = counts;
  const of = (count: number) => (count === good ? (good === 1 ? "The case has" : `All ${formatCount(good)} cases have`) : `${formatCount(count)} of ${formatCount(good)} cases have`);
  return (
    <Section title="What is right" aside={isPart && <p className="text-xs text-ink-2">Counted in the first rows</p>}>
      <ul className="flex flex-col gap-2.5 px-4 py-3">
        {answers > 0 && (
          <Line icon="check">{of(answers)} a right answer. The judge of a run sees it, and evaluators such as <Code>exact_match</Code>, <Code>numeric</Code> and <Code>contains</Code> compare with it.</Line>
        )}
        {choices > 0 && <Line icon="check">{of(choices)} choices: the evaluator <Code>multiple_choice</Code> reads which letter was chosen.</Line>}
        {grades > 0 && <Line icon="check">{of(grades)} answers described by grade: the judge grades by them.</Line>}
        {citations > 0 && <Line icon="check">{of(citations)} sources to cite: the evaluator <Code>citations</Code> looks for them.</Line>}
        {checks > 0 && <Line icon="check">{of(checks)} checks of their own: choose the evaluator <Code>case_checks</Code> in a run.</Line>}
        {none > 0 && (
          <Line icon="alert">{of(none)} nothing to compare with: only a judge without a reference can score {none === 1 ? "it" : "them"}. If a column has the right answer, choose “Expected answer” for it.</Line>
        )}
      </ul>
      <p className="border-t border-line px-4 py-2.5 text-xs text-ink-2">A new run begins with your organisation’s evaluators, or with a judge that grades from 0 to 10. You choose them there.</p>
    </Section>
  );
}

function Line({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <li className="flex gap-2">
      <Icon name={icon} className={`mt-0.5 size-4 shrink-0 ${icon === "alert" ? "text-warn" : "text-good"}`} />
      <span className="min-w-0">{children}</span>
    </li>
  );
}

function Code({ children }: { children: string }) {
  return <code className="rounded bg-mute-soft px-1 font-mono text-xs text-ink">{children}</code>;
}
