import type { RunDetail } from "@/api/generated/orchestrator";
import type { RunStore } from "@/live/run-store";
import { LogPanel } from "../log/LogPanel";
import { GroupList } from "./GroupList";

/** The groups of models at work, and what happened in order. */
export function LogView({ run, store, onLoadEarlier }: { run: RunDetail; store: RunStore; onLoadEarlier: () => Promise<boolean> }) {
  return (
    <div className="grid gap-4 lg:grid-cols-[22rem_minmax(0,1fr)] print:hidden">
      <GroupList groups={run.groups} status={run.status} store={store} />
      <LogPanel run={run} store={store} onLoadEarlier={onLoadEarlier} />
    </div>
  );
}
