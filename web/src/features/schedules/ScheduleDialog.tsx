import { useMemo, useState } from "react";
import { skipToken } from "@reduxjs/toolkit/query/react";
import type { CreateRun, ScheduleIn, ScheduleOut } from "@/api/generated/orchestrator";
import { matching, useCreateScheduleMutation, useLazyGetScheduleQuery, useNextTimesQuery, useUpdateScheduleMutation } from "@/api/schedules";
import { Button } from "@/components/Button";
import { Combobox } from "@/components/Combobox";
import { FormDialog } from "@/components/Dialog";
import { Disclosure } from "@/components/Disclosure";
import { CheckField, TextAreaField, TextField } from "@/components/Field";
import { SaveProblem } from "@/components/SaveProblem";
import { toast } from "@/components/Toast";
import { errorAt, errorsUnder, stillTrue } from "@/lib/form-errors";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useSettled } from "@/lib/use-settled";
import { NextTimes } from "./NextTimes";
import { CRONS, ownZone, requestOf, requestText, zones } from "./schedule-words";

interface Props {
  /** Null for a new one. */
  schedule: ScheduleOut | null;
  /** The run that a new schedule starts. */
  request: CreateRun;
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

const json = (request: CreateRun) => JSON.stringify(request, null, 2);
const formOf = (schedule: ScheduleOut): Form => ({ name: schedule.name, cron: schedule.cron, zone: schedule.time_zone, skip: schedule.skip_if_running, request: json(requestOf(schedule)) });

function parsed(text: string): CreateRun | null {
  try {
    const value = JSON.parse(text) as CreateRun | null;
    return value !== null && Array.isArray(value.targets) ? value : null;
  } catch {
    return null;
  }
}

/** Create or change a schedule: its name, its times with a preview, and what it runs. */
export function ScheduleDialog({ schedule, request, onClose, onSaved }: Props) {
  // The version that the change is based on.
  const [begun, setBegun] = useState(schedule);
  const [form, setForm] = useState<Form>(() => (schedule ? formOf(schedule) : { name: request.name ?? "", cron: CRONS[0].value, zone: ownZone(), skip: true, request: json(request) }));
  const [isTried, setTried] = useState(false);
  const [sent, setSent] = useState<ScheduleIn>();
  const [create, creating] = useCreateScheduleMutation();
  const [update, updating] = useUpdateScheduleMutation();
  const [read, reading] = useLazyGetScheduleQuery();
  const choices = useMemo(() => zones(), []);
  const set = (part: Partial<Form>) => setForm((now) => ({ ...now, ...part }));

  const saving = begun ? updating : creating;
  const wanted = parsed(form.request);
  const body: ScheduleIn = { name: form.name.trim(), cron: form.cron.trim(), time_zone: form.zone.trim(), skip_if_running: form.skip, what: { kind: "run", request: wanted ?? request } };
  const refused = saving.error ? stillTrue(toProblem(saving.error).fields, sent, body) : {};
  const asked = useSettled(`${body.cron}\n${body.time_zone}`).split("\n");
  const [cron = "", timeZone = ""] = asked;
  const times = useNextTimesQuery(cron !== "" && timeZone !== "" ? { cron, timeZone } : skipToken);
  const faults = times.isError && !times.isFetching ? toProblem(times.error).fields : {};
  const errors = { ...refused, ...faults };
  const nameError = isTried && body.name === "" ? "Enter a name; the runs have it, too." : errorAt(errors, "name");
  const requestError = wanted === null ? "This is not a request as JSON with its targets." : errorsUnder(errors, "what").join(" ") || undefined;

  const save = async () => {
    setTried(true);
    if (body.name === "" || wanted === null || saving.isLoading) return;
    setSent(body);
    const answer = begun ? await update({ scheduleId: begun.id, "if-match": matching(begun), scheduleIn: body }) : await create({ createSchedule: body });
    if (!answer.data) return;
    toast(`${answer.data.name} is saved.`);
    onClose();
    onSaved?.(answer.data);
  };
  const reload = async (scheduleId: string) => {
    const answer = await read({ scheduleId });
    if (!answer.data) return;
    setBegun(answer.data);
    setForm(formOf(answer.data));
    updating.reset();
  };

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
        <Disclosure title="What to run" summary={wanted ? harmless(requestText(wanted)) : "not readable"} open={requestError !== undefined}>
          <TextAreaField label="The request as JSON" hint="As POST /api/runs takes it. To compose another one, go to New run and choose “Schedule it”." mono rows={10} spellCheck={false} value={form.request} error={requestError} onChange={(text) => set({ request: text })} />
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
