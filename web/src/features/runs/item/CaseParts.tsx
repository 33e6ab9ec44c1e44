/** The parts of a case other than its question: the given context and the references. */

import type { Case } from "@/api/generated/orchestrator";
import { CheckList } from "@/components/CheckList";
import { PlainText } from "@/components/PlainText";
import { harmless } from "@/lib/plain-text";
import { referencesOf } from "@/lib/references";
import { Part, TextBox } from "./Part";

export function CaseGiven({ case: one }: { case: Case }) {
  return (
    <>
      {one.context && <Part title="Context"><TextBox text={one.context} /></Part>}
      {one.conversation && one.conversation.length > 0 && (
        <Part title="Conversation before it">
          <ol className="flex flex-col gap-2">
            {one.conversation.map((turn, index) => (
              <li key={index} className={`rounded-md border border-line px-3 py-2 ${turn.role === "assistant" ? "ml-6" : "mr-6 bg-sunken"}`}>
                <p className="text-xs text-ink-3">{harmless(turn.role)}</p>
                <PlainText text={turn.content} maxLines={20} />
              </li>
            ))}
          </ol>
        </Part>
      )}
    </>
  );
}

export function CaseChecks({ case: one }: { case: Case }) {
  if (!one.checks || one.checks.length === 0) return null;
  return <Part title="Checks"><CheckList checks={one.checks} label="Checks" /></Part>;
}

export function CaseRight({ case: one }: { case: Case }) {
  const given = referencesOf(one);
  if (given.length === 0) return null;
  return (
    <Part title="References">
      <dl className="divide-y divide-line rounded-md border border-line">
        {given.map(([name, text]) => (
          <div key={name} className="grid gap-x-4 gap-y-1 px-3 py-2 sm:grid-cols-[5.5rem_minmax(0,1fr)]">
            <dt className="text-xs leading-5 text-ink-3">{name}</dt>
            <dd className="min-w-0"><PlainText text={text} maxLines={12} /></dd>
          </div>
        ))}
      </dl>
    </Part>
  );
}
