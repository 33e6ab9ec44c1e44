import { Icon } from "@/components/Icon";
import { harmless } from "@/lib/plain-text";
import type { SaveState } from "./useSuiteDraft";

interface Props {
  state: SaveState;
  /** The missing and wrong fields, as sentences. */
  lacking: readonly string[];
  onSave: () => void;
}

/** Say whether the draft is saved, and if it is not, why. */
export function SaveStatus({ state, lacking, onSave }: Props) {
  const [first] = lacking;
  switch (state) {
    case "saved":
      return <span className="inline-flex items-center gap-1"><Icon name="check" className="text-good" />All changes are saved</span>;
    case "saving":
      return <>Saving…</>;
    case "new":
      return <>Nothing is stored yet</>;
    case "incomplete":
      return <span className="text-warn">Not saved yet. {first && harmless(first)}</span>;
    case "conflict":
      return <span className="text-bad">Not saved</span>;
    case "refused":
      return (
        <span className="text-bad">
          Not saved. <button type="button" className="font-medium underline underline-offset-2" onClick={onSave}>Try again</button>
        </span>
      );
  }
}
