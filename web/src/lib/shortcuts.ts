/** Keyboard shortcuts of the current screen. Each mounted part of a screen registers its shortcuts; one listener serves them
 * all, and the help lists them. */

import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { allows, session, type Right } from "./rights";

export interface Shortcut {
  /** Alternative keys, named as in `KeyboardEvent.key`. Two keys with a space between are pressed in sequence. */
  keys: readonly string[];
  label: string;
  /** The right that the action needs. */
  right?: Right;
  run: () => void;
}

export interface ShortcutGroup {
  title: string;
  /** The group belongs to a modal: while one is open, the page's own keys are disabled. */
  modal: boolean;
  shortcuts: readonly Pick<Shortcut, "keys" | "label">[];
  press: (key: string) => boolean;
}

const OFF_KEY = "llmbench.shortcuts";
const SEQUENCE_MS = 1000;

let groups: readonly ShortcutGroup[] = [];
const listeners = new Set<() => void>();
let pending: { key: string; until: number } | null = null;

function change(next: readonly ShortcutGroup[]): void {
  groups = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Return the active groups of shortcuts, the innermost first. */
export function useShortcutGroups(): readonly ShortcutGroup[] {
  return useSyncExternalStore(subscribe, () => groups);
}

/** Return whether single-key shortcuts are on, and a setter: they can interfere with speech input. */
export function useShortcutsOn(): [boolean, (on: boolean) => void] {
  const on = useSyncExternalStore(subscribe, areOn);
  return [on, setOn];
}

function areOn(): boolean {
  try {
    return localStorage.getItem(OFF_KEY) !== "off";
  } catch {
    return true;
  }
}

function setOn(on: boolean): void {
  try {
    if (on) localStorage.removeItem(OFF_KEY);
    else localStorage.setItem(OFF_KEY, "off");
  } catch {
    // Without storage the shortcuts stay on.
  }
  change([...groups]);
}

/** Register shortcuts. `shortcuts` may be a new array on every render; the help updates only when `title` changes. */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[], { modal = false } = {}): void {
  const allowed = () => shortcuts.filter(({ right }) => allows(session.get(), right));
  const press = useEffectEvent((key: string) => {
    const shortcut = allowed().find((one) => one.keys.includes(key));
    shortcut?.run();
    return shortcut !== undefined;
  });
  const shown = useEffectEvent(() => allowed().map(({ keys, label }) => ({ keys, label })));
  useEffect(() => {
    const group: ShortcutGroup = { title, modal, shortcuts: shown(), press: (key) => press(key) };
    if (groups.length === 0) globalThis.addEventListener("keydown", onKey);
    change([group, ...groups]);
    return () => {
      change(groups.filter((one) => one !== group));
      if (groups.length === 0) globalThis.removeEventListener("keydown", onKey);
    };
  }, [title, modal]);
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !areOn()) return;
  const reachable = groups.filter((one) => one.modal || !overThePage());
  const presses = (key: string) => reachable.some((one) => one.press(key));
  const before = pending !== null && Date.now() < pending.until ? pending.key : null;
  pending = null;
  if ((before !== null && presses(`${before} ${event.key}`)) || presses(event.key)) event.preventDefault();
  else pending = { key: event.key, until: Date.now() + SEQUENCE_MS };
}

function overThePage(): boolean {
  return document.querySelector("[role=dialog], [role=alertdialog], [role=menu], [role=listbox]") !== null;
}

/** The kinds of input that take no text, so that letters pressed in them are shortcuts. */
const WITHOUT_TEXT = new Set(["button", "checkbox", "radio", "range"]);

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement && WITHOUT_TEXT.has(target.type)) return false;
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
