import { Icon, type IconName } from "./Icon";

export type Tone = "neutral" | "info" | "good" | "warn" | "bad";

const TONES: Record<Tone, string> = {
  neutral: "bg-mute-soft text-ink-2",
  info: "bg-info-soft text-info",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
};

export interface ChipLook {
  label: string;
  tone: Tone;
  icon: IconName;
}

/** A state as icon, word and colour. */
export function Chip({ label, tone, icon }: ChipLook) {
  return (
    <span className={`inline-flex h-5.5 items-center gap-1 rounded-full pr-2 pl-1.5 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}>
      <Icon name={icon} className="size-3.5" />
      {label}
    </span>
  );
}

const TEXT_TONES: Record<Tone, string> = {
  neutral: "text-ink-3",
  info: "text-info",
  good: "text-good",
  warn: "text-warn",
  bad: "text-bad",
};

/** The same without its pill, for dense tables. */
export function StateText({ label, tone, icon }: ChipLook) {
  return (
    <span className={`inline-flex items-center gap-1.5 align-bottom whitespace-nowrap ${TEXT_TONES[tone]}`}>
      <Icon name={icon} className="size-3.5" />
      {label}
    </span>
  );
}

/** A state as an icon, for tables of many rows. The word is its title, and screen readers read it. */
export function StateIcon({ label, tone, icon }: ChipLook) {
  return (
    <span title={label} className={`inline-flex align-middle ${TEXT_TONES[tone]}`}>
      <Icon name={icon} />
      <span className="sr-only">{label}</span>
    </span>
  );
}
