import { skipToken } from "@reduxjs/toolkit/query/react";
import { Link } from "react-router";
import { useListJudgesOfRunsQuery } from "@/api/calibrations";
import { harmless } from "@/lib/plain-text";
import { Allowed } from "./Allowed";
import { Icon } from "./Icon";

const MOST_RUNS = 200;

/** Say which judges behind the figures of these runs were never measured against people. */
export function JudgeTrust({ runIds }: { runIds: readonly string[] }) {
  const runId = [...new Set(runIds)].toSorted().slice(0, MOST_RUNS);
  const { data } = useListJudgesOfRunsQuery(runId.length === 0 ? skipToken : { runId }, { refetchOnMountOrArgChange: true });
  const without = (data?.judges ?? []).filter((one) => one.calibration_id === null);
  if (without.length === 0) return null;
  return (
    <ul aria-label="Judges without a calibration" className="flex flex-col gap-1 text-ink-2">
      {without.map((one) => (
        <li key={one.evaluator_revision_id} className="flex items-start gap-1.5">
          <Icon name="alert" className="mt-0.5" />
          <span className="min-w-0 wrap-anywhere">
            {harmless(one.title)} by {harmless(one.judge)} was not measured against people: how far its scores can be trusted is not known.{" "}
            <Allowed right="annotation-tasks:create"><Link to={`/calibrations/new?run=${one.run_id}&judge=${one.evaluator_revision_id}`} className="text-accent underline underline-offset-2">Measure it</Link></Allowed>
          </span>
        </li>
      ))}
    </ul>
  );
}
