import { Link, useLocation, useSearchParams } from "react-router";
import type { TestCaseOut, VersionOut } from "@/api/generated/config-api";
import { clickRowLink } from "@/components/row-link";
import { formatCount, MISSING, plural } from "@/lib/format";
import { excerpt, harmless } from "@/lib/plain-text";
import { opening, useUrlParam, writeOne } from "@/lib/url-state";
import { expectedOf, promptOf } from "./case-parts";
import { CasePanel } from "./CasePanel";

const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-2.5 align-top first:pl-4 last:pr-4";

/** A table with one line per case; an open case appears next to it. */
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
            <th scope="col" className={`${HEAD} hidden w-[28%] sm:table-cell`}>Reference</th>
          </tr>
        </thead>
        {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
        <tbody className="divide-y divide-line" onClick={clickRowLink}>
          {cases.map((one) => (
            <tr key={one.test_case_id} className={`cursor-pointer ${one.test_case_id === open ? "bg-selected" : "hover:bg-hover"}`}>
              <td className={`${CELL} text-right text-ink-3`}>{formatCount(one.row_index + 1)}</td>
              <td className={`${CELL} hidden truncate text-ink-2 md:table-cell`} title={one.name}>{harmless(one.name)}</td>
              <td className={CELL}>
                <Link to={`${pathname}?${writeOne(search, "case", one.test_case_id)}`} state={opening("case")} preventScrollReset dir="auto" className="line-clamp-2 outline-offset-[-2px] wrap-anywhere hover:text-accent">
                  {harmless(excerpt(promptOf(one), 240, 3).text)}
                </Link>
              </td>
              <td className={`${CELL} hidden text-ink-2 sm:table-cell`}>
                {(expectedOf(one) !== null || one.checks.length === 0) && <div dir="auto" className="line-clamp-2 wrap-anywhere">{harmless(excerpt(expectedOf(one) ?? MISSING, 160, 2).text)}</div>}
                {one.checks.length > 0 && <div className="text-xs text-ink-3">{plural(one.checks.length, "check")}</div>}
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
