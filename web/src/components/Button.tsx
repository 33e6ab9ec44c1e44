import type { ButtonHTMLAttributes } from "react";
import { Link } from "react-router";
import { useMay, type Right } from "@/lib/rights";
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
  "inline-flex h-8 items-center justify-center gap-1.5 rounded-md border px-2.5 text-sm font-medium whitespace-nowrap transition-colors print:hidden";

/** Return the classes of a button, for links and menu buttons. */
export function buttonLook(kind: Kind): string {
  return `${SHAPE} ${KINDS[kind].replaceAll("enabled:", "")} disabled:cursor-not-allowed`;
}

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: Kind;
  icon?: IconName;
  /** The right that the action needs: without it there is no button. */
  right?: Right | undefined;
}

export function Button({ kind = "plain", icon, right, className = "", children, ...rest }: Props) {
  if (!useMay(right)) return null;
  return (
    <button type="button" {...rest} className={`${SHAPE} ${KINDS[kind]} disabled:cursor-not-allowed ${className}`}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button with only an icon; its label is for screen readers and the tooltip. */
export function IconButton({ label, icon, className = "", ...rest }: { label: string; icon: IconName } & Omit<Props, "kind">) {
  return <Button kind="ghost" icon={icon} aria-label={label} title={label} {...rest} className={`w-8 px-0 ${className}`} />;
}

interface LinkProps {
  to: string;
  icon?: IconName;
  kind?: Kind;
  right?: Right;
  children: string;
}

/** A link that looks like a button, for the next step. */
export function ButtonLink({ to, icon, kind = "plain", right, children }: LinkProps) {
  if (!useMay(right)) return null;
  return (
    <Link to={to} className={buttonLook(kind)}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  );
}
