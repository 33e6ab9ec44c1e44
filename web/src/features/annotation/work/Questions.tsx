import { useId } from "react";
import type { Field } from "@/api/generated/config-api";
import { FieldError, INPUT } from "@/components/Field";
import { harmless } from "@/lib/plain-text";
import { choicesOf, isAsked, titleOf, type Labels } from "../words";
import { choose, keyOf } from "./keys";
import { Key, SpanField } from "./SpanField";

interface Props {
  fields: readonly Field[];
  labels: Labels;
  /** The text in which passages are marked. */
  answer: string | null;
  /** The index of the question that the keys answer, among those that are asked. */
  active: number;
  /** Error messages by the name of the field. */
  faults: Readonly<Record<string, string>>;
  onActive: (place: number) => void;
  onChange: (name: string, value: unknown) => void;
}

/** The questions that are asked, given the labels so far. */
export function Questions({ fields, labels, answer, active, faults, onActive, onChange }: Props) {
  return (
    <div className="flex flex-col gap-4">
      {fields.filter((field) => isAsked(field, labels)).map((field, place) => (
        <Question
          key={field.name} field={field} value={labels[field.name]} answer={answer} isActive={place === active} fault={faults[field.name]}
          onActive={() => onActive(place)}
          onChange={(value) => {
            onActive(place);
            onChange(field.name, value);
          }}
        />
      ))}
    </div>
  );
}

interface QuestionProps {
  field: Field;
  value: unknown;
  answer: string | null;
  isActive: boolean;
  fault: string | undefined;
  onActive: () => void;
  onChange: (value: unknown) => void;
}

function Question({ field, value, answer, isActive, fault, onActive, onChange }: QuestionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} data-question={field.name} className={`rounded-md border-l-2 pl-3 ${isActive ? "border-accent" : "border-line"}`}>
      <h3 id={id} className="font-semibold wrap-anywhere">
        {titleOf(field)}
        {field.required === false && <span className="font-normal text-ink-3"> (optional)</span>}
      </h3>
      {field.help && <p className="text-xs wrap-anywhere text-ink-2">{harmless(field.help)}</p>}
      <div className="mt-2">
        {field.type === "text" ? (
          <textarea
            aria-labelledby={id} rows={4} maxLength={20_000} dir="auto" value={typeof value === "string" ? value : ""}
            onFocus={onActive} onChange={(event) => onChange(event.target.value)}
            onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
            className={`${INPUT} py-1.5 text-base sm:text-sm`}
          />
        ) : field.type === "spans" ? (
          <SpanField field={field} value={value} answer={answer} isActive={isActive} onActive={onActive} onChange={onChange} />
        ) : (
          <Choices field={field} value={value} labelledBy={id} onChange={onChange} />
        )}
      </div>
      {fault && <div className="mt-1"><FieldError>{harmless(fault)}</FieldError></div>}
    </section>
  );
}

/** The values of a classification, rating, comparison or ranking, each with its key. */
function Choices({ field, value, labelledBy, onChange }: { field: Field; value: unknown; labelledBy: string; onChange: (value: unknown) => void }) {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const isRanking = field.type === "ranking";
  const several = isRanking || field.multiple === true;
  const choices = choicesOf(field);
  const flat = field.type === "rating" && choices.every(({ detail }) => detail === null);
  return (
    <>
      {isRanking && <p className="mb-2 text-xs text-ink-2">Press them in order, the best first. Backspace takes the last one back.</p>}
      <div role={several ? "group" : "radiogroup"} aria-labelledby={labelledBy} className={flat ? "flex flex-wrap gap-1.5" : "flex flex-col gap-1.5"}>
        {choices.map(({ value: one, label, detail }, place) => {
          const rank = list.indexOf(one);
          const on = several ? rank >= 0 : value === one;
          return (
            <button
              key={one} type="button" {...(several ? { "aria-pressed": on } : { role: "radio", "aria-checked": on })}
              onClick={() => onChange(choose(field, value, one))}
              className={`flex min-h-11 items-center gap-2 rounded-md border px-3 py-1.5 text-left sm:min-h-9 ${on ? "border-accent bg-selected font-medium text-accent-strong" : "border-line-strong bg-surface hover:bg-hover"}`}
            >
              <Key name={keyOf(field, place)} />
              <span className="min-w-0 wrap-anywhere">
                {label}
                {detail && <span className="font-normal text-ink-2"> – {harmless(detail)}</span>}
              </span>
              {isRanking && on && <span className="ml-auto text-xs">{rank + 1}.</span>}
            </button>
          );
        })}
      </div>
    </>
  );
}
