import { useId } from "react";
import type { ModelOut } from "@/api/generated/config-api";
import { Button, IconButton } from "@/components/Button";
import { FieldError, INPUT } from "@/components/Field";
import { errorsUnder } from "@/lib/form-errors";
import { plural } from "@/lib/format";
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

/** The API's maximum. */
const MOST_PRICES = 500;

const FIGURES = [
  ["input", "Input"],
  ["output", "Output"],
] as const;

export function PriceFields({ prices, sent, models, errors, onChange }: Props) {
  const listId = useId();
  const unpriced = models.filter(({ id }) => !prices.some((one) => one.model.trim() === id));
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
            <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-end gap-2 sm:grid-cols-[minmax(0,1fr)_6.5rem_6.5rem_auto]">
              <div className="max-sm:col-span-2">
                <Head index={index} word="Model" />
                <input aria-label={`Model of price ${index + 1}`} placeholder="Model" list={listId} autoComplete="off" spellCheck={false} value={one.model} aria-invalid={faults.length > 0 ? true : undefined}
                  onChange={(event) => change({ ...one, model: event.target.value })} className={`${INPUT} h-8 font-mono`} />
              </div>
              {FIGURES.map(([name, word]) => (
                <div key={name} className="max-sm:row-start-2">
                  <Head index={index} word={word} />
                  <input aria-label={`${word} of ${label}`} placeholder={word} type="number" inputMode="decimal" step="any" min={0} value={one[name] ?? ""}
                    onChange={(event) => change({ ...one, [name]: event.target.value === "" ? null : event.target.valueAsNumber })} className={`${INPUT} h-8`} />
                </div>
              ))}
              <IconButton icon="cross" label={`Remove ${label}`} onClick={() => onChange(prices.filter((other) => other.id !== one.id))} />
            </div>
            {[...new Set(faults)].map((fault) => (
              <FieldError key={fault}>{fault}</FieldError>
            ))}
          </div>
        );
      })}
      <div className="flex flex-wrap gap-2">
        <Button icon="plus" onClick={() => onChange([...prices, newPrice()])}>Add a price</Button>
        {unpriced.length > 0 && prices.length + unpriced.length <= MOST_PRICES && (
          <Button onClick={() => onChange([...prices, ...unpriced.map(({ id }) => ({ ...newPrice(), model: id }))])}>
            {unpriced.length === models.length ? `Price all ${plural(models.length, "model")}` : `Price the other ${plural(unpriced.length, "model")}`}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The visible head of a column: on a phone, of each field. */
function Head({ index, word }: { index: number; word: string }) {
  return <p aria-hidden="true" className={`pb-1 text-xs font-medium text-ink-2 ${index > 0 ? "sm:hidden" : ""}`}>{word}</p>;
}
