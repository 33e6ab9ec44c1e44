import { Button } from "@/components/Button";
import { Section } from "@/components/Section";
import { harmless } from "@/lib/plain-text";
import type { RunForm } from "./run-form";

type Kept = Pick<RunForm, "evaluators" | "needsJudge" | "datasetVersions">;

interface Props {
  form: Kept;
  errors: Readonly<Record<string, string>>;
  onChange: (change: Partial<Kept>) => void;
}

/** What a clone takes over beyond what this form can set: it is shown, and can be left out. */
export function KeptFromEarlier({ form, errors, onChange }: Props) {
  if (form.evaluators.length + form.datasetVersions.length === 0) return null;
  const refused = Object.entries(errors).filter(([path]) => path.startsWith("evaluators") || path.startsWith("dataset_version_ids"));
  return (
    <Section title="Taken over" aside={<p className="text-xs text-ink-2">From the earlier run</p>}>
      <dl className="flex flex-col gap-3 px-4 py-3">
        {form.evaluators.length > 0 && (
          <Row
            name="Evaluators"
            values={form.evaluators.map((one) => `${one.name ?? one.kind}${one.panel ? `, panel of ${one.panel.judges.length}` : ""}${one.weight === 1 ? "" : `, weight ${one.weight ?? 1}`}`)}
            leave="Score by the rubric alone"
            onLeave={() => onChange({ evaluators: [], needsJudge: true })}
          />
        )}
        {form.datasetVersions.length > 0 && (
          <Row
            name="Datasets (not counted on the right)"
            values={form.datasetVersions.map((one) => `${one.name}, version ${one.version_number}`)}
            leave="Leave the datasets out"
            onLeave={() => onChange({ datasetVersions: [] })}
          />
        )}
        {refused.map(([path, message]) => (
          <p key={path} role="alert" className="text-xs text-bad">{message}</p>
        ))}
      </dl>
    </Section>
  );
}

function Row({ name, values, leave, onLeave }: { name: string; values: readonly string[]; leave: string; onLeave: () => void }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <dt className="text-xs text-ink-2">{name}</dt>
        {values.map((value) => (
          <dd key={value} className="wrap-anywhere">{harmless(value)}</dd>
        ))}
      </div>
      <Button onClick={onLeave}>{leave}</Button>
    </div>
  );
}
