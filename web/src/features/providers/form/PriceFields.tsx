import { useId } from "react";
import type { ModelOut } from "@/api/generated/config-api";
import { Button, IconButton } from "@/components/Button";
import { FieldError, INPUT } from "@/components/Field";
import { errorsUnder } from "@/lib/form-errors";
import { newPrice, type PriceDraft } from "./provider-draft";

interface Props {
  prices: readonly PriceDraft[];
  /** The prices that are sent: their indices appear in the paths of errors. */
  sent: readonly PriceDraft[];
  /** Known since the last test, to choose from. */
  models: readonly ModelOut[];
  errors: Readonly<Record<string, string>>;
  onChange: (prices: PriceDraft[]) => void;
}

const FIGURES = [
  ["input", "Input"],
  ["output", "Output"],
] as const;

export function PriceFields({ prices, sent, models, errors, onChange }: Props) {
  const listId = useId();
  const change = (next: PriceDraft) => onChange(prices.map((one) => (one.id === next.id ? next : one)));
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <p className="text-ink-2">US dollars per million tokens. List prices of the large providers are known; yours replace them.</p>
      <datalist id={listId}>
        {models.map((one) => (
          <option key={one.id}>{one.id}</option>
        ))}
      </datalist>
      {prices.map((one, index) => {
        const at = sent.indexOf(one);
        const faults = at < 0 ? [] : errorsUnder(errors, `prices.${at}`);
        const label = one.model.trim() || `price ${index + 1}`;
        return (
          <div key={one.id} className="flex flex-col gap-1">
            <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] gap-2 sm:grid-cols-[minmax(0,1fr)_6.5rem_6.5rem_auto]">
              <input aria-label={`Model of price ${index + 1}`} placeholder="Model" list={listId} autoComplete="off" spellCheck={false} value={one.model} aria-invalid={faults.length > 0 ? true : undefined}
                onChange={(event) => change({ ...one, model: event.target.value })} className={`${INPUT} h-8 font-mono max-sm:col-span-2`} />
              {FIGURES.map(([name, word]) => (
                <input key={name} aria-label={`${word} of ${label}`} placeholder={word} type="number" inputMode="decimal" step="any" min={0} value={one[name] ?? ""}
                  onChange={(event) => change({ ...one, [name]: event.target.value === "" ? null : event.target.valueAsNumber })} className={`${INPUT} h-8 max-sm:row-start-2`} />
              ))}
              <IconButton icon="cross" label={`Remove ${label}`} onClick={() => onChange(prices.filter((other) => other.id !== one.id))} />
            </div>
            {[...new Set(faults)].map((fault) => (
              <FieldError key={fault}>{fault}</FieldError>
            ))}
          </div>
        );
      })}
      <Button icon="plus" className="self-start" onClick={() => onChange([...prices, newPrice()])}>
        Add a price
      </Button>
    </div>
  );
}
