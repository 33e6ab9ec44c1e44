import { Fragment } from "react";
import { Link } from "react-router";
import type { Comparison, PassComparison } from "@/api/generated/orchestrator";
import { passParts, type MovedCases } from "./words";

/** The id of the list of cases, to which the links lead. */
export const CASES = "cases";

interface Props {
  passes: PassComparison;
  comparison: Comparison;
  /** The index of the column that is compared with the baseline. */
  at: number;
  /** Return the search of the address that lists those cases. */
  searchOf: (show: MovedCases["show"]) => string;
  title?: string | undefined;
}

/** Says how pass and fail differ; each number links to its cases. */
export function PassSentence({ passes, comparison, at, searchOf, title }: Props) {
  const { moved, end } = passParts(passes, comparison, at);
  return (
    <p className="text-xs text-ink-2" title={title}>
      {moved.map(({ show, words }, index) => (
        <Fragment key={show}>
          {index > 0 && ", "}
          <Link to={{ pathname: "/compare", search: searchOf(show), hash: `#${CASES}` }} className="font-medium text-accent hover:underline">
            {words}
          </Link>
        </Fragment>
      ))}
      {end}
    </p>
  );
}
