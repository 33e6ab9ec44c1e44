interface Props<T extends string> {
  label: string;
  options: readonly { value: T; label: string }[];
  value: T;
  onChange: (value: T) => void;
}

/** Buttons that choose one of a few views. */
export function Segments<T extends string>({ label, options, value, onChange }: Props<T>) {
  return (
    <div role="group" aria-label={label} className="flex flex-wrap gap-0.5 rounded-md bg-mute-soft p-0.5">
      {options.map((one) => (
        <button
          key={one.value}
          type="button"
          aria-pressed={one.value === value}
          onClick={() => onChange(one.value)}
          className={`h-6.5 rounded px-2.5 text-xs font-medium ${one.value === value ? "bg-surface text-ink shadow-card" : "text-ink-2 hover:text-ink"}`}
        >
          {one.label}
        </button>
      ))}
    </div>
  );
}
