import { Link } from "react-router";
import type { WorstOut } from "@/api/generated/orchestrator";
import { Disclosure } from "@/components/Disclosure";
import { PlainText } from "@/components/PlainText";
import { Section } from "@/components/Section";
import { formatScore } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

/** The answers on which judge and people differ most, to be read. */
export function Worst({ worst, items }: { worst: readonly WorstOut[]; items: string | null }) {
  return (
    <Section title="Where the judge is most wrong">
      {worst.length === 0 ? (
        <p className="px-4 py-4 text-ink-2">Judge and people agree on every answer.</p>
      ) : (
        <ul className="divide-y divide-line">
          {worst.map((one) => (
            <li key={one.item_id} className="px-4 py-2">
              <Disclosure title={harmless(one.task_id)} summary={`${harmless(one.target)}: judge ${formatScore(one.judge)}, people ${formatScore(one.consensus)}`}>
                <div className="grid gap-4 pb-3 lg:grid-cols-2">
                  <Text title="Question" text={one.question} />
                  <Text title="Answer" text={one.answer} />
                  <Text title={`The judge’s reason for ${formatScore(one.judge)}`} text={one.reason} />
                  <div>
                    <h3 className="text-xs text-ink-2">Labels</h3>
                    <ul className="mt-1 flex flex-col gap-0.5">
                      {Object.entries(one.labels).map(([name, label]) => <li key={name} className="wrap-anywhere">{harmless(name)}: {formatScore(label)}</li>)}
                    </ul>
                    {items && <Link to={`${items}?item=${one.item_id}`} className="mt-2 inline-block font-medium text-accent hover:underline">Open the item</Link>}
                  </div>
                </div>
              </Disclosure>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Text({ title, text }: { title: string; text: string | null }) {
  return (
    <div className="min-w-0">
      <h3 className="text-xs text-ink-2">{title}</h3>
      {text === null ? <p className="mt-1 text-ink-3">none</p> : <PlainText text={text} maxLines={12} className="mt-1" />}
    </div>
  );
}
