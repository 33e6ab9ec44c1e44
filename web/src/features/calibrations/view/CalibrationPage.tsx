import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { exportHref, useDeleteCalibrationMutation, useGetCalibrationQuery } from "@/api/calibrations";
import { useCreator } from "@/api/creator";
import type { CalibrationOut } from "@/api/generated/orchestrator";
import { Button, buttonLook } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { FactStrip, type Fact } from "@/components/FactStrip";
import { Icon } from "@/components/Icon";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage } from "@/components/Problem";
import { Section } from "@/components/Section";
import { toast } from "@/components/Toast";
import { formatCount, formatDate, formatPercent, formatScore, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useTitle } from "@/lib/use-title";
import { formatCoefficient, intervalOf, judgeName } from "../words";
import { Confusion } from "./Confusion";
import { MeasureTable, PartTable } from "./MeasureTable";
import { Planner } from "./Planner";
import { Rename } from "./Rename";
import { Worst } from "./Worst";

/** `/calibrations/:calibrationId`: how far a judge agrees with people. */
export default function CalibrationPage() {
  const { calibrationId = "" } = useParams();
  const query = useGetCalibrationQuery({ id: calibrationId });
  const { data } = query;
  useTitle(data ? harmless(data.name) : "Calibration");
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      {data ? (
        <Shown calibration={data} />
      ) : query.isError ? (
        toProblem(query.error).status === 404 ? <Message icon="search" title="No such calibration"><Link to="/calibrations" className="text-accent underline">All calibrations</Link></Message> : <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div role="status" aria-label="Loading the calibration"><Skeleton className="h-48" /></div>
      )}
    </div>
  );
}

function Shown({ calibration }: { calibration: CalibrationOut }) {
  const [isDeleting, setDeleting] = useState(false);
  const [isRenaming, setRenaming] = useState(false);
  const creator = useCreator(calibration.created_by);
  const { figures, scale, source, judge } = calibration;
  const { unscored = 0 } = source;
  const items = calibration.run_id && `/runs/${calibration.run_id}/items`;
  const from = source.kind === "TASK" ? `Annotation task “${harmless(source.name ?? "")}”` : source.kind === "FILE" ? `File ${harmless(source.name ?? "")}` : "Sent labels";
  const facts: Fact[] = [
    ["Judge", judgeName(judge), `${harmless(judge.schema_name)} ${harmless(judge.schema_version)}, prompt ${judge.prompt_hash.slice(0, 12)}`],
    ["Answers", formatCount(calibration.answers), unscored > 0 ? `${formatCount(unscored)} without a score left out` : "labelled and scored"],
    ["Labels", formatCount(calibration.labels), `of ${plural(calibration.annotators, "person", "people")}`],
    ["Passes from", formatScore(scale.pass_mark), `on ${formatScore(scale.levels[0])} to ${formatScore(scale.levels.at(-1))}`],
    ["Created", formatDate(calibration.created_at)],
    ...creator,
  ];
  return (
    <>
      <PageHead
        title={harmless(calibration.name)}
        parent={{ to: "/calibrations", label: "All calibrations" }}
        actions={
          <>
            {(["csv", "json"] as const).map((format) => <a key={format} href={exportHref(calibration.id, format)} download className={buttonLook("plain")}><Icon name="download" />{format.toUpperCase()}</a>)}
            <Button icon="pencil" right="annotation-tasks:update" onClick={() => setRenaming(true)}>Rename</Button>
            <Button icon="trash" right="annotation-tasks:delete" onClick={() => setDeleting(true)}>Delete</Button>
          </>
        }
      />
      <p className="text-ink-2">
        {calibration.annotation_task_id ? <Link to={`/annotation/${calibration.annotation_task_id}`} className="font-medium text-accent hover:underline">{from}</Link> : from}
        {" on the answers of "}
        {calibration.run_id ? <Link to={`/runs/${calibration.run_id}`} className="font-medium text-accent hover:underline">{harmless(calibration.run_name)}</Link> : `${harmless(calibration.run_name)}, which was deleted`}
        . Another model, prompt or schema is another judge.
      </p>
      <FactStrip label="The calibration" facts={facts} />
      <MeasureTable figures={figures} />
      <div className="grid gap-4 lg:grid-cols-2">
        <Confusion figures={figures} levels={scale.levels} />
        <Corrected calibration={calibration} />
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        {figures.by_category.length > 0 && <PartTable title="By category" parts={figures.by_category} />}
        <PartTable title="By length of the answer" parts={figures.by_length} />
      </div>
      <Worst worst={figures.worst} items={items} />
      <Planner calibration={calibration} />
      {isRenaming && <Rename calibration={calibration} onClose={() => setRenaming(false)} />}
      {isDeleting && <Delete calibration={calibration} onClose={() => setDeleting(false)} />}
    </>
  );
}

/** The judge's own figures, and those that the random slice corrects. */
function Corrected({ calibration: { corrected, source, figures } }: { calibration: CalibrationOut }) {
  if (source.kind !== "TASK") return <Transported targets={figures.transported ?? []} />;
  return (
    <Section title="Corrected figures" aside={<p className="text-xs text-ink-2">From the random slice alone</p>}>
      {corrected.length === 0 ? (
        <p className="px-4 py-4 text-ink-2">No target of the run has labels.</p>
      ) : (
        <ul className="divide-y divide-line">
          {corrected.map((one) => (
            <li key={one.target_id} className="flex flex-col gap-1 px-4 py-3">
              <span className="font-medium wrap-anywhere">{harmless(one.target)}</span>
              {one.pass_rate ? (
                <span>Passes: the judge says {formatPercent(one.pass_rate.raw)}, corrected <strong className="font-medium">{formatPercent(Math.min(1, Math.max(0, one.pass_rate.value)))}</strong> {intervalOf(one.pass_rate, true) && <span className="text-ink-2">({intervalOf(one.pass_rate, true)})</span>}</span>
              ) : (
                <span className="text-ink-2">Not corrected: {harmless(one.undefined_because ?? "")}.</span>
              )}
              {one.mean && <span>Mean label: the judge says {formatCoefficient(one.mean.raw)}, corrected <strong className="font-medium">{formatCoefficient(one.mean.value)}</strong> {intervalOf(one.mean) && <span className="text-ink-2">({intervalOf(one.mean)})</span>}</span>}
              <span className="text-xs text-ink-3">{plural(one.audited, "label", "labelled answers")} of the slice, {plural(one.answers, "answer")} in all{one.pass_rate && one.pass_rate.low === null ? "; an interval needs 10 labelled cases" : ""}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** Pass rates that imported labels correct: only if the judge errs on all answers as on the labelled ones. */
function Transported({ targets }: { targets: NonNullable<CalibrationOut["figures"]["transported"]> }) {
  return (
    <Section title="Corrected figures" aside={<p className="text-xs text-ink-2">Assumes transport</p>}>
      <p className="px-4 pt-4 text-ink-2">Nothing is known of how these labels were chosen. These figures hold only if the judge errs on all answers as often as on the labelled ones. The random slice of an annotation task needs no such assumption.</p>
      <ul className="divide-y divide-line">
        {targets.map((one) => (
          <li key={one.target_id} className="flex flex-col gap-1 px-4 py-3">
            <span className="font-medium wrap-anywhere">{harmless(one.target)}</span>
            {one.value === null ? (
              <span className="text-ink-2">Not corrected: {harmless(one.undefined_because ?? "")}.</span>
            ) : (
              <span>Passes: the judge says {formatPercent(one.raw)}, corrected <strong className="font-medium">{formatPercent(one.value)}</strong> {intervalOf(one, true) && <span className="text-ink-2">({intervalOf(one, true)})</span>}</span>
            )}
            <span className="text-xs text-ink-3">{plural(one.answers, "scored answer")}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Delete({ calibration, onClose }: { calibration: CalibrationOut; onClose: () => void }) {
  const navigate = useNavigate();
  const [remove, removing] = useDeleteCalibrationMutation();
  const confirm = async () => {
    const answer = await remove({ id: calibration.id });
    if (answer.error) return;
    toast("The calibration is deleted.");
    void navigate("/calibrations");
  };
  return (
    <ConfirmDialog open onClose={onClose} title="Delete this calibration?" name={calibration.name} action="Delete the calibration" busy={removing.isLoading} error={removing.error} onConfirm={() => void confirm()}>
      <p>Its figures and its copies of labels are deleted. The annotation task and the run stay.</p>
    </ConfirmDialog>
  );
}
