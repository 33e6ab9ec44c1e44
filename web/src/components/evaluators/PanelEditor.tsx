import type { ProviderOut } from "@/api/generated/config-api";
import { Button, IconButton } from "@/components/Button";
import { FieldError, NumberField } from "@/components/Field";
import { errorAt } from "@/lib/form-errors";
import { ModelPicker } from "@/components/ModelPicker";
import { FEWEST_JUDGES, MOST_JUDGES, newMember, type PanelForm } from "./panel-form";

interface Props {
  panel: PanelForm;
  providers: readonly ProviderOut[];
  errors: Readonly<Record<string, string>>;
  /** The panel's path in the request: `panel`, `evaluators.0.panel`. */
  path: string;
  onChange: (panel: PanelForm) => void;
}

/** A panel of judges; their median counts. */
export function PanelEditor({ panel, providers, errors, path, onChange }: Props) {
  const { judges, quorum } = panel;
  const refused = errorAt(errors, path, `${path}.judges`);
  return (
    <div className="flex flex-col gap-3">
      <p className="max-w-2xl text-xs text-ink-2">Each judge scores every answer, one model after the other, and the median counts. The cost grows with the number of judges. Judges from different model families agree best with people.</p>
      <ol aria-label="Judges of the panel" className="flex flex-col gap-3">
        {judges.map((one, index) => {
          const at = `${path}.judges.${index}`;
          return (
            <li key={one.key} aria-label={`Judge ${index + 1}`} className="flex items-start gap-2 rounded-md border border-line p-3">
              <span className="mt-6 w-4 shrink-0 text-center leading-8 text-ink-3 max-sm:hidden">{index + 1}</span>
              <div className="min-w-0 flex-1">
                <ModelPicker
                  providers={providers}
                  value={one}
                  providerError={errorAt(errors, `${at}.provider_id`, at)}
                  modelError={errorAt(errors, `${at}.model`)}
                  onChange={({ providerId, model }) => onChange({ ...panel, judges: judges.with(index, { ...one, providerId, model }) })}
                />
              </div>
              <IconButton icon="cross" className="mt-6" label={`Remove judge ${index + 1}`} disabled={judges.length <= FEWEST_JUDGES} onClick={() => onChange({ ...panel, judges: judges.toSpliced(index, 1) })} />
            </li>
          );
        })}
      </ol>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <Button icon="plus" disabled={judges.length >= MOST_JUDGES} onClick={() => onChange({ ...panel, judges: [...judges, newMember({ providerId: judges.at(-1)?.providerId ?? "", model: "" })] })}>
          Add a judge
        </Button>
        <NumberField
          label="Quorum"
          hint="How many judges have to give a score. If empty: all of them. With fewer, the medians of some answers come from different judges."
          className="sm:w-96"
          min={FEWEST_JUDGES}
          max={judges.length}
          step={1}
          placeholder={`All ${judges.length}`}
          value={quorum}
          error={errorAt(errors, `${path}.quorum`)}
          onChange={(next) => onChange({ ...panel, quorum: next })}
        />
      </div>
      {refused && <FieldError>{refused}</FieldError>}
    </div>
  );
}
