import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/Button";
import { TextAreaField, TextField } from "@/components/Field";
import { harmless } from "@/lib/plain-text";
import type { Entry } from "./entries";

export type Panel = "skip" | "flag" | "note";

interface Props {
  entry: Entry;
  allowSkip: boolean;
  panel: Panel | null;
  onPanel: (panel: Panel | null) => void;
  onChange: (part: Partial<Entry>) => void;
  onSkip: (reason: string) => void;
}

const SKIP_REASONS = ["I cannot tell", "Not my field", "The item is broken"];

/** Note, flag and skip: each opens by a key, takes the focus, and closes with Esc. */
export function SideNotes({ entry, allowSkip, panel, onPanel, onChange, onSkip }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [reason, setReason] = useState("");
  useEffect(() => {
    if (panel !== null) box.current?.querySelector<HTMLElement>(`[data-panel="${panel}"] :is(input, textarea)`)?.focus();
  }, [panel]);
  const close = () => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    onPanel(null);
  };
  const skip = () => reason.trim() !== "" && onSkip(reason.trim());
  return (
    // Esc closes the part that has the focus.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={box} className="flex flex-col gap-3 border-t border-line pt-3" onKeyDown={(event) => event.key === "Escape" && close()}>
      <div className="flex flex-wrap gap-2">
        <Button icon="pencil" aria-expanded={panel === "note"} onClick={() => onPanel(panel === "note" ? null : "note")}>{entry.note === "" ? "Note" : "Your note"}</Button>
        <Button icon="alert" aria-expanded={panel === "flag"} onClick={() => onPanel(panel === "flag" ? null : "flag")}>{entry.flag === null ? "Flag" : "Flagged"}</Button>
      </div>
      {entry.flag !== null && panel !== "flag" && <p className="text-xs wrap-anywhere text-warn">Flagged: {harmless(entry.flag)}</p>}
      {panel === "note" && (
        <div data-panel="note">
          <TextAreaField label="Note" hint="The people who decide read it. Esc closes." rows={3} maxLength={5000} dir="auto" value={entry.note} onChange={(note) => onChange({ note })} />
        </div>
      )}
      {panel === "flag" && (
        <form
          data-panel="flag"
          onSubmit={(event) => {
            event.preventDefault();
            close();
          }}
        >
          <TextField label="Why is it flagged?" hint="Enter keeps it; an empty reason removes the flag." maxLength={255} value={entry.flag ?? ""} onChange={(flag) => onChange({ flag: flag.trim() === "" ? null : flag })} />
        </form>
      )}
      {panel === "skip" && allowSkip && (
        <form
          data-panel="skip"
          className="flex flex-col gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            skip();
          }}
        >
          <TextField label="Why do you skip it?" required hint="Enter skips, Esc goes back." maxLength={255} value={reason} onChange={setReason} />
          <div className="flex flex-wrap gap-1.5">
            {SKIP_REASONS.map((one) => <Button key={one} onClick={() => onSkip(one)}>{one}</Button>)}
            <Button type="submit" disabled={reason.trim() === ""}>Skip the item</Button>
          </div>
        </form>
      )}
    </div>
  );
}
