import type { SuiteOut } from "@/api/generated/config-api";
import { Chip, type ChipLook } from "@/components/Chip";
import { DiffView } from "@/components/DiffView";
import { Section } from "@/components/Section";
import { harmless } from "@/lib/plain-text";
import { suiteDiff, type Change, type TaskChange } from "./suite-diff";

const KINDS: Record<TaskChange["kind"], ChipLook> = {
  added: { label: "Added", tone: "good", icon: "plus" },
  removed: { label: "Removed", tone: "bad", icon: "cross" },
  changed: { label: "Changed", tone: "info", icon: "pencil" },
};

/** Show the changes from one version to a later one. */
export function VersionDiff({ before, after }: { before: SuiteOut; after: SuiteOut }) {
  const { suite, tasks } = suiteDiff(before.definition, after.definition);
  return (
    <Section title={`Changes from version ${before.version_number} to version ${after.version_number}`}>
      {suite.length === 0 && tasks.length === 0 && <p className="px-4 py-3 text-ink-2">Both versions say the same.</p>}
      {suite.length > 0 && <div className="border-b border-line px-4 py-3 last:border-b-0"><Changes changes={suite} /></div>}
      {tasks.length > 0 && (
        <ul aria-label="Changed tasks" className="divide-y divide-line">
          {tasks.map((task) => (
            <li key={task.name} className="px-4 py-3">
              <h3 className="mb-2 flex flex-wrap items-center gap-2 font-medium"><span className="wrap-anywhere">{harmless(task.name)}</span> <Chip {...KINDS[task.kind]} /></h3>
              {task.kind !== "removed" && <Changes changes={task.changes} />}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <dl className="grid gap-x-3 gap-y-2 sm:grid-cols-[9rem_minmax(0,1fr)]">
      {changes.map(({ field, before, after }) => (
        <div key={field} className="contents">
          <dt className="text-ink-2 first-letter:uppercase">{field}</dt>
          <dd className="min-w-0 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
            {before !== "" && after !== "" ? <DiffView before={before} after={after} /> : after === "" ? <del className="rounded-xs bg-bad-soft text-bad">{harmless(before)}</del> : <ins className="rounded-xs bg-good-soft text-good">{harmless(after)}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
