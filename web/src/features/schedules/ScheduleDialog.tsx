import { useMemo, useState } from "react";
import { skipToken } from "@reduxjs/toolkit/query/react";
import type { ScheduleIn, ScheduleOut, ScheduleSaved } from "@/api/generated/orchestrator";
import { matching, useCreateScheduleMutation, useLazyGetScheduleQuery, useNextTimesQuery, useUpdateScheduleMutation } from "@/api/schedules";
import { Button } from "@/components/Button";
import { Combobox } from "@/components/Combobox";
import { CopyButton } from "@/components/CopyButton";
import { FormDialog } from "@/components/Dialog";
import { Disclosure } from "@/components/Disclosure";
import { CheckField, TextAreaField, TextField } from "@/components/Field";
import { SaveProblem } from "@/components/SaveProblem";
import { toast } from "@/components/Toast";
import { errorAt, errorsUnder, stillTrue } from "@/lib/form-errors";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useSettled } from "@/lib/use-settled";
import { ownZone } from "@/lib/when";
import { NextTimes } from "./NextTimes";
import { CRONS, whatOf, whatText, zones, type What } from "./schedule-words";

interface Props {
  /** Null for a new one. */
  schedule: ScheduleOut | null;
  /** The run or the suite that the schedule starts. */
  what: What;
  onClose: () => void;
  onSaved?: (schedule: ScheduleOut) => void;
}

interface Form {
  name: string;
  cron: string;
  zone: string;
  skip: boolean;
  /** The request as JSON. */
  request: string;
}

const json = ({ request }: What) => JSON.stringify(request, null, 2);
const formOf = (schedule: ScheduleOut): Form => ({ name: schedule.name, cron: schedule.cron, zone: schedule.time_zone, skip: schedule.skip_if_running, request: json(whatOf(schedule)) });

/** Return what the text describes; `null` unless it is an object that names what to test. */
function parsed(text: string, kind: What["kind"]): What | null {
  try {
    const value = JSON.parse(text) as Record<string, unknown> | null;
    const names = kind === "run" ? Array.isArray(value?.targets) : typeof value?.suite_id === "string";
    return names ? ({ kind, request: value } as unknown as What) : null;
  } catch {
    return null;
  }
}

const MISSING = { run: "This is not a request as JSON with its targets.", suite: "This is not a request as JSON with its suite_id." };
const HINTS = {
  run: "As POST /api/runs takes it. To compose another one, go to New run and choose “Schedule it”.",
  suite: "As POST /v1/benchmarks/runs takes it. Each time, the newest published version of the suite runs.",
};

/** Create or change a schedule: its name, its times with a preview, and what it runs. */
export function ScheduleDialog({ schedule, what, onClose, onSaved }: Props) {
  // The version that the change is based on.
  const [begun, setBegun] = useState(schedule);
  const [form, setForm] = useState<Form>(() => (schedule ? formOf(schedule) : { name: what.request.name ?? "", cron: CRONS[0].value, zone: ownZone(), skip: true, request: json(what) }));
  const [isTried, setTried] = useState(false);
  // The saved schedule, while the generated secret of its webhook is shown.
  const [saved, setSaved] = useState<ScheduleSaved | null>(null);
  const [sent, setSent] = useState<ScheduleIn>();
  const [create, creating] = useCreateScheduleMutation();
  const [update, updating] = useUpdateScheduleMutation();
  const [read, reading] = useLazyGetScheduleQuery();
  const choices = useMemo(() => zones(), []);
  const set = (part: Partial<Form>) => setForm((now) => ({ ...now, ...part }));

  const saving = begun ? updating : creating;
  const wanted = parsed(form.request, what.kind);
  const body: ScheduleIn = { name: form.name.trim(), cron: form.cron.trim(), time_zone: form.zone.trim(), skip_if_running: form.skip, what: wanted ?? what };
  const refused = saving.error ? stillTrue(toProblem(saving.error).fields, sent, body) : {};
  const asked = useSettled(`${body.cron}\n${body.time_zone}`).split("\n");
  const [cron = "", timeZone = ""] = asked;
  const times = useNextTimesQuery(cron !== "" && timeZone !== "" ? { cron, timeZone } : skipToken);
  const faults = times.isError && !times.isFetching ? toProblem(times.error).fields : {};
  const errors = { ...refused, ...faults };
  const nameError = isTried && body.name === "" ? "Enter a name; the runs have it, too." : errorAt(errors, "name");
  const requestError = wanted === null ? MISSING[what.kind] : errorsUnder(errors, "what").join(" ") || undefined;

  const save = async () => {
    setTried(true);
    if (body.name === "" || wanted === null || saving.isLoading) return;
    setSent(body);
    const answer = begun ? await update({ scheduleId: begun.id, "if-match": matching(begun), scheduleIn: body }) : await create({ createSchedule: body });
    if (!answer.data) return;
    if (answer.data.webhook_secret) setSaved(answer.data);
    else leave(answer.data);
  };
  const leave = (made: ScheduleOut) => {
    toast(`${made.name} is saved.`);
    onClose();
    onSaved?.(made);
  };
  const reload = async (scheduleId: string) => {
    const answer = await read({ scheduleId });
    if (!answer.data) return;
    setBegun(answer.data);
    setForm(formOf(answer.data));
    updating.reset();
  };

  if (saved?.webhook_secret) {
    return (
      <FormDialog open onClose={() => leave(saved)} title="The secret of the webhook">
        <p className="mt-3 text-ink-2">It signs the messages to the webhook. It is stored encrypted and not shown again.</p>
        <p className="mt-3 flex items-center gap-2">
          <code className="min-w-0 rounded-md bg-sunken px-2 py-1 font-mono wrap-anywhere">{saved.webhook_secret}</code>
          <CopyButton text={() => saved.webhook_secret ?? ""} label="Copy the secret" />
        </p>
        <div className="mt-4 flex justify-end"><Button kind="primary" onClick={() => leave(saved)}>Done</Button></div>
      </FormDialog>
    );
  }
  return (
    <FormDialog open onClose={onClose} title={begun ? "Change the schedule" : "New schedule"}>
      <form
        className="mt-4 flex flex-col gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField label="Name" required maxLength={255} data-autofocus value={form.name} error={nameError} onChange={(name) => set({ name })} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Combobox label="Cron expression" free required hint="Minute, hour, day of month, month, day of week" choices={CRONS} value={form.cron} error={errorAt(errors, "cron")} onChange={(value) => set({ cron: value })} />
          <Combobox label="Time zone" free required choices={choices} value={form.zone} error={errorAt(errors, "time_zone")} onChange={(zone) => set({ zone })} />
        </div>
        <section aria-label="Next times" className="min-h-32 rounded-md bg-sunken px-3 py-2 text-sm">
          <h3 className="mb-1 text-xs font-medium text-ink-2">Next times</h3>
          {times.currentData ? <NextTimes times={times.currentData.items} /> : <p className="text-ink-3">{times.isError ? "Not until the expression can be read." : "…"}</p>}
        </section>
        <CheckField label="Skip a time while the last run is not over" checked={form.skip} onChange={(skip) => set({ skip })} />
        <Disclosure title="What to run" summary={wanted ? harmless(whatText(wanted)) : "not readable"} open={requestError !== undefined}>
          <TextAreaField label="The request as JSON" hint={HINTS[what.kind]} mono rows={10} spellCheck={false} value={form.request} error={requestError} onChange={(text) => set({ request: text })} />
        </Disclosure>
        <SaveProblem error={Object.keys(refused).length > 0 ? undefined : (saving.error ?? reading.error)} what="schedule" onReload={begun ? () => void reload(begun.id) : undefined} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={saving.isLoading}>
            {saving.isLoading ? "Saving…" : begun ? "Save" : "Create"}
          </Button>
        </div>
      </form>
    </FormDialog>
  );
}
