/** Form fields with a label, a hint and an error, linked for screen readers. */

import { useId, type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes } from "react";
import { Icon } from "./Icon";

/** The attributes that link an input to its label, hint and error. */
export interface FieldLinks {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean | undefined;
}

interface FrameProps {
  label: ReactNode;
  hint?: ReactNode;
  /** Shown in place of the hint. */
  error?: string | null | undefined;
  required?: boolean;
  className?: string;
}

export const INPUT =
  "w-full min-w-0 rounded-md border border-field bg-surface px-2.5 text-sm text-ink placeholder:text-ink-3 disabled:bg-sunken disabled:text-ink-3 aria-invalid:border-bad";

export function Field({ label, hint, error, required = false, className = "", children }: FrameProps & { children: (links: FieldLinks) => ReactNode }) {
  const id = useId();
  const described = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return (
    <div className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="text-xs font-medium text-ink-2">
        {label}
        {required && <span className="text-ink-3"> (required)</span>}
      </label>
      {children({ id, "aria-describedby": described, "aria-invalid": error ? true : undefined })}
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : hint ? <p id={`${id}-hint`} className="text-xs text-ink-3">{hint}</p> : null}
    </div>
  );
}

/** An error message at its field. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="flex items-start gap-1 text-xs wrap-anywhere text-bad">
      <Icon name="alert" className="mt-px size-3.5" />
      <span>{children}</span>
    </p>
  );
}

type Own<T> = Omit<T, "value" | "onChange" | "className" | "required" | "id">;

interface TextProps extends FrameProps, Own<InputHTMLAttributes<HTMLInputElement>> {
  value: string;
  onChange: (value: string) => void;
}

export function TextField({ label, hint, error, required, className, value, onChange, ...rest }: TextProps) {
  return (
    <Field label={label} hint={hint} error={error} required={required} className={className}>
      {(links) => <input type="text" autoComplete="off" {...rest} {...links} value={value} onChange={(event) => onChange(event.target.value)} className={`${INPUT} h-8`} />}
    </Field>
  );
}

interface AreaProps extends FrameProps, Own<TextareaHTMLAttributes<HTMLTextAreaElement>> {
  /** Shown as code: JSON and the like. */
  mono?: boolean;
  value: string;
  onChange: (value: string) => void;
}

export function TextAreaField({ label, hint, error, required, className, value, onChange, rows = 3, mono = false, ...rest }: AreaProps) {
  return (
    <Field label={label} hint={hint} error={error} required={required} className={className}>
      {(links) => <textarea {...rest} {...links} rows={rows} value={value} onChange={(event) => onChange(event.target.value)} className={`${INPUT} py-1.5 ${mono ? "font-mono text-xs" : ""}`} />}
    </Field>
  );
}

interface NumberProps extends FrameProps, Own<InputHTMLAttributes<HTMLInputElement>> {
  value: number | null;
  onChange: (value: number | null) => void;
}

/** An empty field is `null`, not zero. */
export function NumberField({ label, hint, error, required, className, value, onChange, step = "any", ...rest }: NumberProps) {
  return (
    <Field label={label} hint={hint} error={error} required={required} className={className}>
      {(links) => (
        <input
          type="number"
          inputMode="decimal"
          step={step}
          {...rest}
          {...links}
          value={value ?? ""}
          onChange={(event) => onChange(event.target.value === "" ? null : event.target.valueAsNumber)}
          className={`${INPUT} h-8`}
        />
      )}
    </Field>
  );
}

export interface Option<T extends string = string> {
  value: T;
  label: string;
}

interface SelectProps<T extends string> extends FrameProps, Own<SelectHTMLAttributes<HTMLSelectElement>> {
  value: T;
  options: readonly Option<T>[];
  onChange: (value: T) => void;
}

export function SelectField<T extends string>({ label, hint, error, required, className, value, options, onChange, ...rest }: SelectProps<T>) {
  return (
    <Field label={label} hint={hint} error={error} required={required} className={className}>
      {(links) => (
        <select {...rest} {...links} value={value} onChange={(event) => onChange(options.find((one) => one.value === event.target.value)?.value ?? value)} className={`${INPUT} h-8`}>
          {options.map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckProps extends Own<InputHTMLAttributes<HTMLInputElement>> {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  /** Some of its parts are chosen, but not all. */
  some?: boolean;
  onChange: (checked: boolean) => void;
  className?: string;
}

export function CheckField({ label, hint, checked, some = false, onChange, className = "", ...rest }: CheckProps) {
  const id = useId();
  return (
    <div className={`flex min-w-0 items-start gap-2 ${className}`}>
      <input
        type="checkbox"
        {...rest}
        id={id}
        ref={(box) => {
          if (box) box.indeterminate = some;
        }}
        checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="block wrap-anywhere">{label}</label>
        {hint && <p id={`${id}-hint`} className="text-xs text-ink-3">{hint}</p>}
      </div>
    </div>
  );
}
