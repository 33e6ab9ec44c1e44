import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

/** Notes on parameters that were omitted from a request and on redactions of its answer. */
export function Notes({ notes, redactions }: { notes: readonly string[]; redactions: number }) {
  return (
    <>
      {redactions > 0 && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-warn">
          The provider repeated a secret of this call in {plural(redactions, "place")}; each reads ••• here. Use another key, and ask the provider why.
        </p>
      )}
      {notes.map((note) => <p key={note} className="text-xs text-ink-2">{harmless(note)}</p>)}
    </>
  );
}
