import type { ReactNode } from "react";
import { Button, IconButton } from "./Button";
import { FieldError, INPUT } from "./Field";

export interface Pair {
  key: string;
  value: string;
}

interface Props {
  legend: string;
  hint?: ReactNode;
  pairs: readonly Pair[];
  onChange: (pairs: Pair[]) => void;
  keyLabel?: string;
  valueLabel?: string;
  addLabel?: string;
  /** Return the error of the pair at this index. */
  errorOf?: (index: number) => string | null | undefined;
}

/** Pairs of a name and a value, in the order in which they were written. */
export function KeyValueEditor({ legend, hint, pairs, onChange, keyLabel = "Name", valueLabel = "Value", addLabel = "Add", errorOf }: Props) {
  const change = (index: number, part: Partial<Pair>) => onChange(pairs.map((one, at) => (at === index ? { ...one, ...part } : one)));
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-xs font-medium text-ink-2">{legend}</legend>
      <div className="flex flex-col gap-2">
        {pairs.map((pair, index) => {
          const error = errorOf?.(index);
          return (
            // A pair is identified by its position only.
            // eslint-disable-next-line react/no-array-index-key
            <div key={index}>
              <div className="flex gap-2">
                <input aria-label={`${keyLabel} ${index + 1}`} aria-invalid={error ? true : undefined} placeholder={keyLabel} autoComplete="off" value={pair.key}
                  onChange={(event) => change(index, { key: event.target.value })} className={`${INPUT} h-8 max-w-48 flex-1`} />
                <input aria-label={`${valueLabel} ${index + 1}`} placeholder={valueLabel} autoComplete="off" value={pair.value}
                  onChange={(event) => change(index, { value: event.target.value })} className={`${INPUT} h-8 flex-2`} />
                <IconButton icon="cross" label={`Remove ${pair.key || `${keyLabel.toLowerCase()} ${index + 1}`}`} onClick={() => onChange(pairs.filter((_, at) => at !== index))} />
              </div>
              {error && <FieldError>{error}</FieldError>}
            </div>
          );
        })}
        <Button icon="plus" className="self-start" onClick={() => onChange([...pairs, { key: "", value: "" }])}>
          {addLabel}
        </Button>
      </div>
      {hint && <p className="mt-1 text-xs text-ink-3">{hint}</p>}
    </fieldset>
  );
}
