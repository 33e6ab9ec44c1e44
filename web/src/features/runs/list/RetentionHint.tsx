import { Link } from "react-router";
import { usePreviewRetentionQuery } from "@/api/generated/orchestrator/retention";
import { formatDate, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

/** A hint about which runs the retention removes and when; empty without retention. */
export function RetentionHint() {
  const { data } = usePreviewRetentionQuery({});
  if (data?.retention_days == null) return null;
  const [next] = data.kept.filter((one) => one.removes_at !== null);
  const waiting = data.kept_runs.find((one) => one.reason === "too_young")?.runs ?? 0;
  return (
    <p className="text-xs text-ink-2">
      Finished runs are removed {plural(data.retention_days, "day")} after they end, except baselines and runs that have one.
      {data.removable_runs > 0 && ` ${plural(data.removable_runs, "run")} will be removed within the hour.`}
      {next?.removes_at && (
        <>
          {" "}Next of {plural(waiting, "run")}: <Link to={`/runs/${next.id}`} className="text-accent hover:underline">{harmless(next.name)}</Link>, {formatDate(next.removes_at)}.
        </>
      )}
    </p>
  );
}
