import type { ProviderOut } from "@/api/generated/config-api";
import { Disclosure } from "@/components/Disclosure";
import { Section } from "@/components/Section";
import { Segments } from "@/components/Segments";
import { errorAt } from "@/lib/form-errors";
import { newPanel, type PanelForm } from "./panel-form";
import { PanelEditor } from "./PanelEditor";
import { ModelPicker } from "@/components/ModelPicker";
import { SamplingFields } from "@/components/SamplingFields";
import type { JudgeForm } from "./judge-form";

export interface JudgesForm {
  judge: JudgeForm;
  /** Several judges instead of the one. */
  panel: PanelForm | null;
}

interface Props {
  form: JudgesForm;
  providers: readonly ProviderOut[];
  errors: Readonly<Record<string, string>>;
  onChange: (part: Pick<JudgesForm, "judge"> | JudgesForm) => void;
}

const WHO = [
  { value: "one", label: "One judge" },
  { value: "panel", label: "A panel" },
] as const;

/** The judge of all evaluators that name none of their own. */
export function JudgeSection({ form: { judge, panel }, providers, errors, onChange }: Props) {
  const choose = (who: (typeof WHO)[number]["value"]) => {
    if (who === "panel" && !panel) onChange({ judge, panel: newPanel(judge) });
    // Keep the panel's first judge.
    if (who === "one" && panel) onChange({ judge: { ...judge, providerId: panel.judges[0]?.providerId ?? "", model: panel.judges[0]?.model ?? "" }, panel: null });
  };
  return (
    <Section title="Judge" aside={<Segments label="Who judges" options={WHO} value={panel ? "panel" : "one"} onChange={choose} />}>
      <div className="flex flex-col gap-3 px-4 py-3">
        {panel ? (
          <PanelEditor panel={panel} providers={providers} errors={errors} path="panel" onChange={(next) => onChange({ judge, panel: next })} />
        ) : (
          <>
            <ModelPicker
              providers={providers}
              value={judge}
              onChange={(choice) => onChange({ judge: { ...judge, ...choice } })}
              providerError={errorAt(errors, "judge.provider_id", "judge")}
              modelError={errorAt(errors, "judge.model")}
            />
            <Disclosure title="Parameters of the judge" summary="temperature 0 and 1,024 tokens, unless changed">
              <SamplingFields value={judge.sampling} onChange={(sampling) => onChange({ judge: { ...judge, sampling } })} errors={errors} path="judge.params" />
            </Disclosure>
          </>
        )}
      </div>
    </Section>
  );
}
