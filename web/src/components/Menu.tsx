import { lazy, Suspense, useState } from "react";
import { allows, session, type Right } from "@/lib/rights";
import { useValue } from "@/live/hooks";
import { loadCode } from "@/live/reach";
import { buttonLook } from "./Button";
import { Icon, type IconName } from "./Icon";

// The menu library is as large as a page: the button renders at once and the list is loaded after it.
const MenuList = lazy(() => loadCode(() => import("./MenuList")));

export interface MenuEntry {
  label: string;
  icon?: IconName;
  /** A note under the label, such as why the action is disabled. */
  detail?: string;
  danger?: boolean;
  disabled?: boolean;
  /** The right that the action needs: without it there is no entry. */
  right?: Right;
  /** One of these: a link, a download or an action. */
  to?: string;
  download?: string;
  onSelect?: () => void;
}

export interface MenuProps {
  label: string;
  /** The icon; with `iconOnly` the label is not visible. */
  icon: IconName;
  iconOnly?: boolean;
  entries: readonly MenuEntry[];
  className?: string;
}

export const menuButtonLook = (iconOnly: boolean, className: string) => `${buttonLook(iconOnly ? "ghost" : "plain")} ${iconOnly ? "w-8 px-0" : ""} ${className}`;

/** A button that opens a short list of further actions. */
export function Menu(props: MenuProps) {
  const { label, icon, iconOnly = false, className = "" } = props;
  const [isPressed, setPressed] = useState(false);
  const known = useValue(session);
  const entries = props.entries.filter(({ right }) => allows(known, right));
  if (entries.length === 0) return null;
  const standIn = (
    <button type="button" aria-haspopup="menu" aria-label={iconOnly ? label : undefined} title={iconOnly ? label : undefined} className={menuButtonLook(iconOnly, className)} onClick={() => setPressed(true)}>
      <Icon name={icon} />
      {!iconOnly && label}
    </button>
  );
  return (
    <Suspense fallback={standIn}>
      <MenuList {...props} entries={entries} isPressed={isPressed} />
    </Suspense>
  );
}
