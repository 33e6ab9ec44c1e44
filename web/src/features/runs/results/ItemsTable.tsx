import type { ItemStatus } from "@/api/generated/orchestrator";
import { Button } from "@/components/Button";
import { DataGrid } from "@/components/DataGrid";
import { FilterChips } from "@/components/FilterChips";
import { Message } from "@/components/Message";
import { Section } from "@/components/Section";
import { formatCount, plural } from "@/lib/format";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { useOpenItem } from "../item/item-url";
import { ITEM_LOOKS, ITEM_STATUSES } from "../run-words";
import { ITEM_COLUMNS } from "./item-columns";

interface Props {
  store: RunStore;
  visible: readonly string[];
  states: readonly ItemStatus[];
  onStates: (states: readonly ItemStatus[]) => void;
}

export function ItemsTable({ store, visible, states, onStates }: Props) {
  const { ids, counts } = useValue(store.items.index);
  const loading = useValue(store.loading);
  const [open] = useOpenItem();
  const options = ITEM_STATUSES.map((value) => ({ value, label: ITEM_LOOKS[value].label, count: formatCount(counts[value]) }));
  return (
    <Section
      title="Items"
      aside={
        <p role="status" className="text-xs text-ink-2">
          {loading ? `Loading, ${plural(loading.loaded, "row")} so far…` : states.length > 0 ? `${formatCount(visible.length)} of ${plural(ids.length, "item")}` : plural(ids.length, "item")}
        </p>
      }
    >
      <div className="border-b border-line px-4 py-2">
        <FilterChips label="Filter items by state" options={options} selected={states} onChange={onStates} />
      </div>
      <div>
        {visible.length > 0 ? (
          <DataGrid label="Items" columns={ITEM_COLUMNS} ids={visible} rows={store.items.rows} selected={open} />
        ) : loading ? (
          <p className="px-4 py-8 text-center text-ink-2">Loading items…</p>
        ) : ids.length > 0 ? (
          <Message icon="ring" title="No item is in this state">
            <Button className="mt-3" onClick={() => onStates([])}>
              Show all items
            </Button>
          </Message>
        ) : (
          <Message icon="ring" title="This run has no items">
            <p>Its collections held no tasks when it was created.</p>
          </Message>
        )}
      </div>
    </Section>
  );
}
