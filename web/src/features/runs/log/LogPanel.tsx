import { useMemo, useRef, useState } from "react";
import { Link } from "react-router";
import type { RunDetail } from "@/api/generated/orchestrator";
import { Button } from "@/components/Button";
import { Message } from "@/components/Message";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { formatCount, formatPart } from "@/lib/format";
import { useShortcuts } from "@/lib/shortcuts";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { useItemsHref } from "../results/item-filter";
import { isOver } from "../run-words";
import { lineTest, useLogFilter } from "./log-filter";
import { LogFilters } from "./LogFilters";
import { LogLines } from "./LogLines";
import { useEarlierLines } from "./useEarlierLines";

interface Props {
  run: RunDetail;
  store: RunStore;
  onLoadEarlier: () => Promise<boolean>;
}

export function LogPanel({ run, store, onLoadEarlier }: Props) {
  const lines = useValue(store.log.lines);
  const isPartial = useValue(store.logStart) > 1;
  const over = isOver(useValue(store.head)?.status ?? run.status);
  const labels = useMemo(() => [...new Set(run.targets.map((one) => one.label))], [run.targets]);
  const view = useLogFilter(labels);
  const { filter, isFiltered, text } = view;
  const isShown = useMemo(() => lineTest(filter), [filter]);
  const shown = useMemo(() => (isFiltered ? lines.filter(isShown) : lines), [lines, isFiltered, isShown]);
  const earlier = useEarlierLines(store, onLoadEarlier, isFiltered ? isShown : null);
  const count = countOf(shown.length, lines.length, { isFiltered, isPartial });
  const filterKey = JSON.stringify([filter.kinds, filter.targets, text]);
  const panel = useRef<HTMLDivElement>(null);
  const clear = () => {
    view.clear();
    // The pressed button disappears.
    panel.current?.querySelector<HTMLElement>("input[type=search]")?.focus();
  };
  useShortcuts("On this screen", [{ keys: ["x"], label: "Clear the filters", run: view.clear }]);
  return (
    <Section title={over ? "Log" : "Live log"} className="h-[36rem] lg:h-[min(44rem,70vh)]">
      <div ref={panel} className="contents">
        <LogFilters view={view} labels={labels} count={count} onClear={clear} />
        <Announcement of={`${earlier.rounds} ${filterKey}`} text={count} />
        {isPartial && (
          <div className="flex flex-col items-center gap-1.5 border-b border-line p-1.5">
            <Button kind="ghost" icon="up" disabled={earlier.loading} onClick={() => void earlier.load()}>
              {earlier.loading ? "Loading…" : isFiltered ? "Search earlier lines" : "Load earlier lines"}
            </Button>
            {earlier.error !== undefined && <ProblemNote error={earlier.error} />}
          </div>
        )}
        {shown.length > 0 ? (
          // The key shows the end of what a new filter leaves.
          <LogLines key={filterKey} lines={shown} pattern={filter.pattern} />
        ) : lines.length > 0 && isFiltered ? (
          <NoMatch text={text} isPartial={isPartial} onClear={clear} />
        ) : (
          <p className="grid flex-1 place-items-center px-6 text-center text-ink-2">
            {over ? "This run has no log." : "Prompts, answers and verdicts appear here as they arrive."}
          </p>
        )}
      </div>
    </Section>
  );
}

function countOf(shown: number, all: number, { isFiltered, isPartial }: { isFiltered: boolean; isPartial: boolean }): string {
  const noun = `${isPartial ? "loaded " : ""}${all === 1 ? "line" : "lines"}`;
  return `${isFiltered ? formatPart(shown, all) : formatCount(all)} ${noun}`;
}

/** Announce the count after a change of the filter, and not with every new line of a live log. */
function Announcement({ of, text }: { of: string; text: string }) {
  const [told, setTold] = useState({ of, text: "" });
  if (told.of !== of) setTold({ of, text });
  return <p role="status" className="sr-only">{told.text}</p>;
}

function NoMatch({ text, isPartial, onClear }: { text: string; isPartial: boolean; onClear: () => void }) {
  const itemsHref = useItemsHref();
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <Message icon="search" title={isPartial ? "No loaded line matches" : "No line matches"}>
        {isPartial && <p>Earlier lines are not loaded, and not searched yet.</p>}
        {text !== "" && (
          <p>
            The log has the first 4 KiB of a text.{" "}
            <Link to={itemsHref({ q: text })} className="font-medium text-accent underline">Search the items</Link> for whole questions, answers and reasons.
          </p>
        )}
        <Button className="mt-3" onClick={onClear}>Show all lines</Button>
      </Message>
    </div>
  );
}
