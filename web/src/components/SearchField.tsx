import { useEffect, useRef, useState } from "react";
import { useShortcuts } from "@/lib/shortcuts";
import { INPUT } from "./Field";

/** The pause after the last keystroke before the search starts. */
const QUIET_MS = 300;

interface Props {
  label: string;
  placeholder?: string;
  value: string;
  onSearch: (value: string) => void;
  className?: string;
}

/** A search field that searches once typing stops, or at Enter. */
export function SearchField({ label, placeholder = label, value, onSearch, className = "" }: Props) {
  const [text, setText] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  useShortcuts("On this screen", [{ keys: ["/"], label: "Search", run: () => field.current?.focus() }]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // A new value from outside (Back, a cleared filter) replaces the typed text.
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    if (value !== text.trim()) setText(value);
  }
  const search = (wanted: string) => {
    clearTimeout(timer.current);
    if (wanted.trim() !== value) onSearch(wanted.trim());
  };
  const type = (wanted: string) => {
    setText(wanted);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => search(wanted), QUIET_MS);
  };
  return (
    <input
      ref={field}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={text}
      autoComplete="off"
      onChange={(event) => type(event.target.value)}
      // Search at once on blur: a delayed search would navigate back from a link clicked next.
      onBlur={() => search(text)}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        // Within a form, Enter searches and does not submit the form.
        event.preventDefault();
        search(text);
      }}
      className={`${INPUT} h-8 ${className}`}
    />
  );
}
