import { lazy, Suspense, useEffect, useEffectEvent, useState } from "react";
import { Link, useLocation } from "react-router";
import type { RunDetail } from "@/api/generated/orchestrator";
import { IconButton } from "@/components/Button";
import { SidePanel } from "@/components/Dialog";
import { Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { formatCount } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useShortcuts } from "@/lib/shortcuts";
import { useValue } from "@/live/hooks";
import { loadCode } from "@/live/reach";
import type { RunStore } from "@/live/run-store";
import type { ShownItems } from "../results/useShownItems";
import { ItemActions } from "../read/ItemActions";
import { isOfTask } from "../read/useItemActions";
import { AGAINST_REFERENCE, useAgainst } from "./against";
import { ItemBody } from "./ItemBody";
import { RetryItem } from "./RetryItem";
import { runHref } from "../run/run-views";
import { useOpenItem } from "./item-url";
import { useItem } from "./use-item";

// Few items are turns of a conversation.
const ConversationTurns = lazy(() => loadCode(async () => ({ default: (await import("./ConversationTurns")).ConversationTurns })));
const Comments = lazy(() => loadCode(() => import("./Comments")));
const TaskChanged = lazy(() => loadCode(() => import("../mend/TaskChanged")));

interface Props {
  run: RunDetail;
  store: RunStore;
  /** The rows in the order of the table, for next and previous. */
  shown: Pick<ShownItems, "ids" | "total" | "more">;
  /** The open one. */
  id: string;
}

/** The next items are requested when this many remain. */
const AHEAD = 5;

export function ItemPanel({ run, store, shown: { ids, total, more }, id }: Props) {
  const { search } = useLocation();
  const [, setId] = useOpenItem();
  const { row, item, error, isError, refetch } = useItem(run.id, store, id);
  const status = useValue(store.head)?.status ?? run.status;
  const isOver = status === "FINISHED" || status === "CANCELLED";
  // The choice stays while one steps from item to item.
  const [against, setAgainst] = useAgainst();
  const at = ids.indexOf(id);
  const isNearEnd = more !== undefined && at >= ids.length - AHEAD;
  const askMore = useEffectEvent(() => more?.());
  useEffect(() => {
    if (isNearEnd) askMore();
  }, [isNearEnd]);
  const step = (by: number) => {
    const next = ids[at === -1 ? 0 : at + by];
    if (next !== undefined) setId(next);
  };
  // Up and down are left to scrolling.
  useShortcuts(
    "Open item",
    [
      { keys: ["j", "ArrowRight"], label: "Next item", run: () => step(1) },
      { keys: ["k", "ArrowLeft"], label: "Previous item", run: () => step(-1) },
      { keys: ["d"], label: "Show differences", run: () => setAgainst(against === null ? AGAINST_REFERENCE : null) },
      { keys: ["c"], label: "Copy its link", run: () => void copyLink().catch(() => undefined) },
    ],
    { modal: true },
  );

  const title = row ? row.task_id : (item?.task_id ?? "Item");
  return (
    <SidePanel open onClose={() => setId(null)} title={`Item ${harmless(title)}`}>
      <header className="flex items-center justify-between gap-3 border-b border-line py-2.5 pr-2.5 pl-5">
        <div className="min-w-0">
          <p className="truncate text-base font-semibold" aria-hidden="true">
            {harmless(title)}
          </p>
          <p className="truncate text-xs text-ink-2">{row && `${harmless(row.target_label)} · ${harmless(row.category)}`}</p>
        </div>
        <div className="flex items-center">
          <Link to={runHref(run.id, "read", search)} className="px-2 text-xs font-medium whitespace-nowrap text-accent hover:underline">All targets</Link>
          <CopyLink />
          <span className="hidden px-2 text-xs whitespace-nowrap text-ink-3 sm:inline">
            {at >= 0 && `${formatCount(at + 1)} of ${formatCount(total ?? ids.length)}`}
          </span>
          <IconButton icon="up" label="Previous item (k)" disabled={at <= 0} onClick={() => step(-1)} />
          <IconButton icon="down" label="Next item (j)" disabled={at === -1 || at === ids.length - 1} onClick={() => step(1)} />
          <IconButton icon="cross" label="Close (Esc)" onClick={() => setId(null)} />
        </div>
      </header>
      <div key={id} tabIndex={0} role="group" aria-label="Item" className="min-h-0 flex-1 overflow-y-auto px-5 py-4 outline-offset-[-2px]">
        {item ? (
          <ItemBody
            item={item}
            row={row ?? item}
            evaluators={run.evaluators}
            actions={<><RetryItem run={run} store={store} item={row ?? item} /><ItemActions run={run} item={item} />{isOfTask(run) && <Suspense><TaskChanged run={run} item={item} /></Suspense>}</>}
            comments={<Suspense><Comments runId={run.id} itemId={item.id} /></Suspense>}
            isOver={isOver}
            targets={run.targets}
            against={against}
            onAgainst={setAgainst}
            before={item.conversation_id && <Suspense><ConversationTurns item={item} store={store} /></Suspense>}
          />
        ) : isError ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : <BodySkeleton />}
      </div>
    </SidePanel>
  );
}

const copyLink = () => navigator.clipboard.writeText(location.href);

function CopyLink() {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await copyLink();
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return <IconButton icon={copied ? "check" : "link"} label={copied ? "Link copied" : "Copy link to this item"} onClick={() => void copy().catch(() => undefined)} />;
}

function BodySkeleton() {
  return (
    <div role="status" aria-label="Loading the item" className="flex flex-col gap-3">
      <Skeleton className="h-12" />
      <Skeleton className="h-24" />
      <Skeleton className="h-40" />
    </div>
  );
}
