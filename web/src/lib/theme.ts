/** The theme: light, dark, or the system's. public/theme.js sets it before the first paint. */

import { useEffect, useSyncExternalStore } from "react";

export type ThemeChoice = "system" | "light" | "dark";
const KEY = "llmbench.theme";
/** The choice until the page is left, where there is no storage. */
let held: ThemeChoice = "system";
const listeners = new Set<() => void>();
const CHOICES: readonly ThemeChoice[] = ["system", "light", "dark"];

function stored(): ThemeChoice {
  try {
    return CHOICES.find((choice) => choice === localStorage.getItem(KEY)) ?? "system";
  } catch {
    return held;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Store the choice, and apply it wherever the theme is used. */
export function chooseTheme(choice: ThemeChoice): void {
  held = choice;
  try {
    if (choice === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, choice);
  } catch {
    // Without storage `held` has it.
  }
  for (const listener of listeners) listener();
}

export function useTheme(): [ThemeChoice, (choice: ThemeChoice) => void] {
  const choice = useSyncExternalStore(subscribe, stored);
  useEffect(() => {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const apply = () => {
      const dark = choice === "dark" || (choice === "system" && system.matches);
      document.documentElement.dataset.theme = dark ? "dark" : "light";
    };
    apply();
    system.addEventListener("change", apply);
    return () => system.removeEventListener("change", apply);
  }, [choice]);
  return [choice, chooseTheme];
}
