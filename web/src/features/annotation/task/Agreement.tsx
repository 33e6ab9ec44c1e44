import type { AnnotationTaskOut, CoefficientOut, FieldAgreement, Progress } from "@/api/generated/config-api";
import { Disclosure } from "@/components/Disclosure";
import { Section } from "@/components/Section";
import { formatFixed, formatPercent, MISSING, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { questionsOf, titleOf } from "../words";

const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-3 align-top first:pl-4 last:pr-4";
const three = (value: number) => formatFixed(value, 3);

/** Agreement of people about each question, beyond chance. */
export function Agreement({ task, progress }: { task: AnnotationTaskOut; progress: Progress }) {
  const fields = questionsOf(task.annotation_schema);
  const names = new Map(progress.annotator_stats.map((one) => [one.annotator_id, harmless(one.name)]));
  const { fields: measured, undefined_because: why } = progress.agreement_metrics;
  return (
    <Section title="Agreement" aside={<p className="text-xs text-ink-2">95% intervals, from 10 items on</p>}>
      {why !== null && <p className="border-b border-line px-4 py-3 text-ink-2">No figure yet: {harmless(why)}.</p>}
      <table className="w-full">
        <thead className="border-b border-line bg-sunken text-xs text-ink-2">
          <tr>
            <th scope="col" className={HEAD}>Question</th>
            <th scope="col" className={`${HEAD} text-right`}>Krippendorff’s alpha</th>
            <th scope="col" className={`${HEAD} text-right max-sm:hidden`}>Fleiss’ kappa</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {measured.map((one) => {
            const field = fields.find(({ name }) => name === one.field);
            return (
              <tr key={one.field}>
                <td className={CELL}>
                  <span className="font-medium wrap-anywhere">{field ? titleOf(field) : harmless(one.field)}</span>
                  <div className="text-xs text-ink-2">{one.interpretation ? harmless(one.interpretation) : one.not_measured_because ? harmless(one.not_measured_because) : one.level}</div>
                  <Pairs agreement={one} names={names} />
                </td>
                <td className={`${CELL} text-right`}><Coefficient of={one.krippendorff_alpha} /></td>
                <td className={`${CELL} text-right max-sm:hidden`}><Coefficient of={one.fleiss_kappa} /></td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Section>
  );
}

function Coefficient({ of: coefficient }: { of: CoefficientOut | null }) {
  if (coefficient === null) return MISSING;
  const { value, low, high, items, undefined_because: why } = coefficient;
  if (value === null) return <span className="text-xs text-ink-2">{why === null ? MISSING : harmless(why)}</span>;
  return (
    <>
      <span className="font-medium">{three(value)}</span>
      <span className="block text-xs text-ink-3">{low !== null && high !== null ? `${three(low)} to ${three(high)}, ` : ""}{plural(items, "item")}</span>
    </>
  );
}

function Pairs({ agreement, names }: { agreement: FieldAgreement; names: ReadonlyMap<string, string> }) {
  const pairs = agreement.cohens_kappas;
  if (pairs.length === 0) return null;
  return (
    <Disclosure title="By pairs of people" className="mt-1 text-xs">
      <ul className="flex flex-col gap-1">
        {pairs.map((pair) => (
          <li key={`${pair.first} ${pair.second}`} className="wrap-anywhere text-ink-2">
            {names.get(pair.first) ?? "Somebody"} and {names.get(pair.second) ?? "somebody"}: {pair.kappa === null ? harmless(pair.undefined_because ?? MISSING) : `Cohen’s kappa ${three(pair.kappa)}`}, {formatPercent(pair.exact)} equal of {plural(pair.items, "item")}
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}
