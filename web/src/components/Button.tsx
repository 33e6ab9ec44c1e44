import type { ButtonHTMLAttributes } from "react";
import { Icon, type IconName } from "./Icon";

type Kind = "primary" | "plain" | "danger" | "ghost";

const OFF = "disabled:border-line disabled:bg-sunken disabled:text-ink-3";

const KINDS: Record<Kind, string> = {
  primary: `bg-accent text-on-accent border-transparent enabled:hover:bg-accent-strong ${OFF}`,
  plain: `bg-surface text-ink border-line-strong enabled:hover:bg-hover ${OFF}`,
  danger: `bg-surface text-bad border-line-strong enabled:hover:bg-bad-soft ${OFF}`,
  ghost: "text-ink-2 border-transparent enabled:hover:bg-hover enabled:hover:text-ink disabled:opacity-40",
};

const SHAPE =
  "inline-flex h-8 items-center justify-center gap-1.5 rounded-md border px-2.5 text-sm font-medium whitespace-nowrap transition-colors";

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: Kind;
  icon?: IconName;
}

export function Button({ kind = "plain", icon, className = "", children, ...rest }: Props) {
  return (
    <button type="button" {...rest} className={`${SHAPE} ${KINDS[kind]} disabled:cursor-not-allowed ${className}`}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button of one icon; its label is for the ear and the tooltip. */
export function IconButton({ label, icon, ...rest }: { label: string; icon: IconName } & ButtonHTMLAttributes<HTMLButtonElement>) {
  return <Button kind="ghost" icon={icon} aria-label={label} title={label} {...rest} className="w-8 px-0" />;
}

/** A link that looks like a button, because it fetches a file or goes somewhere. */
export function ButtonLink({ icon, children, href, download }: { icon: IconName; children: string; href: string; download?: boolean }) {
  return (
    <a href={href} download={download} className={`${SHAPE} ${KINDS.plain} hover:bg-hover`}>
      <Icon name={icon} />
      {children}
    </a>
  );
}
