/** The state of the editor: the form, what is kept of it in the tab, its saving and its start. */

import { useEffect, useState } from "react";
import type { EvaluatorInfo } from "@/api/generated/config-api";
import type { DatasetVersionRef, ExperimentIn, ExperimentOut } from "@/api/generated/orchestrator";
import { useCreateExperimentMutation, useStartExperimentMutation, useUpdateExperimentMutation } from "@/api/experiments";
import { matching } from "@/api/matching";
import { stillTrue } from "@/lib/form-errors";
import { keepDraft, readDraft } from "@/lib/kept-draft";
import { toProblem } from "@/lib/problem";
import { emptyExperiment, faults, formOf, startFaults, toExperiment, type ExperimentForm } from "./experiment-form";

const KIND = "experiment";

function isForm(value: unknown): value is ExperimentForm {
  const form = value as Partial<ExperimentForm> | null;
  const lists = [form?.variants, form?.evaluators, form?.guardrails, form?.collectionIds, form?.datasetVersions];
  return typeof form?.name === "string" && typeof form.metric === "string" && typeof form.effect === "number" && lists.every(Array.isArray);
}

/** Return the server's errors at the fields that show them: the form has one field for all cases. */
function placed(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([path, message]) => [path.replace(/^sources(\.(collection_ids|dataset_version_ids))?/, (_, __, list: string | undefined) => list ?? "collection_ids"), message]));
}

export function useExperimentDraft(stored: ExperimentOut | null, versions: DatasetVersionRef[], infos: readonly EvaluatorInfo[]) {
  const id = stored?.experiment_id ?? "new";
  const version = stored?.version ?? 0;
  const [begun] = useState(() => {
    const form = stored ? formOf(stored, versions, infos) : emptyExperiment();
    const kept = readDraft(KIND, id, version, isForm);
    return { form: kept ?? form, isRestored: kept !== null, savedText: JSON.stringify(toExperiment(form)), clean: form };
  });
  const [form, setForm] = useState(begun.form);
  const [saved, setSaved] = useState({ experiment: stored, text: begun.savedText });
  const [tried, setTried] = useState<"save" | "start" | null>(null);
  const [refused, setRefused] = useState<{ body: ExperimentIn; error: unknown } | null>(null);
  const [create, creating] = useCreateExperimentMutation();
  const [update, updating] = useUpdateExperimentMutation();
  const [start, starting] = useStartExperimentMutation();

  const body = toExperiment(form);
  const text = JSON.stringify(body);
  const isDirty = text !== saved.text;
  useEffect(() => keepDraft(KIND, id, version, isDirty ? form : null), [id, version, isDirty, form]);

  const lacking = faults(form);
  const lackingToStart = startFaults(form);
  const problem = refused && toProblem(refused.error);
  const errors: Record<string, string> = {
    ...(problem ? placed(stillTrue(problem.fields, refused?.body, body)) : {}),
    ...(tried === "start" ? lackingToStart : {}),
    ...(tried ? lacking : {}),
  };

  /** Return the stored draft, or null if it was refused. */
  const save = async (): Promise<ExperimentOut | null> => {
    setTried((now) => now ?? "save");
    if (Object.keys(lacking).length > 0) return null;
    const at = saved.experiment;
    const answer = at
      ? await update({ experimentId: at.experiment_id, "if-match": matching(at), experimentIn: body })
      : await create({ experimentIn: body });
    setRefused(answer.error ? { body, error: answer.error } : null);
    if (!answer.data) return null;
    setSaved({ experiment: answer.data, text });
    keepDraft(KIND, id, version, null);
    return answer.data;
  };

  /** Return the started experiment, or null if something is missing or refused. */
  const saveAndStart = async (): Promise<ExperimentOut | null> => {
    setTried("start");
    if (Object.keys({ ...lacking, ...lackingToStart }).length > 0) return null;
    const draft = isDirty || saved.experiment === null ? await save() : saved.experiment;
    if (!draft) return null;
    const answer = await start({ experimentId: draft.experiment_id });
    setRefused(answer.error ? { body, error: answer.error } : null);
    return answer.data ?? null;
  };

  const discard = () => {
    keepDraft(KIND, id, version, null);
    setRefused(null);
    setForm(begun.clean);
  };
  return {
    form,
    set: (part: Partial<ExperimentForm>) => setForm((now) => ({ ...now, ...part })),
    body,
    errors,
    /** The fields that are missing for the plan and for a save, whether or not this is shown. */
    lacking,
    lackingToStart,
    saved: saved.experiment,
    isDirty,
    isRestored: begun.isRestored && isDirty,
    isBusy: creating.isLoading || updating.isLoading || starting.isLoading,
    error: refused?.error,
    save,
    saveAndStart,
    discard,
  };
}

export type ExperimentDraft = ReturnType<typeof useExperimentDraft>;
