/**
 * Keep the list of runs current: write progress into the cached pages, and refetch what only the server knows (a new
 * run, a mean score).
 */

import { useEffect } from "react";
import type { RunPage } from "@/api/generated/orchestrator";
import { useApiDispatch } from "@/api/dispatch";
import { runsApi, type RunFilter } from "@/api/runs";
import { parseEvent, type LiveEvent } from "@/live/event-schemas";
import { frameBatch } from "@/live/frame";
import { throttle } from "@/live/throttle";
import { useConnection } from "@/live/context";

const REFETCH_MS = 2000;

export function useRunsLive(filter: RunFilter, refetch: () => Promise<unknown>): void {
  const connection = useConnection();
  const dispatch = useApiDispatch();
  useEffect(() => {
    const refresh = throttle(async () => void (await refetch()), REFETCH_MS);
    const newest = new Map<string, LiveEvent>();
    const batch = frameBatch(() => {
      const events = [...newest.values()];
      newest.clear();
      dispatch(runsApi.util.updateQueryData("runPages", filter, (data) => {
        for (const event of events) applyToPages(data.pages, event);
      }));
    });
    let subscribedBefore = false;
    const unsubscribe = connection.subscribe({
      destination: "/topic/runs",
      onBody(body) {
        const event = parseEvent(body);
        if (!event) return;
        newest.set(`${event.run_id} ${event.type}`, event);
        batch.request();
        if (event.type === "llmbench.run.status_changed.v1") refresh.call("soon");
      },
      onSubscribed() {
        // This topic does not replay events missed during a disconnection.
        if (subscribedBefore) refresh.call();
        subscribedBefore = true;
      },
    });
    return () => {
      unsubscribe();
      batch.cancel();
      refresh.cancel();
    };
  }, [connection, dispatch, refetch, filter]);
}

export function applyToPages(pages: RunPage[], event: LiveEvent): void {
  for (const page of pages) {
    const run = page.items.find((one) => one.id === event.run_id);
    if (!run) continue;
    if (event.type === "llmbench.run.status_changed.v1") {
      run.status = event.status;
      if (event.status !== "QUEUED") run.queue = null;
      run.phase = event.phase;
      run.outcome = event.outcome ?? null;
      run.status_reason = event.reason ?? null;
      run.gate = event.gate ? { verdict: event.gate.verdict, passed: event.gate.passed ?? null, sentence: event.gate.sentence ?? null, decided_at: null } : null;
    } else if (event.type === "llmbench.run.progressed.v1") {
      const { items, answered, judged, failed, skipped } = event;
      run.phase = event.phase;
      run.counts = { items, answered, judged, failed, skipped };
    }
    return;
  }
}
