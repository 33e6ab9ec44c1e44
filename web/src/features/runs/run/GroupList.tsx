import type { GroupOut, RunStatus } from "@/api/generated/orchestrator";
import { Chip } from "@/components/Chip";
import { ProgressBar } from "@/components/ProgressBar";
import { Section } from "@/components/Section";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { groupLook, PHASE_LABELS, PHASES } from "../run-words";
import { BackOff } from "./CurrentWork";

/** Models in the order in which they are loaded, per phase. */
export function GroupList({ groups, status: known, store }: { groups: readonly GroupOut[]; status: RunStatus; store: RunStore }) {
  const status = useValue(store.head)?.status ?? known;
  const progress = useValue(store.progress);
  const working = new Map((progress?.current ? [progress.current, ...(progress.others ?? [])] : []).map((one) => [one.group_id, one.group_status]));
  return (
    <Section title="Model groups" className="self-start">
      <div role="group" aria-label="Model groups" className="px-4 py-1">
        {PHASES.map((phase) => {
          const own = groups.filter((group) => group.phase === phase);
          if (own.length === 0) return null;
          return (
            <div key={phase} className="py-2.5">
              <h3 className="text-xs font-medium text-ink-3">{PHASE_LABELS[phase]}</h3>
              <ul className="divide-y divide-line">
                {own.map((group) => (
                  <Group key={group.id} run={status} group={{ ...group, status: working.get(group.id) ?? group.status }} />
                ))}
              </ul>
            </div>
          );
        })}
        {groups.length === 0 && <p className="py-6 text-center text-ink-2">Groups appear when the run starts.</p>}
      </div>
    </Section>
  );
}

function Group({ group, run }: { group: GroupOut; run: RunStatus }) {
  const { total, done, failed } = group;
  return (
    <li className="py-2.5">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <div className="truncate font-medium" title={group.model}>
            {harmless(group.model)}
          </div>
          <div className="truncate text-xs text-ink-3">
            {harmless(group.provider_name)}
            {group.concurrency > 1 && ` · ${group.concurrency} at a time`}
          </div>
        </div>
        <Chip {...groupLook(group, run)} />
      </div>
      <div className="mt-2 flex items-center gap-3 text-xs text-ink-2">
        <ProgressBar
          className="h-1.5 flex-1"
          label={`Progress of ${group.model}`}
          total={total}
          done={done + failed}
          segments={[
            { name: "done", value: done, tone: "good" },
            { name: "failed", value: failed, tone: "bad" },
          ]}
        />
        <span className="min-w-16 text-right">
          {formatCount(done)} / {formatCount(total)}
        </span>
      </div>
      {failed > 0 && <p className="mt-1 text-xs text-bad">{plural(failed, "item")} failed</p>}
      {group.failure_reason && <p className="mt-1 text-xs wrap-anywhere text-bad">{harmless(group.failure_reason)}</p>}
      {group.out_of_credit_reason && <p className="mt-1 text-xs wrap-anywhere text-bad">{harmless(group.out_of_credit_reason)}</p>}
      {group.backoff_until && (
        <div className="mt-2">
          <BackOff until={group.backoff_until} reason={group.backoff_reason} />
        </div>
      )}
    </li>
  );
}
