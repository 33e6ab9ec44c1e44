import { useState } from "react";
import { useRenameCalibrationMutation } from "@/api/calibrations";
import type { CalibrationOut } from "@/api/generated/orchestrator";
import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { TextField } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { errorAt } from "@/lib/form-errors";
import { toProblem } from "@/lib/problem";

/** Give a calibration another name. Its labels and figures never change. */
export function Rename({ calibration, onClose }: { calibration: CalibrationOut; onClose: () => void }) {
  const [name, setName] = useState(calibration.name);
  const [rename, renaming] = useRenameCalibrationMutation();
  const errors = renaming.error === undefined ? {} : toProblem(renaming.error).fields;
  const save = async () => {
    const answer = await rename({ id: calibration.id, renameCalibration: { name: name.trim() } });
    if (answer.data) onClose();
  };
  return (
    <FormDialog open onClose={onClose} title="Rename the calibration">
      <form
        className="mt-3 flex flex-col gap-3"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField label="Name" required maxLength={255} value={name} error={errorAt(errors, "name")} onChange={setName} />
        {renaming.error !== undefined && <ProblemNote error={renaming.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Not now</Button>
          <Button kind="primary" type="submit" disabled={renaming.isLoading || name.trim() === ""}>{renaming.isLoading ? "Saving…" : "Save"}</Button>
        </div>
      </form>
    </FormDialog>
  );
}
