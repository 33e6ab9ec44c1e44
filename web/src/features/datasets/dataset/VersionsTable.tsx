import { useState } from "react";
import { Link } from "react-router";
import { formatName } from "@/api/datasets";
import type { DatasetOut, VersionOut } from "@/api/generated/config-api";
import { Chip } from "@/components/Chip";
import { Menu } from "@/components/Menu";
import { Moment } from "@/components/Moment";
import { formatBytes, formatCount } from "@/lib/format";
import { excerpt, harmless } from "@/lib/plain-text";
import { casesOf, shortHash, versionLook } from "../dataset-words";
import { VersionMove, versionEntries, type MoveName } from "../version/VersionMove";

const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-2.5 align-top first:pl-4 last:pr-4";

/** Newest first. On small screens the file folds into the line under the version. */
export function VersionsTable({ dataset, versions }: { dataset: DatasetOut; versions: readonly VersionOut[] }) {
  const [asked, setAsked] = useState<{ move: MoveName; version: VersionOut } | null>(null);
  return (
    <>
      <table className="w-full table-fixed">
        <thead className="border-b border-line bg-sunken text-xs text-ink-2">
          <tr>
            <th scope="col" className={HEAD}>Version</th>
            <th scope="col" className={`${HEAD} w-32`}>State</th>
            <th scope="col" className={`${HEAD} w-20 text-right`}>Cases</th>
            <th scope="col" className={`${HEAD} hidden w-80 md:table-cell`}>File</th>
            <th scope="col" className={`${HEAD} hidden w-36 lg:table-cell`} title="Versions with the same hash hold the same cases in the same order">Hash</th>
            <th scope="col" className={`${HEAD} hidden w-36 sm:table-cell`}>Uploaded</th>
            <th scope="col" className={`${HEAD} w-14`}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {versions.map((one) => (
            <tr key={one.version_id} className="hover:bg-hover">
              <td className={CELL}>
                <Link to={`/datasets/${one.dataset_id}/versions/${one.version_number}`} className="font-medium hover:text-accent">Version {one.version_number}</Link>
                {one.description && <p className="line-clamp-2 text-ink-2 wrap-anywhere">{harmless(excerpt(one.description, 300, 3).text)}</p>}
                <p className="text-xs text-ink-3 wrap-anywhere md:hidden">{formatName(one.file_format)}, {formatBytes(one.file_bytes)}</p>
              </td>
              <td className={CELL}><Chip {...versionLook(one)} /></td>
              <td className={`${CELL} text-right`}>{formatCount(casesOf(one))}</td>
              <td className={`${CELL} hidden md:table-cell`}>
                <div className="truncate" title={one.file_name ?? undefined}>{one.file_name ? harmless(one.file_name) : "Without a name"}</div>
                <div className="text-xs text-ink-3">{formatName(one.file_format)}, {formatBytes(one.file_bytes)}</div>
              </td>
              <td className={`${CELL} hidden font-mono text-xs leading-5 text-ink-2 lg:table-cell`} title={one.content_hash}>{shortHash(one.content_hash)}</td>
              <td className={`${CELL} hidden text-ink-2 sm:table-cell`}><Moment at={one.created_at} /></td>
              <td className="py-1 pr-3 text-right align-top">
                <Menu label={`More about version ${one.version_number}`} icon="more" iconOnly entries={versionEntries(one, (move) => setAsked({ move, version: one }))} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {asked && <VersionMove {...asked} name={dataset.name} onClose={() => setAsked(null)} />}
    </>
  );
}
