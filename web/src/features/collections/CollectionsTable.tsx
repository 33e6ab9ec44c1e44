import { Link } from "react-router";
import type { CollectionOut } from "@/api/generated/config-api";
import { Menu } from "@/components/Menu";
import { Moment } from "@/components/Moment";
import { formatCount, plural } from "@/lib/format";
import { excerpt, harmless } from "@/lib/plain-text";

const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-2.5 align-top first:pl-4 last:pr-4";

interface Props {
  collections: readonly CollectionOut[];
  onEdit: (collection: CollectionOut) => void;
  onDelete: (collection: CollectionOut) => void;
}

export const tasksUrl = (collection: CollectionOut) => `/tasks?collection=${collection.id}`;

export function CollectionsTable({ collections, onEdit, onDelete }: Props) {
  return (
    <table className="w-full table-fixed">
      <thead className="border-b border-line bg-sunken text-xs text-ink-2">
        <tr>
          <th scope="col" className={HEAD}>Collection</th>
          <th scope="col" className={`${HEAD} w-24 text-right`}>Tasks</th>
          <th scope="col" className={`${HEAD} hidden w-40 sm:table-cell`}>Changed</th>
          <th scope="col" className={`${HEAD} w-16`}>
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {collections.map((one) => (
          <tr key={one.id} className="hover:bg-hover">
            <td className={CELL}>
              <Link to={`/collections/${one.id}`} className="font-medium wrap-anywhere hover:text-accent">
                {harmless(one.name)}
              </Link>
              {one.description && <p className="line-clamp-2 text-ink-2 wrap-anywhere">{harmless(excerpt(one.description, 300, 3).text)}</p>}
            </td>
            <td className={`${CELL} text-right`}>
              <Link to={tasksUrl(one)} aria-label={`${plural(one.task_count, "task")} of ${harmless(one.name)}`} className="text-accent underline underline-offset-2">
                {formatCount(one.task_count)}
              </Link>
            </td>
            <td className={`${CELL} hidden text-ink-2 sm:table-cell`}><Moment at={one.updated_at} /></td>
            <td className="py-1 pr-3 text-right align-top">
              <Menu
                label={`More about ${harmless(one.name)}`}
                icon="more"
                iconOnly
                entries={[
                  { label: "Add or remove tasks", icon: "plus", right: "collections:update", to: `/collections/${one.id}` },
                  { label: "Show in the list of tasks", icon: "search", right: "tasks:read", to: tasksUrl(one) },
                  { label: "Rename…", icon: "pencil", right: "collections:update", onSelect: () => onEdit(one) },
                  { label: "Delete…", icon: "trash", danger: true, right: "collections:delete", onSelect: () => onDelete(one) },
                ]}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
