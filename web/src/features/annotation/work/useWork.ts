/** The state of the working screen: the item that is held, what was written about it, and where it is stored. */

import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Answer, LabelClient } from "@/api/annotation";
import type { AnnotationIn, NextItem } from "@/api/generated/config-api";
import { toProblem } from "@/lib/problem";
import { askedLabels, questionsOf } from "../words";
import { forget, isEmpty, keep, kept, NOTHING, type Entry } from "./entries";

/** The pause after the last change before the draft is saved; and before another try while the server is unreachable. */
const QUIET_MS = 700;
const RETRY_MS = 5_000;
const CHANNEL = "llmbench.labels";

type Shown = { kind: "loading" } | { kind: "item"; item: NextItem } | { kind: "empty" } | { kind: "stopped"; error: unknown };

/** `lost`: the item is not held any more; its labels may still be submitted. `away`: the server does not answer. */
export type DraftState = "none" | "changed" | "saved" | "lost" | "away";

export const SURPLUS = "That item already had all its labels. Yours are kept, but do not count.";
const ELSEWHERE = "You labelled that item in another tab. This is the next one.";

export interface Work {
  shown: Shown;
  entry: Entry;
  draft: DraftState;
  heldUntil: string | null;
  isBusy: boolean;
  /** The error of the last submission or undo. */
  error: unknown;
  notice: string | null;
  change: (part: Partial<Entry>) => void;
  submit: (body: Omit<AnnotationIn, "labels" | "note" | "flagged" | "flag_reason">) => Promise<void>;
  undo: () => Promise<void>;
  /** Take the next item, or try again. */
  load: () => Promise<void>;
}

export function useWork(client: LabelClient): Work {
  const [shown, setShown] = useState<Shown>({ kind: "loading" });
  const [entry, setEntry] = useState<Entry>(NOTHING);
  const [draft, setDraft] = useState<DraftState>("none");
  const [heldUntil, setHeldUntil] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [notice, setNotice] = useState<string | null>(null);
  /** The number of saves of these labels that failed: after each there is another try. */
  const [tries, setTries] = useState(0);
  const tabs = useRef<BroadcastChannel>(null);
  const newest = useRef<Entry["labels"]>({});
  const busy = useRef(false);
  /** The number of the item shown: a response that comes for an earlier one is ignored. */
  const turn = useRef(0);
  const last = useRef<{ itemId: string; entry: Entry } | null>(null);
  const { who } = client;

  const show = (item: NextItem | null) => {
    turn.current += 1;
    setError(undefined);
    if (item === null) {
      setShown({ kind: "empty" });
      return;
    }
    const stored: Entry = { ...NOTHING, ...(last.current?.itemId === item.item_id ? last.current.entry : {}), labels: item.draft ?? {} };
    const unsaved = kept(who, item.item_id);
    const written = unsaved ?? stored;
    newest.current = written.labels;
    setEntry(written);
    setDraft(unsaved ? "changed" : item.draft ? "saved" : "none");
    setHeldUntil(item.leased_until);
    setShown({ kind: "item", item });
  };

  const tell = (itemId: string) => {
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target, only its own origin
    tabs.current?.postMessage({ who, itemId });
  };

  const settle = (answer: Answer<NextItem | null>) => {
    if (answer.error === undefined) show(answer.data ?? null);
    else setShown({ kind: "stopped", error: answer.error });
  };
  const load = async () => settle(await client.next());

  /** Do one thing at a time: a second press of a key does nothing. */
  const alone = async (what: () => Promise<void>) => {
    if (busy.current) return;
    busy.current = true;
    setBusy(true);
    await what();
    busy.current = false;
    setBusy(false);
  };

  const save = useEffectEvent(async (itemId: string, labels: Entry["labels"]) => {
    const asked = turn.current;
    const answer = await client.save(itemId, labels);
    // Newer labels are saved by a later request.
    if (asked !== turn.current || newest.current !== labels) return;
    if (answer.error === undefined) {
      setDraft("saved");
      setHeldUntil(answer.data!.leased_until);
      return;
    }
    setDraft(toProblem(answer.error).status === null ? "away" : "lost");
    setTries((before) => before + 1);
  });

  const change = (part: Partial<Entry>) => {
    if (shown.kind !== "item" || busy.current) return;
    const next = { ...entry, ...part };
    const { item } = shown;
    setEntry(next);
    keep(who, item.item_id, next);
    newest.current = next.labels;
    if (part.labels === undefined || draft === "lost") return;
    setTries(0);
    setDraft("changed");
  };

  const chosen = entry.labels;
  const heldId = shown.kind === "item" ? shown.item.item_id : null;
  useEffect(() => {
    if (heldId === null || isBusy || (draft !== "changed" && draft !== "away")) return;
    const timer = setTimeout(() => void save(heldId, chosen), tries > 0 ? RETRY_MS : QUIET_MS);
    return () => clearTimeout(timer);
  }, [heldId, chosen, draft, tries, isBusy]);

  const submit: Work["submit"] = (body) =>
    alone(async () => {
      if (shown.kind !== "item") return;
      const { item } = shown;
      const labels = body.skipped ? {} : askedLabels(questionsOf(item.annotation_schema), entry.labels);
      const answer = await client.submit(item.item_id, { ...body, labels, note: entry.note.trim() || null, flagged: entry.flag !== null, flag_reason: entry.flag });
      if (answer.error !== undefined) {
        setError(answer.error);
        return;
      }
      last.current = { itemId: item.item_id, entry };
      forget(who, item.item_id);
      tell(item.item_id);
      setNotice(answer.data!.surplus ? SURPLUS : null);
      // Without a next item, the server says why: nothing is left, or the task is paused.
      if (answer.data!.next) show(answer.data!.next);
      else await load();
    });

  const undo = () =>
    alone(async () => {
      const answer = await client.undo();
      if (answer.error !== undefined) {
        setError(answer.error);
        return;
      }
      setNotice(null);
      show(answer.data!.item);
      if (shown.kind === "item") tell(shown.item.item_id);
    });

  const arrive = useEffectEvent(settle);
  useEffect(() => {
    let isOver = false;
    void client.next().then((answer) => !isOver && arrive(answer));
    return () => {
      isOver = true;
    };
  }, [client]);

  // Another tab of the same person may have submitted this item, or given it back.
  const compare = useEffectEvent(async (submittedId: string | null) => {
    if (busy.current || shown.kind !== "item" || (submittedId !== null && submittedId !== shown.item.item_id)) return;
    if (submittedId === null && !isEmpty(entry)) return;
    const asked = turn.current;
    const answer = await client.next();
    if (asked !== turn.current || answer.error !== undefined || answer.data?.item_id === shown.item.item_id) return;
    forget(who, shown.item.item_id);
    setNotice(ELSEWHERE);
    show(answer.data ?? null);
  });
  useEffect(() => {
    // A channel does not receive its own messages, so this one also sends.
    const channel = new BroadcastChannel(CHANNEL);
    tabs.current = channel;
    channel.addEventListener("message", ({ data }: MessageEvent<{ who: string; itemId: string }>) => {
      if (data.who === who) void compare(data.itemId);
    });
    const look = () => document.visibilityState === "visible" && void compare(null);
    document.addEventListener("visibilitychange", look);
    return () => {
      channel.close();
      document.removeEventListener("visibilitychange", look);
    };
  }, [who]);

  return { shown, entry, draft, heldUntil, isBusy, error, notice, change, submit, undo, load: () => alone(load) };
}
