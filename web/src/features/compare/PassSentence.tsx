import { Fragment } from "react";
import { Link } from "react-router";
import type { PassComparison } from "@/api/generated/orchestrator";
import { passParts, type MovedCases } from "./words";

/** The id of the list of cases, to which the links lead. */
export const CASES = "cases";

interface Props {
  passes: PassComparison;
  /** Return the search of the address that lists those cases. */
  searchOf: (show: MovedCases["show"]) => string;
  title?: string | undefined;
}

/** Says how pass and fail changed; each number links to its cases. */
export function PassSentence({ passes, searchOf, title }: Props) {
  const { moved, end } = passParts(passes);
  return (
    <p className="text-xs text-ink-2" title={title}>
      {moved.map(({ show, words }, at) => (
        <Fragment key={show}>
          {at > 0 && ", "}
          <Link to={{ pathname: "/compare", search: searchOf(show), hash: `#${CASES}` }} className="font-medium text-accent hover:underline">
            {words}
          </Link>
        </Fragment>
      ))}
      {end}
    </p>
  );
}
