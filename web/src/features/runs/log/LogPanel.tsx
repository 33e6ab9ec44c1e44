import { useMemo, useState } from "react";
import { Button } from "@/components/Button";
import { FilterChips } from "@/components/FilterChips";
import { Section } from "@/components/Section";
import { useUrlSet } from "@/lib/url-state";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { isOver, LOG_KINDS, LOG_LABELS } from "../run-words";
import { LogLines } from "./LogLines";

const OPTIONS = LOG_KINDS.map((value) => ({ value, label: LOG_LABELS[value] }));

interface Props {
  store: RunStore;
  onLoadEarlier: () => Promise<boolean>;
}

export function LogPanel({ store, onLoadEarlier }: Props) {
  const lines = useValue(store.log.lines);
  const start = useValue(store.logStart);
  const status = useValue(store.head)?.status;
  const over = status !== undefined && isOver(status);
  const [kinds, setKinds] = useUrlSet("log", LOG_KINDS);
  const [loading, setLoading] = useState(false);
  const shown = useMemo(
    () => (kinds.length === 0 ? lines : lines.filter((line) => kinds.includes(line.kind ?? "note"))),
    [lines, kinds],
  );
  const loadEarlier = async () => {
    setLoading(true);
    await onLoadEarlier().finally(() => setLoading(false));
  };
  return (
    <Section
      title={over ? "Log" : "Live log"}
      className="h-[32rem] lg:h-[min(44rem,70vh)]"
      aside={<FilterChips label="Filter the log by kind" options={OPTIONS} selected={kinds} onChange={setKinds} />}
    >
      {start > 1 && (
        <div className="flex justify-center border-b border-line p-1.5">
          <Button kind="ghost" icon="up" disabled={loading} onClick={() => void loadEarlier()}>
            {loading ? "Loading…" : "Load earlier lines"}
          </Button>
        </div>
      )}
      {shown.length > 0 ? (
        <LogLines lines={shown} />
      ) : (
        <p className="grid flex-1 place-items-center px-6 text-center text-ink-2">
          {lines.length > 0 ? "No line of this kind." : over ? "This run has no log." : "Prompts, answers and verdicts appear here as they arrive."}
        </p>
      )}
    </Section>
  );
}
