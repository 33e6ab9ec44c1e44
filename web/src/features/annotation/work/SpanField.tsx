import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import type { Field } from "@/api/generated/config-api";
import { IconButton } from "@/components/Button";
import { excerpt, harmless } from "@/lib/plain-text";
import { choicesOf, spansOf } from "../words";
import { keyOf } from "./keys";
import { partOf, wordsOf } from "./words-of-text";

interface Props {
  field: Field;
  value: unknown;
  answer: string | null;
  isActive: boolean;
  onActive: () => void;
  onChange: (value: unknown) => void;
}

/** Mark passages of the answer: choose words with the mouse or the arrow keys, then the label. */
export function SpanField({ field, value, answer, isActive, onActive, onChange }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const words = useMemo(() => wordsOf(answer ?? ""), [answer]);
  // The words that are chosen: from the first to the last one pressed.
  const [chosen, setChosen] = useState({ from: 0, to: 0 });
  const [low, high] = [Math.min(chosen.from, chosen.to), Math.max(chosen.from, chosen.to)];
  const spans = spansOf(value);
  const choices = choicesOf(field);
  useEffect(() => {
    if (isActive) box.current?.focus({ preventScroll: true });
  }, [isActive]);
  if (answer === null || words.length === 0) return <p className="text-ink-2">This item has no text to mark.</p>;

  const mark = (label: string | number) => {
    const span = { start: words[low]!.start, end: words[high]!.end, label: String(label) };
    if (!spans.some((one) => one.start === span.start && one.end === span.end && one.label === span.label)) onChange([...spans, span]);
  };
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const choice = choices.find((_, place) => keyOf(field, place) === event.key);
    if (step !== 0) {
      const to = Math.max(0, Math.min(words.length - 1, chosen.to + step));
      setChosen(event.shiftKey ? { ...chosen, to } : { from: to, to });
    } else if (choice) mark(choice.value);
    else if (event.key === "Backspace" && spans.length > 0) onChange(spans.slice(0, -1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const select = () => {
    const selection = globalThis.getSelection();
    if (!selection || selection.isCollapsed) return;
    const [from, to] = [selection.anchorNode, selection.focusNode].map((node) => Number((node instanceof Element ? node : node?.parentElement)?.closest<HTMLElement>("[data-word]")?.dataset.word ?? Number.NaN));
    if (from !== undefined && to !== undefined && !Number.isNaN(from) && !Number.isNaN(to)) setChosen({ from, to });
  };
  const isMarked = (start: number, end: number) => spans.some((one) => one.start < end && start < one.end);
  return (
    <div className="flex flex-col gap-2">
      {/* The arrow keys move within the text, as in a text field. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex */}
      <div ref={box} tabIndex={0} role="group" aria-label="The text to mark: arrow keys choose words, Shift extends" dir="auto" onKeyDown={press} onFocus={onActive} onMouseUp={select} className="model-text max-h-72 overflow-y-auto rounded-md border border-line px-3 py-2 leading-7">
        {words.map((word, place) => (
          <span key={place} data-word={place}>
            <span className={`rounded ${place >= low && place <= high ? "bg-selected outline-1 outline-accent" : ""} ${isMarked(word.start, word.end) ? "bg-warn-soft font-medium" : ""}`}>{harmless(word.text)}</span>
            {word.gap}
          </span>
        ))}
      </div>
      <div className="flex flex-wrap gap-1.5">
        {choices.map(({ value: one, label }, place) => (
          <button key={one} type="button" onClick={() => mark(one)} className="inline-flex min-h-9 items-center gap-2 rounded-md border border-line-strong bg-surface px-2.5 hover:bg-hover">
            <Key name={keyOf(field, place)} />Mark as {label}
          </button>
        ))}
      </div>
      {spans.length > 0 && (
        <ul aria-label="Marked passages" className="divide-y divide-line rounded-md border border-line">
          {spans.map((span, place) => (
            <li key={place} className="flex items-center justify-between gap-2 px-3 py-1">
              <span className="min-w-0 wrap-anywhere"><span className="text-xs text-ink-2">{harmless(span.label)}:</span> {harmless(excerpt(partOf(answer, span.start, span.end), 200, 3).text)}</span>
              <IconButton icon="trash" label={`Remove the passage ${place + 1}`} onClick={() => onChange(spans.filter((_, other) => other !== place))} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The key of a choice, for those who see it. */
export function Key({ name }: { name: string | null }) {
  if (name === null) return null;
  return <kbd aria-hidden="true" className="min-w-5.5 rounded border border-line-strong bg-sunken px-1.5 text-center font-mono text-xs leading-5 text-ink-2 max-sm:hidden">{name}</kbd>;
}
