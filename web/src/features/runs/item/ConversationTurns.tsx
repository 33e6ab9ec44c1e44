/** The conversation of an item: its position and the earlier turns. */

import { useState, type ReactNode } from "react";
import { Link, useLocation } from "react-router";
import type { ItemDetail, ItemRow } from "@/api/generated/orchestrator";
import { useListItemsQuery } from "@/api/results";
import { Icon } from "@/components/Icon";
import { Skeleton } from "@/components/Message";
import { PlainText } from "@/components/PlainText";
import { ProblemNote } from "@/components/Problem";
import { formatScore, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { writeOne } from "@/lib/url-state";
import { useEntry } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { ITEM_LOOKS } from "../run-words";
import { itemsHref, useFilterSetters } from "../results/item-filter";
import { useItemHref } from "./item-url";
import { Part } from "./Part";
import { useItem } from "./use-item";

/** The number of preceding turns shown at first. */
const SHOWN_BEFORE = 3;
/** Turns of a conversation times epochs. */
const MOST_ROWS = 2000;
const SHORT = { maxCharacters: 600, maxLines: 8 } as const;

export function ConversationTurns({ item, store }: { item: ItemDetail; store: RunStore }) {
  const { run_id: runId, conversation_id: conversationId, target_id: targetId, turn } = item;
  const { currentData, error, isError } = useListItemsQuery({ runId, conversationId, targetId: [targetId], limit: MOST_ROWS });
  const { search } = useFilterSetters();
  const [isExpanded, setExpanded] = useState(false);
  // Each epoch is a separate conversation.
  const turns = (currentData?.items ?? []).filter((one) => (one.epoch ?? 1) === (item.epoch ?? 1)).toSorted((a, b) => (a.turn ?? 0) - (b.turn ?? 0));
  const before = turns.filter((one) => (one.turn ?? 0) < (turn ?? 0));
  const hidden = isExpanded ? 0 : Math.max(0, before.length - SHOWN_BEFORE);
  return (
    <Part title={turns.length > 0 ? `Turn ${turn} of ${turns.length}` : `Turn ${turn}`}>
      <div className="flex flex-col gap-3">
        <p className="text-xs wrap-anywhere text-ink-3">
          Conversation {harmless(conversationId ?? "")} · <Link to={itemsHref(writeOne(search, "item", null), { conversation_id: conversationId ?? "", target_id: targetId })} className="text-accent underline underline-offset-2">show its turns in the table</Link>
        </p>
        {isError ? <ProblemNote error={error} /> : !currentData ? <Skeleton className="h-8" /> : (
          <ol aria-label="Turns" className="flex flex-wrap gap-1.5">
            {turns.map((one) => <TurnLink key={one.id} row={one} store={store} isOpen={one.id === item.id} />)}
          </ol>
        )}
        {hidden > 0 && (
          <button type="button" onClick={() => setExpanded(true)} className="self-start text-xs font-medium text-accent underline underline-offset-2">
            Show the {plural(hidden, "turn")} before these
          </button>
        )}
        {before.length > 0 && (
          <ol aria-label="Earlier turns" className="flex flex-col gap-3">
            {before.slice(hidden).map((one) => <TurnBefore key={one.id} runId={runId} store={store} row={one} />)}
          </ol>
        )}
      </div>
    </Part>
  );
}

function TurnLink({ row, store, isOpen }: { row: ItemRow; store: RunStore; isOpen: boolean }) {
  const itemHref = useItemHref();
  const { state } = useLocation() as { state: unknown };
  // The conversation may continue while the panel is open.
  const { status, score, turn } = useEntry(store.items.rows, row.id) ?? row;
  const { label, icon } = ITEM_LOOKS[status];
  return (
    <li>
      <Link
        to={itemHref(row.id)}
        replace
        state={state}
        preventScrollReset
        aria-current={isOpen ? "step" : undefined}
        title={label}
        className={`inline-flex h-6.5 items-center gap-1.5 rounded-md border px-2 text-xs ${isOpen ? "border-accent bg-selected font-semibold text-accent-strong" : "border-line-strong text-ink-2 hover:bg-hover"}`}
      >
        {turn}
        {score == null ? <Icon name={icon} className="size-3.5" /> : <><span aria-hidden="true" className="text-ink-3">·</span><span className="font-medium text-ink">{formatScore(score)}</span></>}
        <span className="sr-only">{label}</span>
      </Link>
    </li>
  );
}

function TurnBefore({ runId, store, row: listed }: { runId: string; store: RunStore; row: ItemRow }) {
  const { row: live, item, error, isError } = useItem(runId, store, listed.id);
  if (isError) return <li><ProblemNote error={error} /></li>;
  if (!item) return <li><Skeleton className="h-16" /></li>;
  const row = live ?? listed;
  const isAhead = row.status === "NEW" || row.status === "IN_PROGRESS";
  return (
    <li className="flex flex-col gap-2">
      <Utterance who={`Question ${row.turn}`} className="mr-6 bg-sunken"><PlainText text={item.case.question} {...SHORT} /></Utterance>
      <Utterance who={`Answer ${row.turn}`} aside={row.score == null ? null : `scored ${formatScore(row.score)}`} className="ml-6">
        {item.answer ? <PlainText text={item.answer} {...SHORT} /> : <p className="text-ink-2">{isAhead ? "Not answered yet." : "There is no answer."}</p>}
      </Utterance>
    </li>
  );
}

function Utterance({ who, aside, className, children }: { who: string; aside?: string | null; className: string; children: ReactNode }) {
  return (
    <div className={`rounded-md border border-line px-3 py-2 ${className}`}>
      <p className="flex justify-between gap-3 text-xs text-ink-3">
        {who}
        {aside && <span>{aside}</span>}
      </p>
      {children}
    </div>
  );
}
