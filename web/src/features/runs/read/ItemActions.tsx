import type { ItemDetail, RunDetail } from "@/api/generated/orchestrator";
import { Button, ButtonLink } from "@/components/Button";
import type { MenuEntry } from "@/components/Menu";
import { useItemActions } from "./useItemActions";

/** The actions on an item side by side: a menu would open behind the panel. */
export function ItemActions({ run, item }: { run: RunDetail; item: ItemDetail }) {
  const { entries, dialogs } = useItemActions(run, item);
  return (
    <>
      <ul aria-label="Actions" className="-mx-2.5 flex flex-wrap print:hidden">
        {entries.map((entry) => (
          <li key={entry.label}>
            <Action entry={entry} />
          </li>
        ))}
      </ul>
      {dialogs}
    </>
  );
}

function Action({ entry: { label, icon, right, to, detail, disabled, onSelect } }: { entry: MenuEntry }) {
  const optional = { ...(icon && { icon }), ...(right && { right }) };
  if (to !== undefined) return <ButtonLink kind="ghost" to={to} {...optional}>{label}</ButtonLink>;
  return <Button kind="ghost" title={detail} disabled={disabled} onClick={onSelect} {...optional}>{label}</Button>;
}
