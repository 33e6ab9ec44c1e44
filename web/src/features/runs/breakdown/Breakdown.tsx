import { lazy, Suspense } from "react";
import type { RunDetail } from "@/api/generated/orchestrator";
import { Skeleton } from "@/components/Message";
import { Section } from "@/components/Section";
import { Segments } from "@/components/Segments";
import { harmless } from "@/lib/plain-text";
import { useUrlText } from "@/lib/url-state";
import type { RunStore } from "@/live/run-store";
import { FiguresTable } from "../results/FiguresTable";
import { TagTable } from "./TagTable";
import { TaskTable } from "./TaskTable";
import { loadCode } from "@/live/reach";

const Distributions = lazy(() => loadCode(async () => ({ default: (await import("../charts/Distributions")).Distributions })));
const Intervals = lazy(() => loadCode(async () => ({ default: (await import("../charts/Intervals")).Intervals })));
const HeatMap = lazy(() => loadCode(async () => ({ default: (await import("./HeatMap")).HeatMap })));
const CategoryMap = lazy(() => loadCode(async () => ({ default: (await import("./CategoryMap")).CategoryMap })));
const TradeOffs = lazy(() => loadCode(async () => ({ default: (await import("../charts/TradeOffs")).TradeOffs })));

const VIEWS = [
  { value: "category", label: "By category" },
  { value: "tag", label: "By tag" },
  { value: "task", label: "By task" },
  { value: "map", label: "Category × model" },
  { value: "heatmap", label: "Task × model" },
  { value: "intervals", label: "Intervals" },
  { value: "spread", label: "Histograms" },
  { value: "tradeoffs", label: "Trade-offs" },
] as const;

/** The results in other groupings. Expensive ones are loaded when they are opened. */
export function Breakdown({ run, store }: { run: RunDetail; store: RunStore }) {
  const [by, setBy] = useUrlText("by");
  const view = VIEWS.find((one) => one.value === by)?.value ?? "category";
  return (
    <Section title="Breakdown" aside={<Segments label="Break down by" options={VIEWS} value={view} onChange={(next) => setBy(next === "category" ? "" : next)} />}>
      {view === "category" &&
        (run.categories.length > 0 ? (
          <FiguresTable
            label="Results by category"
            what="Category"
            rows={run.categories.map((one) => ({
              key: one.category,
              figures: one,
              filter: { category: one.category },
              name: <div className="truncate font-medium">{harmless(one.category)}</div>,
            }))}
          />
        ) : (
          <Nothing />
        ))}
      {view === "tag" && <TagTable run={run} />}
      {view === "task" && <TaskTable run={run} />}
      <Suspense fallback={<div className="p-4"><Skeleton className="h-40" /></div>}>
        {view === "map" && <CategoryMap run={run} store={store} />}
        {view === "heatmap" && <HeatMap run={run} store={store} />}
        {view === "intervals" && <Intervals run={run} />}
        {view === "spread" && <Distributions run={run} />}
        {view === "tradeoffs" && <TradeOffs run={run} />}
      </Suspense>
    </Section>
  );
}

function Nothing() {
  return <p className="px-4 py-8 text-center text-ink-2">Results appear with the first answers.</p>;
}
