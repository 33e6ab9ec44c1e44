import type { CalibrationFigures, MeasureOut, MeasuresOut, PartOut } from "@/api/generated/orchestrator";
import { Section } from "@/components/Section";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { formatBias, formatMeasure, intervalOf } from "../words";

const HEAD = "px-3 py-2.5 text-right font-medium first:pl-4 first:text-left last:pr-4";
const CELL = "px-3 py-2.5 text-right align-top first:pl-4 first:text-left last:pr-4";

type Name = Exclude<keyof MeasuresOut, "mean_error">;

const ROWS: readonly { name: Name; label: string; note: string; asPercent: boolean }[] = [
  { name: "kappa", label: "Quadratic kappa", note: "1 is full agreement, 0 is agreement by chance; larger differences count more", asPercent: false },
  { name: "spearman", label: "Spearman", note: "the same order, whatever the level", asPercent: false },
  { name: "bias", label: "Bias", note: "above 0 is generous, in levels", asPercent: false },
  { name: "exact", label: "The same level", note: "", asPercent: true },
  { name: "within_one", label: "At most one level apart", note: "", asPercent: true },
  { name: "sensitivity", label: "Sensitivity", note: "passes what people pass", asPercent: true },
  { name: "specificity", label: "Specificity", note: "fails what people fail", asPercent: true },
];

/** The judge against the consensus, and people among themselves, which is the ceiling. */
export function MeasureTable({ figures }: { figures: CalibrationFigures }) {
  return (
    <Section title="Judge and people" aside={<p className="text-xs text-ink-2">95% intervals, clustered by case</p>}>
      <table className="w-full">
        <thead className="border-b border-line bg-sunken text-xs text-ink-2">
          <tr>
            <th scope="col" className={HEAD}>Measure</th>
            <th scope="col" className={HEAD}>Judge</th>
            <th scope="col" className={HEAD} title="Each person against the others: what a judge can reach at best">People</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {ROWS.map(({ name, label, note, asPercent }) => (
            <tr key={name}>
              <th scope="row" className={`${CELL} font-normal`}>{label}{note && <span className="block text-xs text-ink-3">{note}</span>}</th>
              <td className={CELL}><Measure of={figures.judge[name]} asPercent={asPercent} isBias={name === "bias"} /></td>
              <td className={CELL}><Measure of={figures.people[name]} asPercent={asPercent} isBias={name === "bias"} /></td>
            </tr>
          ))}
          <tr>
            <th scope="row" className={`${CELL} font-normal`}>Krippendorff’s alpha<span className="block text-xs text-ink-3">ordinal; the judge as one more rater</span></th>
            <td className={CELL}><Measure of={figures.alpha_with_judge} /></td>
            <td className={CELL}><Measure of={figures.alpha_of_people} /></td>
          </tr>
        </tbody>
      </table>
    </Section>
  );
}

function Measure({ of: one, asPercent = false, isBias = false }: { of: MeasureOut; asPercent?: boolean; isBias?: boolean }) {
  if (one.value === null) return <span className="text-xs text-ink-2">{harmless(one.undefined_because ?? "not defined")}</span>;
  return (
    <>
      <span className="font-medium">{isBias ? formatBias(one.value) : formatMeasure(one, asPercent)}</span>
      <span className="block text-xs whitespace-nowrap text-ink-3">{intervalOf(one, asPercent) || `of ${plural(one.answers, "answer")}`}</span>
    </>
  );
}

/** The judge on some of the answers. */
export function PartTable({ title, parts }: { title: string; parts: readonly PartOut[] }) {
  return (
    <Section title={title}>
      <table className="w-full table-fixed">
        <thead className="border-b border-line bg-sunken text-xs text-ink-2">
          <tr>
            <th scope="col" className={HEAD}>Answers</th>
            <th scope="col" className={HEAD}>Kappa</th>
            <th scope="col" className={HEAD}>Bias</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {parts.map(({ name, measures }) => (
            <tr key={name}>
              <th scope="row" className={`${CELL} font-normal wrap-anywhere`}>{harmless(name)}<span className="block text-xs text-ink-3">{plural(measures.exact.answers, "answer")}</span></th>
              <td className={CELL}><Measure of={measures.kappa} /></td>
              <td className={CELL}><Measure of={measures.bias} isBias /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
