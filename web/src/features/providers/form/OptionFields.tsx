import { useId } from "react";
import type { OptionOut, ProviderTypeOut } from "@/api/generated/config-api";
import { Button, IconButton } from "@/components/Button";
import { FieldError, INPUT } from "@/components/Field";
import { errorsUnder } from "@/lib/form-errors";
import { newOption, readOption, textOf, type OptionDraft } from "./option-draft";

interface Props {
  options: readonly OptionDraft[];
  type: ProviderTypeOut;
  errors: Readonly<Record<string, string>>;
  onChange: (options: OptionDraft[]) => void;
}

/** Options are sent with every request; those of the type are explained, any other is passed on as it is. */
export function OptionFields({ options, type, errors, onChange }: Props) {
  const unused = type.options.filter((known) => !options.some((one) => one.name.trim() === known.name));
  const add = (known: OptionOut) => onChange([...options, newOption(known.name, textOf(known.example, known.name, type.options))]);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {options.map((one, index) => (
        <OptionRow
          key={one.id}
          option={one}
          index={index}
          known={type.options}
          errors={errorsUnder(errors, `options.${one.name.trim()}`)}
          onChange={(next) => onChange(options.flatMap((other) => (other.id === one.id ? (next ?? []) : other)))}
        />
      ))}
      <Button icon="plus" className="self-start" onClick={() => onChange([...options, newOption()])}>
        Add another option
      </Button>
      {unused.length > 0 && (
        <div>
          <h3 className="text-xs font-medium text-ink-2">What {type.title} knows</h3>
          <ul className="mt-1 divide-y divide-line rounded-md border border-line">
            {unused.map((known) => (
              <li key={known.name} className="flex items-start gap-3 py-1.5 pr-1.5 pl-3">
                <div className="min-w-0 flex-1 py-1">
                  <p>
                    <code className="font-mono text-xs font-medium wrap-anywhere">{known.name}</code> <span className="text-xs text-ink-3">{known.kind}</span>
                  </p>
                  <p className="text-xs text-ink-2">{known.description}</p>
                </div>
                <Button kind="ghost" icon="plus" aria-label={`Add ${known.name}`} onClick={() => add(known)}>
                  Add
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

interface RowProps {
  option: OptionDraft;
  index: number;
  known: readonly OptionOut[];
  errors: string[];
  onChange: (next: OptionDraft | null) => void;
}

function OptionRow({ option, index, known, errors, onChange }: RowProps) {
  const id = useId();
  const about = known.find((one) => one.name === option.name.trim());
  const read = readOption(option, known);
  const label = option.name.trim() || `option ${index + 1}`;
  return (
    <div className="flex flex-col gap-1">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 sm:grid-cols-[12rem_minmax(0,1fr)_auto]">
        <input aria-label={`Name of option ${index + 1}`} placeholder="Name" autoComplete="off" spellCheck={false} value={option.name}
          onChange={(event) => onChange({ ...option, name: event.target.value })} className={`${INPUT} h-8 font-mono`} />
        <input aria-label={`Value of ${label}`} aria-describedby={`${id}-about`} aria-invalid={errors.length > 0 ? true : undefined} placeholder="Value" autoComplete="off" spellCheck={false} value={option.text}
          onChange={(event) => onChange({ ...option, text: event.target.value })} className={`${INPUT} h-8 font-mono max-sm:col-span-2 max-sm:row-start-2`} />
        <IconButton icon="cross" label={`Remove ${label}`} onClick={() => onChange(null)} />
      </div>
      <p id={`${id}-about`} className="text-xs text-ink-3">
        {about && `${about.description} `}
        {option.text.trim() !== "" && `Sent as ${read.kind}.`}
      </p>
      {errors.map((one) => (
        <FieldError key={one}>{one}</FieldError>
      ))}
    </div>
  );
}
