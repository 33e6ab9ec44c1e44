import { Link } from "react-router";
import type { SuiteOut } from "@/api/generated/config-api";
import { useListSuiteVersionsQuery } from "@/api/suites";
import { Chip } from "@/components/Chip";
import { SelectField } from "@/components/Field";
import { Moment } from "@/components/Moment";
import { ErrorMessage } from "@/components/Problem";
import { Section } from "@/components/Section";
import { formatCount } from "@/lib/format";
import { useUrlText } from "@/lib/url-state";
import { statusLook } from "./suite-words";
import { VersionDiff } from "./VersionDiff";

const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-2.5 align-top first:pl-4 last:pr-4";

/** The versions of the suite, and what distinguishes the shown one from another; `?against=<id>` names it. */
export function Versions({ suite }: { suite: SuiteOut }) {
  const query = useListSuiteVersionsQuery({ id: suite.id }, { refetchOnMountOrArgChange: true });
  const [against, setAgainst] = useUrlText("against");
  const versions = query.data?.items ?? [];
  const others = versions.filter((one) => one.id !== suite.id);
  const other = others.find((one) => one.id === against);
  const options = [{ value: "", label: "No version" }, ...others.map((one) => ({ value: one.id, label: `Version ${one.version_number}` }))];
  return (
    <>
      <Section title="Versions">
        {query.isError && !query.data ? (
          <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
        ) : !query.data ? (
          <p className="px-4 py-3 text-ink-2">Loading…</p>
        ) : (
          <>
            <table className="w-full table-fixed">
              <thead className="border-b border-line bg-sunken text-xs text-ink-2">
                <tr>
                  <th scope="col" className={HEAD}>Version</th>
                  <th scope="col" className={`${HEAD} w-32`}>Status</th>
                  <th scope="col" className={`${HEAD} hidden w-24 text-right sm:table-cell`}>Tasks</th>
                  <th scope="col" className={`${HEAD} w-36 sm:w-48`}>Published</th>
                </tr>
              </thead>
              <tbody className="divide-y divide-line">
                {versions.map((one) => (
                  <tr key={one.id}>
                    <td className={CELL}>
                      {one.id === suite.id ? (
                        <span className="font-medium">{one.version_number} <span className="font-normal text-ink-2">(shown)</span></span>
                      ) : (
                        <Link to={`/suites/${one.id}`} aria-label={`Version ${one.version_number}`} className="font-medium text-accent hover:underline">{one.version_number}</Link>
                      )}
                    </td>
                    <td className={CELL}><Chip {...statusLook(one.status)} /></td>
                    <td className={`${CELL} hidden text-right sm:table-cell`}>{formatCount(one.task_count)}</td>
                    <td className={`${CELL} text-ink-2`}><Moment at={one.published_at} /></td>
                  </tr>
                ))}
              </tbody>
            </table>
            {others.length > 0 && (
              <div className="border-t border-line px-4 py-3">
                <SelectField label={`Compare version ${suite.version_number} with`} className="max-w-56" options={options} value={other ? against : ""} onChange={setAgainst} />
              </div>
            )}
          </>
        )}
      </Section>
      {other && <VersionDiff before={other.version_number < suite.version_number ? other : suite} after={other.version_number < suite.version_number ? suite : other} />}
    </>
  );
}
