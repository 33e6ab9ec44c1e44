import { MOST_PER_PAGE, type TaskSort } from "@/api/tasks";
import { useListCollectionsQuery } from "@/api/collections";
import type { Category } from "@/api/generated/config-api";
import { INPUT } from "@/components/Field";
import { SearchField } from "@/components/SearchField";
import { formatCount } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useMay } from "@/lib/rights";
import type { ShownFilter } from "./task-view";

const SORTS = [
  { value: "task_id", label: "By task id" },
  { value: "-task_id", label: "By task id, descending" },
  { value: "category", label: "By category" },
  { value: "-category", label: "By category, descending" },
  { value: "-updated_at", label: "Last changed first" },
  { value: "updated_at", label: "Last changed last" },
] as const satisfies readonly { value: TaskSort; label: string }[];

interface Props {
  sort: TaskSort | undefined;
  onSort: (sort: TaskSort | null) => void;
  filter: ShownFilter;
  categories: readonly Category[];
  onChange: (change: Partial<Record<keyof ShownFilter, string | null>>) => void;
}

export function TaskFilters({ filter, sort, categories, onChange, onSort }: Props) {
  const seesCollections = useMay("collections:read");
  const collections = useListCollectionsQuery({ limit: MOST_PER_PAGE }, { skip: !seesCollections });
  const subcategories = categories.find((one) => one.category === filter.category)?.subcategories.filter((one) => one.subcategory !== null) ?? [];
  return (
    <div role="search" aria-label="Tasks" className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      <SearchField label="Search tasks" placeholder="Search id, question, category" value={filter.q ?? ""} onSearch={(q) => onChange({ q })} className="max-sm:col-span-2 sm:max-w-80" />
      <Choice
        label="Category"
        all="All categories"
        value={filter.category}
        options={categories.map((one) => ({ value: one.category, label: `${harmless(one.category)} (${formatCount(one.task_count)})` }))}
        onChange={(category) => onChange({ category })}
      />
      {(subcategories.length > 0 || filter.subcategory) && (
        <Choice
          label="Subcategory"
          all="All subcategories"
          value={filter.subcategory}
          options={subcategories.map((one) => ({ value: one.subcategory ?? "", label: `${harmless(one.subcategory ?? "")} (${formatCount(one.task_count)})` }))}
          onChange={(subcategory) => onChange({ subcategory })}
        />
      )}
      {seesCollections && (
        <Choice
          label="Collection"
          all="All collections"
          value={filter.collectionId}
          options={(collections.data?.items ?? []).map((one) => ({ value: one.id, label: `${harmless(one.name)} (${formatCount(one.task_count)})` }))}
          onChange={(collectionId) => onChange({ collectionId })}
        />
      )}
      {/* On small screens, where the column heads are hidden. */}
      <Choice
        label="Order"
        all={filter.collectionId ? "In the collection’s order" : "Default order"}
        value={sort}
        options={SORTS}
        onChange={(next) => onSort(SORTS.find((one) => one.value === next)?.value ?? null)}
        className="sm:hidden"
      />
    </div>
  );
}

interface ChoiceProps {
  label: string;
  all: string;
  value: string | null | undefined;
  options: readonly { value: string; label: string }[];
  onChange: (value: string | null) => void;
  className?: string;
}

/** A chosen value that is no longer an option (a shared link, a deleted category) stays visible. */
function Choice({ label, all, value, options, onChange, className = "" }: ChoiceProps) {
  const isUnknown = value && !options.some((one) => one.value === value);
  return (
    <select aria-label={label} value={value ?? ""} onChange={(event) => onChange(event.target.value || null)} className={`${INPUT} h-8 sm:w-auto sm:max-w-60 ${value ? "border-accent" : ""} ${className}`}>
      <option value="">{all}</option>
      {isUnknown && <option value={value}>{harmless(value)}</option>}
      {options.map((one) => (
        <option key={one.value} value={one.value}>
          {one.label}
        </option>
      ))}
    </select>
  );
}
