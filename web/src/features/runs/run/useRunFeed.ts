/** One store and one feed for the run on screen. */

import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import type { ItemPage, RunDetail } from "@/api/generated/orchestrator";
import { ask, useApiDispatch, type ApiDispatch } from "@/api/dispatch";
import { resultsApi } from "@/api/results";
import { runsApi } from "@/api/runs";
import { useConnection } from "@/live/context";
import { RunFeed, type RunReader } from "@/live/run-feed";
import { RunStore } from "@/live/run-store";

/** Read a few rows first for a quick start, then many at a time. */
const FIRST_ITEMS = 200;
const ITEMS_PER_PAGE = 2000;
const EVENTS_PER_PAGE = 500;

function runReader(runId: string, dispatch: ApiDispatch): RunReader {
  const fresh = { forceRefetch: true };
  const { getRun } = runsApi.endpoints;
  const { listItems, listRunEvents } = resultsApi.endpoints;
  return {
    run: () => ask(dispatch(getRun.initiate({ runId }, fresh))),
    items: (cursor) => ask(dispatch(listItems.initiate({ runId, cursor, limit: cursor === null ? FIRST_ITEMS : ITEMS_PER_PAGE }, fresh))),
    events: (fromSeq) => ask(dispatch(listRunEvents.initiate({ runId, fromSeq, limit: EVENTS_PER_PAGE }, fresh))),
  };
}

export interface LiveRun {
  store: RunStore;
  loadEarlierLog: () => Promise<boolean>;
}

/** Request the first rows together with the run, to save a round trip. */
export function useEarlyItems(runId: string): RefObject<Promise<ItemPage> | undefined> {
  const dispatch = useApiDispatch();
  const early = useRef<Promise<ItemPage>>(undefined);
  useEffect(() => {
    early.current = runReader(runId, dispatch).items(null);
    // An error is ignored: the run's request reports it, and the rows are read again.
    early.current.catch(() => undefined);
  }, [runId, dispatch]);
  return early;
}

/** `run` is the first response of the server; the feed updates it. */
export function useRunFeed(run: RunDetail, early: RefObject<Promise<ItemPage> | undefined>): LiveRun {
  const runId = run.id;
  const connection = useConnection();
  const dispatch = useApiDispatch();
  const [store] = useState(() => {
    const created = new RunStore();
    created.loadRun(run);
    return created;
  });
  const [first] = useState(run);
  const feed = useRef<RunFeed | null>(null);
  useEffect(() => {
    const started = new RunFeed(runId, store, runReader(runId, dispatch), connection);
    feed.current = started;
    // The initial response is reused: for a large run the server takes long to compute it.
    void started.start(first, early.current);
    return () => started.stop();
  }, [runId, first, early, store, dispatch, connection]);
  // The response to an action reaches the query cache before its event arrives.
  useEffect(() => store.loadRun(run), [store, run]);
  const loadEarlierLog = useCallback(async () => (await feed.current?.loadEarlierLog()) ?? false, []);
  return { store, loadEarlierLog };
}
