/** The theme: light, dark, or the system's. public/theme.js sets it before the first paint. */

import { useEffect, useState } from "react";

export type ThemeChoice = "system" | "light" | "dark";
const KEY = "llmbench.theme";
const CHOICES: readonly ThemeChoice[] = ["system", "light", "dark"];

function stored(): ThemeChoice {
  try {
    return CHOICES.find((choice) => choice === localStorage.getItem(KEY)) ?? "system";
  } catch {
    return "system";
  }
}

function store(choice: ThemeChoice): void {
  try {
    if (choice === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, choice);
  } catch {
    // Without storage the choice holds until the page is left.
  }
}

export function useTheme(): [ThemeChoice, (choice: ThemeChoice) => void] {
  const [choice, setChoice] = useState(stored);
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
  const choose = (next: ThemeChoice) => {
    store(next);
    setChoice(next);
  };
  return [choice, choose];
}
