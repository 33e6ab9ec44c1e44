import { lazy, Suspense, useState } from "react";
import type { ItemDetail, RunDetail } from "@/api/generated/orchestrator";
import { Menu } from "@/components/Menu";
import { compareColumnsHref, MOST_COLUMNS } from "@/lib/compare-link";
import { harmless } from "@/lib/plain-text";
import { loadCode } from "@/live/reach";
import { runHref } from "../run/run-views";

const AddToDataset = lazy(() => loadCode(async () => ({ default: (await import("./AddToDataset")).AddToDataset })));

/** The menu of actions on an item. */
export function ItemMenu({ run, item }: { run: RunDetail; item: ItemDetail }) {
  const [adding, setAdding] = useState(false);
  const columns = [item.target_id, ...run.targets.map((one) => one.id).filter((id) => id !== item.target_id)].slice(0, MOST_COLUMNS).map((targetId) => ({ runId: run.id, targetId }));
  const [version] = run.dataset_versions;
  // A run of collections copies tasks; one of a dataset copies test cases.
  const source =
    run.collections.length > 0 && run.dataset_versions.length === 0
      ? [{ label: "Edit its task", icon: "pencil" as const, right: "tasks:update" as const, to: `/tasks/${item.case.id}` }]
      : run.collections.length === 0 && run.dataset_versions.length === 1 && version
        ? [{ label: "Open its dataset", icon: "pencil" as const, to: `/datasets/${version.dataset_id}/versions/${version.version_number}` }]
        : [];
  return (
    <>
      <Menu
        label={`Actions for the answer of ${harmless(item.target_label)}`}
        icon="more"
        iconOnly
        entries={[
          { label: "Everything about this item", icon: "search", to: runHref(run.id, "items", `item=${item.id}`) },
          { label: "Try in the playground", icon: "play", right: "runs:create", to: `/playground?like=${encodeURIComponent(run.id)}&item=${encodeURIComponent(item.id)}` },
          ...source,
          { label: "Add the case to a dataset", icon: "plus", right: "datasets:create", onSelect: () => setAdding(true) },
          ...(run.targets.length > 1 ? [{ label: "Open in compare", icon: "scale" as const, to: `${compareColumnsHref(columns)}&q=${encodeURIComponent(item.task_id)}` }] : []),
        ]}
      />
      <Suspense>{adding && <AddToDataset item={item} onClose={() => setAdding(false)} />}</Suspense>
    </>
  );
}
