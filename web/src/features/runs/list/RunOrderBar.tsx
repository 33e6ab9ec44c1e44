import { IconButton } from "@/components/Button";
import { SelectField } from "@/components/Field";
import { GROUPS, SORTS, useRunOrder, type SortKey } from "./run-order";

const SORT_OPTIONS = SORTS.map(({ key, label }) => ({ value: key, label }));
const GROUP_OPTIONS = [{ value: "", label: "No groups" }, ...GROUPS.map(({ by, label }) => ({ value: by, label: `By ${label.toLowerCase()}` }))];

/** The choice of sorting and groups, also by columns that have no place on a small screen. */
export function RunOrderBar() {
  const { sort, order, group, sortBy, groupBy } = useRunOrder();
  const other = order === "asc" ? "desc" : "asc";
  return (
    <div className="flex flex-wrap items-end gap-3">
      <SelectField className="w-36" label="Sort by" options={SORT_OPTIONS} value={sort} onChange={(key: SortKey) => sortBy(key, SORTS.find((one) => one.key === key)!.first)} />
      <IconButton icon={order === "asc" ? "up" : "down"} label={order === "asc" ? "Ascending: sort descending" : "Descending: sort ascending"} onClick={() => sortBy(sort, other)} />
      <SelectField className="w-36" label="Groups" options={GROUP_OPTIONS} value={group ?? ""} onChange={(by) => groupBy(GROUPS.find((one) => one.by === by)?.by ?? null)} />
    </div>
  );
}
