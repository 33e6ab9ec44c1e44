import { useState } from "react";
import { matching } from "@/api/matching";
import type { PresetIn, PresetOut } from "@/api/generated/config-api";
import { useCreatePresetMutation, useLazyGetPresetQuery, useUpdatePresetMutation } from "@/api/presets";
import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { NumberField, TextAreaField, TextField } from "@/components/Field";
import { SaveProblem } from "@/components/SaveProblem";
import { toast } from "@/components/Toast";
import { errorAt, stillTrue } from "@/lib/form-errors";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { faultsOf, formOf, SETTINGS, toSettings } from "./preset-settings";

interface Props {
  /** Null for a new one. */
  preset: PresetOut | null;
  onClose: () => void;
  onSaved?: (preset: PresetOut) => void;
}

export function PresetDialog({ preset, onClose, onSaved }: Props) {
  // The version that the change is based on.
  const [begun, setBegun] = useState(preset);
  const [name, setName] = useState(preset?.name ?? "");
  const [description, setDescription] = useState(preset?.description ?? "");
  const [settings, setSettings] = useState(formOf(preset?.settings ?? {}));
  const [isTried, setTried] = useState(false);
  const [sent, setSent] = useState<PresetIn>();
  const [create, creating] = useCreatePresetMutation();
  const [update, updating] = useUpdatePresetMutation();
  const [read, reading] = useLazyGetPresetQuery();

  const saving = begun ? updating : creating;
  const body: PresetIn = { name: name.trim(), description: description.trim() === "" ? null : description, settings: toSettings(settings) };
  const errors = saving.error ? stillTrue(toProblem(saving.error).fields, sent, body) : {};
  const faults = faultsOf(settings);
  const nameError = isTried && body.name === "" ? "Enter a name; runs show it." : errorAt(errors, "name");

  const save = async () => {
    setTried(true);
    if (body.name === "" || Object.keys(faults).length > 0 || saving.isLoading) return;
    setSent(body);
    const answer = begun ? await update({ id: begun.id, "if-match": matching(begun), presetIn: body }) : await create({ presetIn: body });
    if (!answer.data) return;
    toast(`${harmless(answer.data.name)} is saved.`);
    onClose();
    onSaved?.(answer.data);
  };
  const reload = async (id: string) => {
    const answer = await read({ id });
    if (!answer.data) return;
    setBegun(answer.data);
    setName(answer.data.name);
    setDescription(answer.data.description ?? "");
    setSettings(formOf(answer.data.settings));
    updating.reset();
  };

  return (
    <FormDialog open onClose={onClose} title={begun ? "Change the preset" : "New preset"}>
      <form
        className="mt-4 flex flex-col gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField label="Name" required maxLength={255} data-autofocus value={name} error={nameError} onChange={setName} />
        <TextAreaField label="Description" rows={2} value={description} error={errorAt(errors, "description")} onChange={setDescription} />
        <div className="grid gap-4 sm:grid-cols-2">
          {SETTINGS.map((one) => (
            <NumberField
              key={one.name}
              label={one.label}
              hint={one.hint}
              min={one.min}
              max={one.max}
              value={settings[one.name]}
              error={faults[one.name] ?? errorAt(errors, `settings.${one.name}`)}
              onChange={(value) => setSettings((now) => ({ ...now, [one.name]: value }))}
            />
          ))}
        </div>
        {begun && <p className="text-xs text-ink-2">Runs keep the values that they were started with.</p>}
        <SaveProblem error={saving.error ?? reading.error} what="preset" onReload={begun ? () => void reload(begun.id) : undefined} />
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
