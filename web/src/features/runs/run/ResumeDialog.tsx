import { useState } from "react";
import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { NumberField } from "@/components/Field";
import { formatUsd } from "@/lib/format";

interface Props {
  open: boolean;
  spent: number;
  limit: number;
  onClose: () => void;
  onResume: (limit: number) => void;
}

/** Resume a run that paused at its cost limit, with a higher limit. */
export function ResumeDialog({ open, spent, limit, onClose, onResume }: Props) {
  const [next, setNext] = useState<number | null>(Math.ceil(Math.max(limit, spent) * 200) / 100);
  const enough = next !== null && next > spent;
  return (
    <FormDialog open={open} onClose={onClose} title="Resume with a higher limit?">
      <form
        className="mt-2 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (next !== null && enough) onResume(next);
        }}
      >
        <p className="text-ink-2">
          The run paused at its cost limit of {formatUsd(limit)}: {formatUsd(spent)} are spent.
        </p>
        <NumberField label="New limit in US dollars" min={0} value={next} error={enough ? undefined : `More than the ${formatUsd(spent)} already spent.`} onChange={setNext} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Stay paused</Button>
          <Button kind="primary" icon="play" type="submit" disabled={!enough}>Resume</Button>
        </div>
      </form>
    </FormDialog>
  );
}
