import { useEffect, useRef, useState } from "react";
import type { ProviderTypeOut } from "@/api/generated/config-api";
import { Button, IconButton } from "@/components/Button";
import { CheckField, Field, FieldError, INPUT } from "@/components/Field";
import { errorsUnder } from "@/lib/form-errors";
import { mask } from "../header-words";
import { isKept, keyHeader, newHeader, sentHeaders, withHeader, withKey, type HeaderDraft, type ProviderDraft } from "./provider-draft";

interface Props {
  draft: ProviderDraft;
  type: ProviderTypeOut;
  errors: Readonly<Record<string, string>>;
  onChange: (draft: ProviderDraft) => void;
}

function errorsOf(draft: ProviderDraft, one: HeaderDraft, errors: Props["errors"]): string[] {
  const index = sentHeaders(draft).indexOf(one);
  return index < 0 ? [] : errorsUnder(errors, `headers.${index}`);
}

/** The key of types that have one; the header it travels in is known. */
export function KeyField({ draft, type, errors, onChange }: Props) {
  const header = keyHeader(draft, type);
  const error = header && errorsOf(draft, header, errors)[0];
  return (
    <Field label="API key" error={error} hint={`Sent as ${type.secret_header}${type.secret_prefix ? `: ${type.secret_prefix.trim()} …` : ""}. Stored encrypted, never shown again.`}>
      {(links) => (
        <SecretInput
          links={links}
          kept={header && isKept(header) ? header.kept : null}
          canKeep={header?.kept !== null}
          value={header?.value ?? ""}
          onChange={(value) => onChange(withKey(draft, type, value))}
          onRemove={header?.kept ? () => onChange(withHeader(draft, null, header.id)) : undefined}
        />
      )}
    </Field>
  );
}

interface SecretProps {
  links: object;
  kept: HeaderDraft["kept"];
  canKeep: boolean;
  value: string;
  onChange: (value: string) => void;
  onRemove?: (() => void) | undefined;
}

/** A stored secret is replaced or removed, and never revealed. */
function SecretInput({ links, kept, canKeep, value, onChange, onRemove }: SecretProps) {
  const [replacing, setReplacing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // Where the button was that asked for it.
  useEffect(() => {
    if (replacing) input.current?.focus();
  }, [replacing]);
  if (kept && !replacing) {
    return (
      <div className="flex flex-wrap items-center gap-2">
        <input {...links} readOnly value={mask(kept.hint)} className={`${INPUT} h-8 max-w-56 bg-sunken font-mono`} />
        <Button onClick={() => setReplacing(true)}>Replace</Button>
        {onRemove && <Button kind="ghost" onClick={onRemove}>Remove</Button>}
      </div>
    );
  }
  return (
    <div className="flex items-center gap-2">
      <input {...links} type="password" autoComplete="new-password" spellCheck={false} ref={input} value={value} onChange={(event) => onChange(event.target.value)} className={`${INPUT} h-8 flex-1 font-mono`} />
      {replacing && canKeep && (
        <Button
          kind="ghost"
          onClick={() => {
            onChange("");
            setReplacing(false);
          }}
        >
          Keep the stored one
        </Button>
      )}
    </div>
  );
}

/** Every other header. */
export function HeaderFields({ draft, type, errors, onChange }: Props) {
  const key = keyHeader(draft, type);
  const others = draft.headers.filter((one) => one !== key);
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="sr-only">Headers</legend>
      {others.length === 0 && <p className="text-ink-2">No additional header. A gateway or a proxy may require some.</p>}
      {others.map((one, index) => (
        <HeaderRow key={one.id} header={one} index={index} errors={errorsOf(draft, one, errors)} onChange={(next) => onChange(withHeader(draft, next, one.id))} />
      ))}
      <Button icon="plus" className="self-start" onClick={() => onChange({ ...draft, headers: [...draft.headers, newHeader()] })}>
        Add a header
      </Button>
    </fieldset>
  );
}

function HeaderRow({ header, index, errors, onChange }: { header: HeaderDraft; index: number; errors: string[]; onChange: (next: HeaderDraft | null) => void }) {
  const label = header.name.trim() || `header ${index + 1}`;
  return (
    <div className="flex flex-col gap-1.5 border-b border-line pb-3 last-of-type:border-0">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 sm:grid-cols-[12rem_minmax(0,1fr)_auto]">
        <input
          aria-label={`Name of header ${index + 1}`}
          aria-invalid={errors.length > 0 ? true : undefined}
          placeholder="Name"
          autoComplete="off"
          spellCheck={false}
          value={header.name}
          onChange={(event) => onChange({ ...header, name: event.target.value })}
          className={`${INPUT} h-8 font-mono`}
        />
        <div className="max-sm:col-span-2 max-sm:row-start-2">
          {header.isSecret ? (
            <SecretInput
              links={{ "aria-label": `Value of ${label}` }}
              kept={isKept(header) ? header.kept : null}
              canKeep={header.kept !== null}
              value={header.value}
              onChange={(value) => onChange({ ...header, value })}
            />
          ) : (
            <input aria-label={`Value of ${label}`} placeholder="Value" autoComplete="off" spellCheck={false} value={header.value} onChange={(event) => onChange({ ...header, value: event.target.value })} className={`${INPUT} h-8 font-mono`} />
          )}
        </div>
        <IconButton icon="cross" label={`Remove ${label}`} onClick={() => onChange(null)} />
      </div>
      <CheckField className="text-xs" label="Secret: stored encrypted, never shown again" aria-label={`${label} is secret`} checked={header.isSecret} onChange={(isSecret) => onChange({ ...header, isSecret, value: isSecret ? header.value : "" })} />
      {errors.map((one) => (
        <FieldError key={one}>{one}</FieldError>
      ))}
    </div>
  );
}
