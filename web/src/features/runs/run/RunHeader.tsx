import { lazy, Suspense, useState } from "react";
import { Link } from "react-router";
import type { RunDetail } from "@/api/generated/orchestrator";
import { ButtonLink } from "@/components/Button";
import { Chip } from "@/components/Chip";
import { CreatedBy } from "@/components/CreatedBy";
import { Icon } from "@/components/Icon";
import { compareRunsHref } from "@/lib/compare-link";
import { harmless } from "@/lib/plain-text";
import { useValue } from "@/live/hooks";
import { loadCode } from "@/live/reach";
import type { RunStore } from "@/live/run-store";
import { ExportMenu } from "../ExportMenu";
import { verdictLook } from "../gates/gate-look";
import { runLook } from "../run-words";
import { RunActions } from "./RunActions";
import { RunMenu } from "./RunMenu";

const ShareDialog = lazy(() => loadCode(() => import("../share/ShareDialog")));

export function RunHeader({ run, store }: { run: RunDetail; store: RunStore }) {
  const head = useValue(store.head);
  const [sharing, setSharing] = useState(false);
  const { status, outcome, reason, gate } = head ?? { ...run, reason: run.status_reason };
  return (
    <header className="flex flex-col gap-2">
      <nav aria-label="Breadcrumb" className="text-xs text-ink-2">
        <Link to="/runs" className="inline-flex items-center gap-1 hover:text-ink hover:underline">
          <Icon name="previous" className="size-3" />
          All runs
        </Link>
      </nav>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5">
          <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{harmless(run.name)}</h1>
          <span role="status">
            <Chip {...runLook(status, outcome)} />
            {gate && <span className="ml-1.5"><Chip {...verdictLook(gate)} /></span>}
          </span>
          <CreatedBy id={run.created_by} />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <RunActions run={run} status={status} />
          <ButtonLink icon="scale" to={compareRunsHref(run.baseline_run_id ? [run.baseline_run_id, run.id] : [run.id])}>Compare</ButtonLink>
          <ExportMenu
            run={run}
            label="Export"
            more={[{ label: "Share a read-only link…", detail: "People open the report without signing in.", icon: "link", right: "runs:create", onSelect: () => setSharing(true) }]}
          />
          <RunMenu run={run} status={status} />
        </div>
      </div>
      {sharing && <Suspense><ShareDialog runId={run.id} onClose={() => setSharing(false)} /></Suspense>}
      {reason && <p className="text-ink-2">{harmless(reason)}</p>}
    </header>
  );
}
