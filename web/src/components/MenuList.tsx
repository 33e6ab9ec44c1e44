/** The menu list, loaded after the first paint: see Menu. */

import { Menu as Base, MenuButton, MenuItem, MenuItems, Portal } from "@headlessui/react";
import { useEffect, useMemo, useRef } from "react";
import { Link } from "react-router";
import { Icon } from "./Icon";
import { menuButtonLook, type MenuEntry, type MenuProps } from "./Menu";
import { MENUS_ID } from "./MenuPlace";

interface Props extends MenuProps {
  /** The button was pressed before this code was loaded. */
  isPressed: boolean;
}

const ENTRY = "flex w-full items-start gap-2 px-3 py-1.5 text-left data-disabled:opacity-60 data-focus:bg-hover";

export default function MenuList({ label, icon, iconOnly = false, entries, className = "", isPressed }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isPressed) return;
    button.current?.focus();
    button.current?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  }, [isPressed]);
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
      <MenuButton ref={button} aria-label={iconOnly ? label : undefined} title={iconOnly ? label : undefined} className={menuButtonLook(iconOnly, className)}>
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
