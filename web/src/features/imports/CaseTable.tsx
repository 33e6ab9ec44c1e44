import { StateText, type ChipLook } from "@/components/Chip";
import { Section } from "@/components/Section";
import { formatCount } from "@/lib/format";
import { excerpt, harmless } from "@/lib/plain-text";
import type { PreviewedCase } from "./checked";

const HEAD = "px-3 py-2 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-2 align-top first:pl-4 last:pr-4";
const MOST_OTHERS = 8;

const LOOKS: Readonly<Record<NonNullable<PreviewedCase["change"]>, ChipLook>> = {
  created: { label: "New", tone: "good", icon: "plus" },
  updated: { label: "Changed", tone: "info", icon: "pencil" },
  unchanged: { label: "Unchanged", tone: "neutral", icon: "dot" },
  skipped: { label: "Skipped", tone: "neutral", icon: "next" },
};

/** The first rows as the cases that they become. */
export function CaseTable({ cases, good }: { cases: readonly PreviewedCase[]; good: number }) {
  if (cases.length === 0) return null;
  return (
    <Section title="The first cases" aside={cases.length < good && <p className="text-xs text-ink-2">{formatCount(cases.length)} of {formatCount(good)} good rows</p>}>
      <div tabIndex={0} role="group" aria-label="The first cases" className="max-h-[36rem] overflow-auto rounded-b-[0.625rem] outline-offset-[-2px]">
        <table className="w-full table-fixed">
          <thead className="sticky top-0 border-b border-line bg-sunken text-xs text-ink-2">
            <tr>
              <th scope="col" className={`${HEAD} w-14`}>Line</th>
              <th scope="col" className={HEAD}>Question</th>
              <th scope="col" className={`${HEAD} w-2/5 sm:w-1/4`}>Right answer</th>
              <th scope="col" className={`${HEAD} hidden w-1/4 md:table-cell`}>Other fields</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {cases.map((one) => <Row key={one.line} one={one} />)}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function Row({ one }: { one: PreviewedCase }) {
  return (
    <tr>
      <td className={`${CELL} font-mono text-xs leading-5`}>{one.line}</td>
      <td className={CELL}>
        <p dir="auto" className="line-clamp-3 wrap-anywhere">{harmless(excerpt(one.question, 300, 3).text)}</p>
        <p className="mt-0.5 flex flex-wrap gap-x-2 text-xs text-ink-3">
          <span className="wrap-anywhere">{harmless(excerpt(one.name, 80, 1).text)}</span>
          {one.change && <StateText {...LOOKS[one.change]} />}
        </p>
      </td>
      <td className={CELL}>
        {one.answers.length === 0 ? <span className="text-ink-3">none</span> : one.answers.slice(0, 3).map((answer, index) => <p key={index} dir="auto" className="line-clamp-2 wrap-anywhere">{harmless(excerpt(answer, 160, 2).text)}</p>)}
        {one.answers.length > 3 && <p className="text-xs text-ink-3">and {formatCount(one.answers.length - 3)} more</p>}
      </td>
      <td className={`${CELL} hidden md:table-cell`}>
        <dl className="text-xs">
          {one.others.slice(0, MOST_OTHERS).map(([name, value]) => (
            <div key={name} className="flex gap-1.5">
              <dt className="max-w-1/2 shrink-0 truncate text-ink-3">{harmless(excerpt(name, 40, 1).text)}</dt>
              <dd dir="auto" className="min-w-0 truncate">{harmless(excerpt(value, 80, 1).text)}</dd>
            </div>
          ))}
        </dl>
      </td>
    </tr>
  );
}
