import { Icon } from "./Icon";

export interface FilterOption<T extends string> {
  value: T;
  label: string;
  count?: string;
}

interface Props<T extends string> {
  label: string;
  options: readonly FilterOption<T>[];
  selected: readonly T[];
  onChange: (selected: T[]) => void;
  /** Clears all other filters, too. It is given while they hide something: "All" is then not pressed. */
  onAll?: (() => void) | undefined;
  /** Shows the chip "All". One group of several has it, and it clears all of them. */
  hasAll?: boolean;
}

const SHAPE = "inline-flex h-7 items-center gap-1.5 rounded-full border px-2.5 text-xs font-medium whitespace-nowrap transition-colors";
const ON = "border-accent bg-selected text-accent-strong";
const OFF = "border-line bg-surface text-ink-2 hover:bg-hover hover:text-ink";

/** Chips to choose several values; none chosen means all. */
export function FilterChips<T extends string>({ label, options, selected, onChange, onAll, hasAll = true }: Props<T>) {
  const toggle = (value: T) =>
    onChange(selected.includes(value) ? selected.filter((one) => one !== value) : [...selected, value]);
  const isAll = selected.length === 0 && !onAll;
  return (
    <div role="group" aria-label={label} className="flex flex-wrap gap-1.5">
      {hasAll && (
        <button type="button" aria-pressed={isAll} onClick={onAll ?? (() => onChange([]))} className={`${SHAPE} ${isAll ? ON : OFF}`}>
          All
        </button>
      )}
      {options.map((option) => {
        const on = selected.includes(option.value);
        return (
          <button key={option.value} type="button" aria-pressed={on} onClick={() => toggle(option.value)} className={`${SHAPE} ${on ? ON : OFF}`}>
            {on && <Icon name="check" className="-ml-0.5 size-3" />}
            <span className="max-w-48 truncate" title={option.label}>{option.label}</span>
            {option.count !== undefined && <span className={on ? "" : "text-ink-3"}>{option.count}</span>}
          </button>
        );
      })}
    </div>
  );
}
