import { useId, type ChangeEvent } from "react";
import type { OptionOut, ProviderTypeOut } from "@/api/generated/config-api";
import { Button, IconButton } from "@/components/Button";
import { FieldError, INPUT } from "@/components/Field";
import { Icon } from "@/components/Icon";
import { errorsUnder } from "@/lib/form-errors";
import { BROKEN, kindOf, newOption, parsed, readOption, textOf, type OptionDraft } from "./option-draft";
import { placeholdersFor, placeholdersOf, templateFault } from "./request-template";

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
  const label = option.name.trim() || `option ${index + 1}`;
  const value = {
    "aria-label": `Value of ${label}`,
    "aria-describedby": `${id}-about`,
    "aria-invalid": errors.length > 0 ? true : undefined,
    placeholder: "Value",
    autoComplete: "off",
    spellCheck: false,
    value: option.text,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange({ ...option, text: event.target.value }),
  };
  // Objects are edited on several lines.
  const isLong = about?.kind === "object" || option.text.includes("\n");
  return (
    <div className="flex flex-col gap-1">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 sm:grid-cols-[12rem_minmax(0,1fr)_auto]">
        <input aria-label={`Name of option ${index + 1}`} placeholder="Name" autoComplete="off" spellCheck={false} value={option.name}
          onChange={(event) => onChange({ ...option, name: event.target.value })} className={`${INPUT} h-8 font-mono`} />
        {isLong ? (
          <textarea {...value} rows={Math.min(16, Math.max(4, option.text.split("\n").length))} className={`${INPUT} py-1.5 font-mono text-xs leading-5 max-sm:col-span-2 max-sm:row-start-2`} />
        ) : (
          <input {...value} className={`${INPUT} h-8 font-mono max-sm:col-span-2 max-sm:row-start-2`} />
        )}
        <IconButton icon="cross" label={`Remove ${label}`} onClick={() => onChange(null)} />
      </div>
      <div id={`${id}-about`} className="flex flex-col gap-1 text-xs text-ink-3">
        {about && <p>{about.description}</p>}
        <LiveCheck option={option} about={about} known={known} />
      </div>
      {errors.map((one) => (
        <FieldError key={one}>{one}</FieldError>
      ))}
    </div>
  );
}

/** Show how the current text is interpreted. Errors are not reported yet, because the user is still typing. */
function LiveCheck({ option, about, known }: Pick<RowProps, "option" | "known"> & { about: OptionOut | undefined }) {
  if (option.text.trim() === "") return null;
  if (about?.kind === "object") return <ObjectCheck text={option.text} placeholders={placeholdersFor(about)} />;
  if (about?.name.endsWith("_path")) {
    return (
      <p className={option.text.trim().startsWith("$") ? "" : "text-warn"}>
        {option.text.trim().startsWith("$") ? <>As in <Code>$.answer</Code>, a field; <Code>$.data[0].text</Code>, one in the first of a list; <Code>$.sources[*]</Code>, each of a list.</> : <>A JSONPath begins with <Code>$</Code>, which stands for the entire answer.</>}
      </p>
    );
  }
  return <p>Sent as {readOption(option, known).kind}.</p>;
}

function ObjectCheck({ text, placeholders }: { text: string; placeholders: readonly string[] }) {
  const json = parsed(text);
  if (!json) return <p className="text-warn">No valid JSON yet: {BROKEN}</p>;
  const { value } = json;
  if (kindOf(value) !== "object") return <p className="text-warn">Enter a JSON object, in curly brackets.</p>;
  const fault = placeholders.length > 0 ? templateFault(value, placeholders) : null;
  if (fault !== null) return <p className="text-warn">{fault}</p>;
  const used = placeholdersOf(value);
  return (
    <p className="flex items-center gap-1 text-good">
      <Icon name="check" className="size-3.5" />
      Valid JSON{placeholders.length > 0 && used.length > 0 && `; it is sent with ${used.join(", ").replaceAll("_", " ")}`}.
    </p>
  );
}

function Code({ children }: { children: string }) {
  return <code className="rounded bg-mute-soft px-1 font-mono text-ink">{children}</code>;
}
