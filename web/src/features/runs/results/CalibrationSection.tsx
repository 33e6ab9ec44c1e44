import { Link } from "react-router";
import { useListCalibrationsQuery } from "@/api/calibrations";
import type { CalibrationSummary, EvaluatorOut, RunDetail } from "@/api/generated/orchestrator";
import { Allowed } from "@/components/Allowed";
import { Section } from "@/components/Section";
import { formatFixed, formatInterval, formatPercent, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

const LINK = "font-medium text-accent hover:underline";
const two = (value: number) => formatFixed(value, 2);
const clipped = (value: number) => Math.min(1, Math.max(0, value));

/** The agreement of each judge of the run with people, and the pass rates that it corrects. */
export function CalibrationSection({ run }: { run: RunDetail }) {
  const judges = run.evaluators.filter((one) => one.judge_model !== null);
  const { data } = useListCalibrationsQuery({ runId: run.id, limit: 100 }, { skip: judges.length === 0 });
  if (judges.length === 0 || !data) return null;
  return (
    <Section title="Judged against people">
      <ul className="divide-y divide-line">
        {judges.map((judge) => <Judge key={judge.revision_id} judge={judge} run={run} all={data.items.filter((one) => one.judge.evaluator_revision_id === judge.revision_id)} />)}
      </ul>
    </Section>
  );
}

function Judge({ judge, run, all }: { judge: EvaluatorOut; run: RunDetail; all: readonly CalibrationSummary[] }) {
  // Labels of this very run say most about it.
  const own = all.find((one) => one.run_id === run.id);
  const shown = own ?? all[0];
  const name = `${harmless(judge.title)} by ${harmless(judge.judge_model ?? "")}`;
  if (!shown)
    return (
      <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 py-2.5 text-ink-2">
        <span className="wrap-anywhere">{name}: not measured against people yet</span>
        <Allowed right="annotation-tasks:create">
          <span className="flex flex-wrap gap-x-4 text-xs">
            <Link to={`/annotation/new?run=${run.id}`} className={LINK}>Label answers</Link>
            <Link to={`/calibrations/new?run=${run.id}&judge=${judge.revision_id}`} className={LINK}>Send labels</Link>
          </span>
        </Allowed>
      </li>
    );
  const { kappa, ceiling } = shown;
  return (
    <li className="flex flex-col gap-1 px-4 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="font-medium wrap-anywhere">{name}</span>
        <Link to={`/calibrations/${shown.id}`} className={LINK}>{all.length > 1 ? `Calibration (${all.length})` : "Calibration"}</Link>
      </div>
      <p className="text-ink-2">
        {kappa.value === null ? `Agreement is not defined: ${harmless(kappa.undefined_because ?? "")}.` : `Kappa ${two(kappa.value)}${kappa.low !== null && kappa.high !== null ? ` (${two(kappa.low)} to ${two(kappa.high)})` : ""}; people among themselves ${ceiling.value === null ? "not known" : two(ceiling.value)}.`}{" "}
        {plural(shown.answers, "labelled answer")}{own ? "." : `, of the run ${harmless(shown.run_name)}: these figures are not corrected by it.`}
      </p>
      {own && own.corrected.some((one) => one.pass_rate) && <CorrectedRates calibration={own} />}
    </li>
  );
}

const HEAD = "px-2.5 py-1.5 text-right font-medium first:pl-0 first:text-left";
const CELL = "px-2.5 py-1.5 text-right align-top first:pl-0 first:text-left";

/** Pass rates as the judge gives them, and as a random sample of labels corrects them. */
function CorrectedRates({ calibration: { corrected } }: { calibration: CalibrationSummary }) {
  return (
    <table aria-label="Corrected pass rates" className="mt-1 w-full max-w-2xl">
      <thead className="border-b border-line text-xs text-ink-2">
        <tr>
          <th scope="col" className={HEAD}>Pass rate</th>
          <th scope="col" className={HEAD}>Judge</th>
          <th scope="col" className={HEAD} title="Estimated from the judge’s verdicts and the labels of the random slice">Corrected</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {corrected.map(({ target_id: id, target, pass_rate: rate, undefined_because: why }) => (
          <tr key={id}>
            <th scope="row" className={`${CELL} font-normal wrap-anywhere`}>{harmless(target)}</th>
            <td className={CELL}>{rate ? formatPercent(rate.raw) : ""}</td>
            <td className={CELL}>
              {rate ? <span className="font-medium">{formatPercent(clipped(rate.value))}</span> : <span className="text-xs text-ink-2">{harmless(why ?? "")}</span>}
              {rate && <span className="block text-xs text-ink-3">{rate.low !== null && rate.high !== null ? formatInterval({ low: clipped(rate.low), high: clipped(rate.high) }) : `${plural(rate.clusters, "labelled case")}: too few for an interval`}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
