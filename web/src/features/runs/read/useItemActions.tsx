import { lazy, Suspense, useState, type ReactNode } from "react";
import type { ItemDetail, RunDetail } from "@/api/generated/orchestrator";
import type { MenuEntry } from "@/components/Menu";
import { compareColumnsHref, MOST_COLUMNS } from "@/lib/compare-link";
import { loadCode } from "@/live/reach";
import { againRequest } from "./again-request";

const AddToDataset = lazy(() => loadCode(async () => ({ default: (await import("./AddToDataset")).AddToDataset })));
const AnswerAgain = lazy(() => loadCode(async () => ({ default: (await import("./AnswerAgain")).AnswerAgain })));

/** Return the actions on an item, and the dialogs that they open. */
export function useItemActions(run: RunDetail, item: ItemDetail): { entries: MenuEntry[]; dialogs: ReactNode } {
  const [dialog, setDialog] = useState<"again" | "dataset" | null>(null);
  const close = () => setDialog(null);
  const again = againRequest(item, run.targets);
  const entries: MenuEntry[] = [
    { label: "Answer it again", icon: "retry", right: "runs:create", disabled: again === null, onSelect: () => setDialog("again"), ...(again === null && { detail: whyNot(item) }) },
    { label: "Try in the playground", icon: "play", right: "runs:create", to: `/playground?like=${encodeURIComponent(run.id)}&item=${encodeURIComponent(item.id)}` },
    ...sourceOf(run, item),
    { label: "Add the case to a dataset", icon: "plus", right: "datasets:create", onSelect: () => setDialog("dataset") },
    ...(run.targets.length > 1 ? [{ label: "Open in compare", icon: "scale" as const, to: compareHref(run, item) }] : []),
  ];
  const dialogs = (
    <Suspense>
      {dialog === "dataset" && <AddToDataset item={item} onClose={close} />}
      {dialog === "again" && again && <AnswerAgain request={again} onClose={close} />}
    </Suspense>
  );
  return { entries, dialogs };
}

const whyNot = (item: ItemDetail) => (item.case.conversation_id || (item.case.conversation ?? []).length > 0 ? "A turn needs the turns before it." : "Its provider was deleted.");

/** A run of collections copies tasks; one of a dataset copies test cases. */
function sourceOf({ collections, dataset_versions: versions }: RunDetail, item: ItemDetail): MenuEntry[] {
  const [version] = versions;
  if (collections.length > 0 && !version) return [{ label: "Edit its task", icon: "pencil", right: "tasks:update", to: `/tasks/${item.case.id}` }];
  if (collections.length > 0 || !version || versions.length > 1) return [];
  return [{ label: "Open its dataset", icon: "pencil", to: `/datasets/${version.dataset_id}/versions/${version.version_number}` }];
}

function compareHref(run: RunDetail, item: ItemDetail): string {
  const columns = [item.target_id, ...run.targets.map((one) => one.id).filter((id) => id !== item.target_id)].slice(0, MOST_COLUMNS);
  return `${compareColumnsHref(columns.map((targetId) => ({ runId: run.id, targetId })))}&q=${encodeURIComponent(item.task_id)}`;
}
