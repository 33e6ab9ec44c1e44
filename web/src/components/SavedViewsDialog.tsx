import { useState } from "react";
import { deleteView, saveView, type SavedView } from "@/lib/saved-views";
import { harmless } from "@/lib/plain-text";
import { Button, IconButton } from "./Button";
import { CopyButton } from "./CopyButton";
import { FormDialog } from "./Dialog";
import { TextField } from "./Field";

interface Props {
  table: string;
  /** The query string of what is shown now. */
  search: string;
  views: readonly SavedView[];
  onChange: (views: SavedView[]) => void;
  onClose: () => void;
}

/** Name what is shown now, and delete what is no longer needed. */
export default function SavedViewsDialog({ table, search, views, onChange, onClose }: Props) {
  const [name, setName] = useState("");
  return (
    <FormDialog open onClose={onClose} title="Views of this table">
      <form
        className="mt-4 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() === "") return;
          onChange(saveView(table, { name: name.trim(), search }));
          onClose();
        }}
      >
        <p className="text-ink-2">A view keeps filters, sorting and columns in this browser. Its address shows the same to everybody.</p>
        <TextField label="Name" maxLength={60} value={name} onChange={setName} hint={search === "" ? "The table is shown without filters and with its usual columns." : undefined} />
        {views.length > 0 && (
          <ul aria-label="Saved views" className="divide-y divide-line rounded-md border border-line">
            {views.map((one) => (
              <li key={one.name} className="flex items-center justify-between gap-3 py-1 pr-1 pl-3">
                <span className="min-w-0 truncate">{harmless(one.name)}</span>
                <IconButton icon="trash" label={`Delete the view ${harmless(one.name)}`} onClick={() => onChange(deleteView(table, one.name))} />
              </li>
            ))}
          </ul>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <CopyButton label="Copy the address" text={() => location.href} />
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" disabled={name.trim() === ""}>Save the view</Button>
        </div>
      </form>
    </FormDialog>
  );
}
