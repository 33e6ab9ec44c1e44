/** Choose by typing: one value or free text (Combobox), or several values (MultiSelect). */

import { Combobox as Base, ComboboxButton, ComboboxInput, ComboboxOption, ComboboxOptions } from "@headlessui/react";
import { useRef, useState, type ComponentProps, type ReactNode } from "react";
import { Field, INPUT } from "./Field";
import { Icon } from "./Icon";

export interface Choice {
  value: string;
  label: string;
  /** Fainter, behind the label. */
  detail?: string;
}

/** More are not drawn: typing narrows them down. */
const MOST_SHOWN = 100;
const LIST = "z-50 mt-1 max-h-72 w-(--input-width) overflow-y-auto rounded-md border border-line-strong bg-surface py-1 shadow-panel empty:invisible";
const OPTION = "flex cursor-default items-center gap-2 px-2.5 py-1.5 data-focus:bg-selected";

function matching(choices: readonly Choice[], query: string): Choice[] {
  const wanted = query.trim().toLowerCase();
  return wanted === "" ? [...choices] : choices.filter((one) => `${one.label} ${one.detail ?? ""}`.toLowerCase().includes(wanted));
}

/** Headless UI overwrites our `aria-describedby`: restore it where the input is rendered. */
function DescribedInput({ describedBy, ...rest }: ComponentProps<"input"> & { describedBy: string | undefined }) {
  return <input {...rest} aria-describedby={describedBy} />;
}

interface FrameProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null | undefined;
  required?: boolean;
  className?: string;
  placeholder?: string;
  disabled?: boolean;
}

interface ComboboxProps extends FrameProps {
  choices: readonly Choice[];
  value: string;
  onChange: (value: string) => void;
  /** Accept typed text that is none of the choices. With `last`, Enter takes the first match before it, and Tab keeps the text. */
  free?: boolean | "last";
}

export function Combobox({ choices, value, onChange, free = false, placeholder, disabled = false, ...frame }: ComboboxProps) {
  const [query, setQuery] = useState<string | null>(null);
  const keepsText = useRef(false);
  const typed = query?.trim() ?? "";
  // A choice that is typed in full comes before longer ones.
  const shown = matching(choices, typed).toSorted((one, other) => Number(other.value === typed) - Number(one.value === typed));
  const isFull = shown[0]?.value === typed;
  // A choice equal to the field's value would be the active one. The space keeps the first match active.
  const added = free && typed !== "" && !isFull && <Own text={`Use “${typed}”`} value={` ${typed}`} />;
  const close = () => {
    setQuery(null);
    keepsText.current = false;
  };
  return (
    <Field {...frame}>
      {({ id, "aria-describedby": describedBy, "aria-invalid": invalid }) => (
        // After a failed submit the focus moves to an invalid field: its list stays closed.
        <Base value={value} disabled={disabled} immediate={!frame.error} onChange={(next: string | null) => keepsText.current || onChange(next?.trim() ?? "")} onClose={close}>
          {/* Tab would take the active option, as Enter does. */}
          <div className="relative" onKeyDownCapture={({ key }) => { keepsText.current = key === "Tab" && free === "last" && typed !== ""; }}>
            <ComboboxInput
              as={DescribedInput}
              describedBy={describedBy}
              id={id}
              aria-invalid={invalid}
              autoComplete="off"
              placeholder={placeholder}
              displayValue={(one: string) => choices.find((choice) => choice.value === one)?.label ?? one}
              onChange={(event) => {
                setQuery(event.target.value);
                if (free) onChange(event.target.value.trim());
              }}
              className={`${INPUT} h-8 pr-8`}
            />
            <ComboboxButton aria-label="Show the choices" className="absolute inset-y-0 right-0 grid w-8 place-items-center text-ink-3">
              <Icon name="next" className="size-3.5 rotate-90" />
            </ComboboxButton>
          </div>
          <ComboboxOptions anchor="bottom start" modal={false} className={LIST}>
            {free !== "last" && added}
            {/* The key renders the list again, so that its first option is the active one. */}
            <Choices key={String(isFull)} choices={shown} />
            {free === "last" && added}
          </ComboboxOptions>
        </Base>
      )}
    </Field>
  );
}

interface MultiProps extends FrameProps {
  choices: readonly Choice[];
  selected: readonly string[];
  onChange: (selected: string[]) => void;
  /** Called with the typed text when the server searches the choices. */
  onQuery?: (query: string) => void;
  /** Typed text that is none of the choices can be added with Enter. */
  free?: boolean;
}

export function MultiSelect({ choices, selected, onChange, onQuery, free = false, placeholder, disabled = false, ...frame }: MultiProps) {
  const [query, setQuery] = useState("");
  const type = (text: string) => {
    setQuery(text);
    onQuery?.(text);
  };
  const typed = query.trim();
  const added = free && typed !== "" && !choices.some((one) => one.value === typed) && !selected.includes(typed);
  const labelOf = (value: string) => choices.find((one) => one.value === value)?.label ?? value;
  return (
    <Field {...frame}>
      {({ id, "aria-describedby": describedBy, "aria-invalid": invalid }) => (
        <Base multiple immediate value={[...selected]} disabled={disabled} onChange={(next: string[]) => { onChange(next); type(""); }} onClose={() => type("")}>
          <div className="flex min-h-8 flex-wrap items-center gap-1 rounded-md border border-field bg-surface px-1.5 py-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent">
            {selected.map((value) => (
              <span key={value} className="inline-flex h-5.5 max-w-full items-center gap-1 rounded bg-mute-soft pr-0.5 pl-1.5 text-xs">
                <span className="truncate">{labelOf(value)}</span>
                <button type="button" aria-label={`Remove ${labelOf(value)}`} disabled={disabled} onClick={() => onChange(selected.filter((one) => one !== value))}
                  className="grid size-4.5 place-items-center rounded text-ink-3 hover:bg-hover hover:text-ink">
                  <Icon name="cross" className="size-3" />
                </button>
              </span>
            ))}
            <ComboboxInput
              as={DescribedInput}
              describedBy={describedBy}
              id={id}
              aria-invalid={invalid}
              value={query}
              autoComplete="off"
              placeholder={selected.length === 0 ? placeholder : undefined}
              onChange={(event) => type(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === "Backspace" && query === "" && selected.length > 0) onChange(selected.slice(0, -1));
              }}
              className="h-5.5 min-w-24 flex-1 bg-transparent px-1 text-sm outline-none placeholder:text-ink-3"
            />
          </div>
          <ComboboxOptions anchor="bottom start" modal={false} className={LIST}>
            {added && <Own text={`Add “${typed}”`} value={typed} />}
            <Choices choices={onQuery ? choices : matching(choices, query)} />
          </ComboboxOptions>
        </Base>
      )}
    </Field>
  );
}

function Own({ text, value }: { text: string; value: string }) {
  return <ComboboxOption value={value} className={OPTION}><span className="truncate">{text}</span></ComboboxOption>;
}

function Choices({ choices }: { choices: readonly Choice[] }) {
  return (
    <>
      {choices.slice(0, MOST_SHOWN).map((one) => (
        <ComboboxOption key={one.value} value={one.value} className={`group ${OPTION}`}>
          <Icon name="check" className="invisible size-3.5 text-accent group-data-selected:visible" />
          <span className="min-w-0 flex-1 truncate">
            {one.label}
            {one.detail && <span className="ml-2 text-xs text-ink-3">{one.detail}</span>}
          </span>
        </ComboboxOption>
      ))}
      {choices.length > MOST_SHOWN && <div className="px-2.5 py-1.5 text-xs text-ink-3">{choices.length - MOST_SHOWN} more: type to narrow them down.</div>}
    </>
  );
}
