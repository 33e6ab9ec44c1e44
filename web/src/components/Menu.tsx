/** What else can be done with something: a button that opens a short list. */

import { Menu as Base, MenuButton, MenuItem, MenuItems, Portal } from "@headlessui/react";
import { useMemo } from "react";
import { Link } from "react-router";
import { Icon, type IconName } from "./Icon";
import { MENUS_ID } from "./MenuPlace";
import { buttonLook } from "./Button";

export interface MenuEntry {
  label: string;
  icon?: IconName;
  /** Fainter, under the label: why it cannot be done, for instance. */
  detail?: string;
  danger?: boolean;
  disabled?: boolean;
  /** One of these: a place in the app, a file to fetch, something to do. */
  to?: string;
  download?: string;
  onSelect?: () => void;
}

interface Props {
  label: string;
  /** Without a visible label the button is its icon alone. */
  icon: IconName;
  iconOnly?: boolean;
  entries: readonly MenuEntry[];
  className?: string;
}

const ENTRY = "flex w-full items-start gap-2 px-3 py-1.5 text-left data-disabled:opacity-60 data-focus:bg-hover";

export function Menu({ label, icon, iconOnly = false, entries, className = "" }: Props) {
  const place = useMemo(
    () => ({
      get current() {
        return document.getElementById(MENUS_ID);
      },
    }),
    [],
  );
  return (
    <Base>
      <MenuButton aria-label={iconOnly ? label : undefined} title={iconOnly ? label : undefined} className={`${buttonLook(iconOnly ? "ghost" : "plain")} ${iconOnly ? "w-8 px-0" : ""} ${className}`}>
        <Icon name={icon} />
        {!iconOnly && label}
      </MenuButton>
      <Portal.Group target={place}>
        <MenuItems anchor="bottom end" modal={false} className="z-50 mt-1 min-w-44 rounded-md border border-line-strong bg-surface py-1 shadow-panel outline-none">
          {entries.map((entry) => (
            <MenuItem key={entry.label} disabled={entry.disabled ?? false}>
              <Entry entry={entry} />
            </MenuItem>
          ))}
        </MenuItems>
      </Portal.Group>
    </Base>
  );
}

function Entry({ entry, ...rest }: { entry: MenuEntry }) {
  const look = `${ENTRY} ${entry.danger ? "text-bad" : "text-ink"}`;
  const inside = (
    <>
      {entry.icon && <Icon name={entry.icon} className="mt-0.5" />}
      <span className="min-w-0">
        {entry.label}
        {entry.detail && <span className="block max-w-64 text-xs text-ink-3">{entry.detail}</span>}
      </span>
    </>
  );
  if (entry.to !== undefined && !entry.disabled) return <Link {...rest} to={entry.to} className={look}>{inside}</Link>;
  if (entry.download !== undefined && !entry.disabled) return <a {...rest} href={entry.download} download className={look}>{inside}</a>;
  return <button {...rest} type="button" onClick={entry.onSelect} className={look}>{inside}</button>;
}
