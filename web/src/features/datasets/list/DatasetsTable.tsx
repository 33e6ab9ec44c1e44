import { Link } from "react-router";
import { runOnVersionHref } from "@/api/datasets";
import type { DatasetOut } from "@/api/generated/config-api";
import { StateText } from "@/components/Chip";
import { Menu, type MenuEntry } from "@/components/Menu";
import { Moment } from "@/components/Moment";
import { formatCount, plural } from "@/lib/format";
import { excerpt, harmless } from "@/lib/plain-text";
import { datasetLook, TYPE_LABELS } from "../dataset-words";

const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-2.5 align-top first:pl-4 last:pr-4";
const TAGS_SHOWN = 4;

interface Props {
  datasets: readonly DatasetOut[];
  onEdit: (dataset: DatasetOut) => void;
  onDelete: (dataset: DatasetOut) => void;
}

/** The list of datasets. On small screens the columns fold into the line under the name. */
export function DatasetsTable({ datasets, onEdit, onDelete }: Props) {
  return (
    <table className="w-full table-fixed">
      <thead className="border-b border-line bg-sunken text-xs text-ink-2">
        <tr>
          <th scope="col" className={HEAD}>Dataset</th>
          <th scope="col" className={`${HEAD} hidden w-50 md:table-cell`}>State</th>
          <th scope="col" className={`${HEAD} hidden w-32 lg:table-cell`}>Type</th>
          <th scope="col" className={`${HEAD} w-22 text-right`} title="In the newest version">Cases</th>
          <th scope="col" className={`${HEAD} hidden w-24 text-right sm:table-cell`}>Versions</th>
          <th scope="col" className={`${HEAD} hidden w-40 sm:table-cell`}>Changed</th>
          <th scope="col" className={`${HEAD} w-16`}>
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {datasets.map((one) => (
          <tr key={one.dataset_id} className="hover:bg-hover">
            <td className={CELL}>
              <Link to={`/datasets/${one.dataset_id}`} className="font-medium wrap-anywhere hover:text-accent">
                {harmless(one.name)}
              </Link>
              {one.description && <p className="line-clamp-2 text-ink-2 wrap-anywhere">{harmless(excerpt(one.description, 300, 3).text)}</p>}
              <Tags tags={one.tags} />
              <p className="mt-0.5 text-xs md:hidden"><StateText {...datasetLook(one)} /></p>
            </td>
            <td className={`${CELL} hidden md:table-cell`}><StateText {...datasetLook(one)} /></td>
            <td className={`${CELL} hidden text-ink-2 lg:table-cell`}>{TYPE_LABELS[one.type]}</td>
            <td className={`${CELL} text-right`}>{formatCount(one.row_count)}</td>
            <td className={`${CELL} hidden text-right text-ink-2 sm:table-cell`}>{formatCount(one.version_count)}</td>
            <td className={`${CELL} hidden text-ink-2 sm:table-cell`}><Moment at={one.updated_at} /></td>
            <td className="py-1 pr-3 text-right align-top">
              <Menu label={`More about ${harmless(one.name)}`} icon="more" iconOnly entries={entriesOf(one, onEdit, onDelete)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function entriesOf(one: DatasetOut, onEdit: Props["onEdit"], onDelete: Props["onDelete"]): MenuEntry[] {
  const published = one.published_version;
  return [
    {
      label: "Run models on it",
      icon: "play",
      right: "runs:create",
      disabled: published === null,
      ...(published === null ? { detail: "Publish a version first." } : { detail: `Version ${published}`, to: runOnVersionHref({ dataset_id: one.dataset_id, version_number: published }) }),
    },
    { label: "Upload a version", icon: "up", right: "datasets:create", to: `/import?to=dataset&dataset=${one.dataset_id}` },
    { label: "Edit…", icon: "pencil", right: "datasets:update", onSelect: () => onEdit(one) },
    { label: "Delete…", icon: "trash", danger: true, right: "datasets:delete", onSelect: () => onDelete(one) },
  ];
}

export function Tags({ tags, all = false }: { tags: readonly string[]; /** However many there are. */ all?: boolean }) {
  if (tags.length === 0) return null;
  const shown = all ? tags : tags.slice(0, TAGS_SHOWN);
  return (
    <ul aria-label="Tags" className="mt-1 flex flex-wrap gap-1">
      {shown.map((tag) => (
        <li key={tag} className="max-w-full truncate rounded bg-mute-soft px-1.5 text-xs text-ink-2">{harmless(tag)}</li>
      ))}
      {shown.length < tags.length && <li className="text-xs text-ink-3">and {plural(tags.length - shown.length, "other")}</li>}
    </ul>
  );
}
