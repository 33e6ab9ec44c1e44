import { Link, useLocation, useSearchParams } from "react-router";
import type { TestCaseOut, VersionOut } from "@/api/generated/config-api";
import { formatCount, MISSING } from "@/lib/format";
import { excerpt, harmless } from "@/lib/plain-text";
import { useUrlParam, writeOne } from "@/lib/url-state";
import { expectedOf, promptOf } from "./case-parts";
import { CasePanel } from "./CasePanel";

const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-2.5 align-top first:pl-4 last:pr-4";

/** Cases in a line each; one of them opens beside the table. */
export function CasesTable({ cases, draft }: { cases: readonly TestCaseOut[]; /** The draft in which they can be edited. */ draft?: VersionOut | undefined }) {
  const [open, setOpen] = useUrlParam("case");
  const [search] = useSearchParams();
  const { pathname } = useLocation();
  const at = cases.findIndex((one) => one.test_case_id === open);
  const opened = cases[at];
  return (
    <>
      <table aria-label="Cases" className="w-full table-fixed">
        <thead className="border-b border-line bg-sunken text-xs text-ink-2">
          <tr>
            <th scope="col" className={`${HEAD} w-18 text-right`}>Row</th>
            <th scope="col" className={`${HEAD} hidden w-56 md:table-cell`}>Case</th>
            <th scope="col" className={HEAD}>Prompt</th>
            <th scope="col" className={`${HEAD} hidden w-[28%] sm:table-cell`}>What is right</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {cases.map((one) => (
            <tr key={one.test_case_id} className={`relative ${one.test_case_id === open ? "bg-selected" : "hover:bg-hover"}`}>
              <td className={`${CELL} text-right text-ink-3`}>{formatCount(one.row_index + 1)}</td>
              <td className={`${CELL} hidden truncate text-ink-2 md:table-cell`} title={one.name}>{harmless(one.name)}</td>
              <td className={CELL}>
                <Link to={`${pathname}?${writeOne(search, "case", one.test_case_id)}`} preventScrollReset dir="auto" className="line-clamp-2 outline-offset-[-2px] wrap-anywhere after:absolute after:inset-0 hover:text-accent">
                  {harmless(excerpt(promptOf(one), 240, 3).text)}
                </Link>
              </td>
              <td className={`${CELL} hidden text-ink-2 sm:table-cell`}>
                <div dir="auto" className="line-clamp-2 wrap-anywhere">{harmless(excerpt(expectedOf(one) ?? MISSING, 160, 2).text)}</div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {opened && (
        <CasePanel
          case={opened}
          draft={draft}
          previous={cases[at - 1]?.test_case_id}
          next={cases[at + 1]?.test_case_id}
          onOpen={setOpen}
        />
      )}
    </>
  );
}
