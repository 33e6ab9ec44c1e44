import { letterOf } from "../column-name";

/** The letter of a column, where its name does not fit. */
export function Letter({ at }: { at: number }) {
  return (
    <span aria-hidden="true" className="grid size-5 shrink-0 place-items-center rounded bg-mute-soft text-xs font-semibold text-ink-2">
      {letterOf(at)}
    </span>
  );
}
