import type { ItemDetail, RunDetail } from "@/api/generated/orchestrator";
import { Menu } from "@/components/Menu";
import { harmless } from "@/lib/plain-text";
import { runHref } from "../run/run-views";
import { useItemActions } from "./useItemActions";

/** The menu of actions on an item. */
export function ItemMenu({ run, item }: { run: RunDetail; item: ItemDetail }) {
  const { entries, dialogs } = useItemActions(run, item);
  return (
    <>
      <Menu
        label={`Actions for the answer of ${harmless(item.target_label)}`}
        icon="more"
        iconOnly
        entries={[{ label: "Everything about this item", icon: "search", to: runHref(run.id, "items", `item=${item.id}`) }, ...entries]}
      />
      {dialogs}
    </>
  );
}
