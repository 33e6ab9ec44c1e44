import type { CollectionOut, ProviderOut } from "@/api/generated/config-api";
import { CollectionsSection } from "@/components/CollectionsSection";
import { DatasetsSection } from "@/components/DatasetsSection";
import { EvaluatorsSection } from "@/components/evaluators/EvaluatorsSection";
import { JudgeSection } from "@/components/evaluators/JudgeSection";
import { CheckField, FieldError } from "@/components/Field";
import { Section } from "@/components/Section";
import { Segments } from "@/components/Segments";
import type { ExperimentForm } from "./experiment-form";

interface Props {
  form: ExperimentForm;
  providers: readonly ProviderOut[];
  collections: readonly CollectionOut[];
  /** An evaluator asks the judge of all. */
  hasJudge: boolean;
  errors: Readonly<Record<string, string>>;
  onChange: (part: Partial<ExperimentForm>) => void;
}

const WHERE = [
  { value: "cases", label: "Cases of llmbench" },
  { value: "outside", label: "Observations from outside" },
] as const;

/** The cases, the evaluators and the judge. */
export function CasesPart({ form, providers, collections, hasJudge, errors, onChange }: Props) {
  return (
    <>
      <Section title="Cases" aside={<Segments label="Where the answers come from" options={WHERE} value={form.isOutside ? "outside" : "cases"} onChange={(where) => onChange({ isOutside: where === "outside" })} />}>
        <p className="px-4 py-3 text-ink-2">
          {form.isOutside
            ? "Your own program asks llmbench which variant a user, session or request gets, and sends back what it observed. No model is called from here."
            : "llmbench asks every variant the cases of these collections and datasets, in a random order, until the question is decided."}
        </p>
      </Section>
      {!form.isOutside && (
        <>
          <CollectionsSection collections={collections} chosen={form.collectionIds} errors={errors} onChange={(collectionIds) => onChange({ collectionIds })} />
          <DatasetsSection chosen={form.datasetVersions} errors={errors} onChange={(datasetVersions) => onChange({ datasetVersions })} />
          <EvaluatorsSection evaluators={form.evaluators} providers={providers} errors={errors} onChange={(evaluators) => onChange({ evaluators })} />
          {hasJudge && <JudgeSection form={form} providers={providers} errors={errors} onChange={onChange} />}
          {(form.allowSelfJudging || errors["calls.allow_self_judging"]) && (
            <div className="card flex flex-col gap-1 px-4 py-3">
              <CheckField label="Let a judge score its own answers" hint="Models tend to prefer their own answers." checked={form.allowSelfJudging} onChange={(allowSelfJudging) => onChange({ allowSelfJudging })} />
              {errors["calls.allow_self_judging"] && <FieldError>{errors["calls.allow_self_judging"]}</FieldError>}
            </div>
          )}
        </>
      )}
    </>
  );
}
