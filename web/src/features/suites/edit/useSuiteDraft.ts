/** The state of the suite editor: the form, and its saving some moments after each change. */

import { useEffect, useEffectEvent, useState } from "react";
import { matching } from "@/api/matching";
import type { SuiteIn, SuiteOut } from "@/api/generated/config-api";
import { useCreateSuiteMutation, useUpdateSuiteMutation } from "@/api/suites";
import { stillTrue } from "@/lib/form-errors";
import { toProblem } from "@/lib/problem";
import { keep, readKept } from "./kept-form";
import { contradictions, emptySuite, formOf, missing, toSuite } from "./suite-form";

const QUIET_MS = 600;

export type SaveState = "saved" | "saving" | "incomplete" | "refused" | "conflict" | "new";

export function useSuiteDraft(stored: SuiteOut | null) {
  const suiteId = stored?.id ?? "new";
  const [begun] = useState(() => {
    const kept = readKept(suiteId, stored?.version ?? 0);
    const form = stored ? formOf(stored.definition) : emptySuite();
    return { form: kept ?? form, isRestored: kept !== null, savedText: stored ? JSON.stringify(toSuite(form)) : "" };
  });
  const [form, setForm] = useState(begun.form);
  const [saved, setSaved] = useState({ suite: stored, text: begun.savedText });
  const [refused, setRefused] = useState<{ text: string; body: SuiteIn; error: unknown } | null>(null);
  const [isTried, setTried] = useState(false);
  const [create, creating] = useCreateSuiteMutation();
  const [update, updating] = useUpdateSuiteMutation();

  const body = toSuite(form);
  const text = JSON.stringify(body);
  const isDirty = text !== saved.text;
  const lacking = missing(form);
  const wrong = contradictions(form);
  const isHeld = Object.keys({ ...lacking, ...wrong }).length > 0;
  const problem = refused && toProblem(refused.error);
  const isConflict = problem?.status === 412;
  const isRefused = refused !== null && refused.text === text;
  const isBusy = creating.isLoading || updating.isLoading;
  const version = saved.suite?.version ?? 0;

  const send = async () => {
    const answer = saved.suite ? await update({ id: saved.suite.id, "if-match": matching(saved.suite), suiteIn: body }) : await create({ suiteIn: body });
    setRefused(answer.error ? { text, body, error: answer.error } : null);
    if (answer.data) {
      setSaved({ suite: answer.data, text });
      keep(suiteId, version, null);
    }
  };
  const save = () => {
    setTried(true);
    if (!isHeld && !isBusy) void send();
  };

  /** The content that is saved next. Each change restarts the wait. */
  const waiting = stored !== null && isDirty && !isHeld && !isBusy && !isRefused && !isConflict ? text : null;
  const saveNow = useEffectEvent(() => void send());
  useEffect(() => {
    if (waiting === null) return;
    const timer = setTimeout(() => saveNow(), QUIET_MS);
    return () => clearTimeout(timer);
  }, [waiting]);
  const isTouched = isDirty && form !== begun.form;
  useEffect(() => {
    if (isTouched) keep(suiteId, version, form);
    else if (!isDirty) keep(suiteId, version, null);
  }, [isTouched, isDirty, suiteId, version, form]);

  const state: SaveState = isConflict ? "conflict" : isBusy ? "saving" : isRefused ? "refused" : !isDirty ? "saved" : stored === null ? "new" : isHeld ? "incomplete" : "saving";
  const discard = () => {
    keep(suiteId, version, null);
    setRefused(null);
    setForm(saved.suite ? formOf(saved.suite.definition) : emptySuite());
  };
  return {
    form,
    setForm,
    body,
    /** The content, to be compared. */
    text,
    saved: saved.suite,
    state,
    isDirty,
    /** Something was typed, so that leaving loses it. */
    isUnsaved: isDirty && (stored !== null || isTouched),
    isRestored: begun.isRestored && isDirty,
    discard,
    save,
    /** The missing fields, whether or not they are shown as errors. */
    lacking,
    errors: { ...(problem ? stillTrue(problem.fields, refused?.body, body) : {}), ...(isTried ? lacking : {}), ...wrong } as Record<string, string>,
    error: isConflict || isRefused ? refused?.error : undefined,
  };
}
