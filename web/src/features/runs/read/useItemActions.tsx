import { lazy, Suspense, useState, type ReactNode } from "react";
import { useLocation } from "react-router";
import type { ItemDetail, RunDetail } from "@/api/generated/orchestrator";
import type { MenuEntry } from "@/components/Menu";
import { compareColumnsHref, MOST_COLUMNS } from "@/lib/compare-link";
import { loadCode } from "@/live/reach";
import { againRequest } from "./again-request";

const AddToDataset = lazy(() => loadCode(async () => ({ default: (await import("./AddToDataset")).AddToDataset })));
const AnswerAgain = lazy(() => loadCode(async () => ({ default: (await import("./AnswerAgain")).AnswerAgain })));

/** Return the actions on an item, and the dialogs that they open. */
export function useItemActions(run: RunDetail, item: ItemDetail): { entries: MenuEntry[]; dialogs: ReactNode } {
  const { pathname, search } = useLocation();
  const [dialog, setDialog] = useState<"again" | "dataset" | null>(null);
  const close = () => setDialog(null);
  const again = againRequest(item, run.targets);
  const entries: MenuEntry[] = [
    { label: "Answer it again", icon: "retry", right: "runs:create", disabled: again === null, onSelect: () => setDialog("again"), ...(again === null && { detail: whyNot(item) }) },
    { label: "Try in the playground", icon: "play", right: "runs:create", to: `/playground?like=${encodeURIComponent(run.id)}&item=${encodeURIComponent(item.id)}` },
    ...sourceOf(run, item, `${pathname}${search}`),
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

/** Return whether the run's cases are copies of tasks. A run of a dataset copies test cases. */
export const isOfTask = ({ collections, dataset_versions: versions }: RunDetail) => collections.length > 0 && versions.length === 0;

/** The way to where the case was copied from; a task's form leads back to `here`. */
function sourceOf(run: RunDetail, item: ItemDetail, here: string): MenuEntry[] {
  const { collections, dataset_versions: versions } = run;
  const [version] = versions;
  if (isOfTask(run)) return [{ label: "Edit its task", icon: "pencil", right: "tasks:update", to: `/tasks/${item.case.id}?back=${encodeURIComponent(here)}` }];
  if (collections.length > 0 || !version || versions.length > 1) return [];
  return [{ label: "Open its dataset", icon: "pencil", to: `/datasets/${version.dataset_id}/versions/${version.version_number}` }];
}

function compareHref(run: RunDetail, item: ItemDetail): string {
  const columns = [item.target_id, ...run.targets.map((one) => one.id).filter((id) => id !== item.target_id)].slice(0, MOST_COLUMNS);
  return `${compareColumnsHref(columns.map((targetId) => ({ runId: run.id, targetId })))}&q=${encodeURIComponent(item.task_id)}`;
}
