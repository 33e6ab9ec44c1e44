import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useDeleteExperimentMutation } from "@/api/experiments";
import type { CollectionOut, EvaluatorInfo, ProviderOut } from "@/api/generated/config-api";
import type { DatasetVersionRef, ExperimentOut } from "@/api/generated/orchestrator";
import { Button } from "@/components/Button";
import { SelectField, TextAreaField, TextField } from "@/components/Field";
import { Section } from "@/components/Section";
import { toast } from "@/components/Toast";
import { UnsavedGuard } from "@/components/UnsavedGuard";
import { Skeleton } from "@/components/Message";
import { errorAt } from "@/lib/form-errors";
import { loadCode } from "@/live/reach";
import { TYPES } from "../experiment-words";
import { needsJudge } from "./experiment-form";
import { LivePlan } from "./LivePlan";
import { MethodSection } from "./MethodSection";
import { MetricsSection } from "./MetricsSection";
import { useExperimentDraft } from "./use-experiment-draft";
import { VariantsSection } from "./VariantsSection";

const DeleteDialog = lazy(() => loadCode(async () => ({ default: (await import("@/components/DeleteDialog")).DeleteDialog })));
// The evaluators bring much code, and are below the first screenful.
const CasesPart = lazy(() => loadCode(async () => ({ default: (await import("./CasesPart")).CasesPart })));

interface Props {
  draft: ExperimentOut | null;
  versions: DatasetVersionRef[];
  evaluators: readonly EvaluatorInfo[];
  providers: readonly ProviderOut[];
  collections: readonly CollectionOut[];
}

export function Editor({ draft: stored, versions, evaluators, providers, collections }: Props) {
  const navigate = useNavigate();
  const draft = useExperimentDraft(stored, versions, evaluators);
  const { form, set, errors } = draft;
  const [goTo, setGoTo] = useState<string | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const [remove, removing] = useDeleteExperimentMutation();
  const intent = useRef<"save" | "start">("save");

  // After the render in which the guard lets the page go.
  useEffect(() => {
    if (goTo !== null) void navigate(goTo, { replace: true });
  }, [goTo, navigate]);

  const save = async () => {
    const made = await draft.save();
    if (!made) return;
    toast("The draft is saved.");
    if (!stored) setGoTo(`/experiments/${made.experiment_id}/edit`);
  };
  const start = async () => {
    const begun = await draft.saveAndStart();
    if (begun) setGoTo(`/experiments/${begun.experiment_id}`);
  };
  const drop = async () => {
    if (!stored) return;
    const answer = await remove({ experimentId: stored.experiment_id });
    if (answer.error) return;
    draft.discard();
    setGoTo("/experiments");
  };

  return (
    <form
      noValidate
      className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_21rem]"
      onSubmit={(event) => {
        event.preventDefault();
        if (!draft.isBusy) void (intent.current === "start" ? start() : save());
        intent.current = "save";
      }}
    >
      <UnsavedGuard unsaved={draft.isDirty && goTo === null} />
      <div className="flex min-w-0 flex-col gap-4">
        {draft.isRestored && (
          <p role="status" className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-info-soft px-3 py-2 text-info">
            Your last changes were not saved. They are restored here.
            <Button onClick={draft.discard}>Discard it</Button>
          </p>
        )}
        <Section title="Question">
          <div className="flex flex-col gap-3 px-4 py-3">
            <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_15rem]">
              <TextField label="Name" required maxLength={255} placeholder="Shorter system prompt" value={form.name} error={errorAt(errors, "name")} onChange={(name) => set({ name })} />
              <SelectField label="Type" options={TYPES} hint={TYPES.find((one) => one.value === form.type)?.hint} value={form.type} error={errorAt(errors, "type")} onChange={(type) => set({ type })} />
            </div>
            <TextAreaField label="Hypothesis" hint="What you expect, written down before the first answer." rows={2} maxLength={10_000} placeholder="The shorter prompt answers as well, and costs less." value={form.hypothesis} error={errorAt(errors, "hypothesis")} onChange={(hypothesis) => set({ hypothesis })} />
          </div>
        </Section>
        <VariantsSection form={form} providers={providers} errors={errors} onChange={(variants) => set({ variants })} />
        <Suspense fallback={<Skeleton className="h-96" />}>
          <CasesPart form={form} providers={providers} collections={collections} hasJudge={needsJudge(form)} errors={errors} onChange={set} />
        </Suspense>
        <MetricsSection form={form} errors={errors} onChange={set} />
        <MethodSection form={form} errors={errors} onChange={set} />
      </div>
      <LivePlan
        draft={draft}
        onIntent={(next) => {
          intent.current = next;
        }}
        onDelete={stored ? () => setDeleting(true) : null}
      />
      {isDeleting && stored && (
        <Suspense>
          <DeleteDialog title="Delete this draft?" name={stored.name} busy={removing.isLoading} error={removing.error} onClose={() => setDeleting(false)} onConfirm={() => void drop()}>
            is deleted with everything that is planned in it.
          </DeleteDialog>
        </Suspense>
      )}
    </form>
  );
}
