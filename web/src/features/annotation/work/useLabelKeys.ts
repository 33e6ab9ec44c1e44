import { useEffect, useEffectEvent } from "react";
import { useShortcutsOn } from "@/lib/shortcuts";

interface Keys {
  /** Handle a key; return false if it means nothing here. */
  press: (key: string) => boolean;
  submit: () => void;
}

const TYPING = /^(INPUT|TEXTAREA|SELECT)$/;

/** Listen for the keys that label: digits, arrows and Enter. Ctrl+Enter submits from within a text, too. */
export function useLabelKeys({ press, submit }: Keys): void {
  const [on] = useShortcutsOn();
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.repeat || document.querySelector("[role=dialog], [role=alertdialog], [role=menu]")) return;
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      submit();
      return;
    }
    if (!on || event.ctrlKey || event.metaKey || (target && TYPING.test(target.tagName))) return;
    if (event.key === "Enter") {
      // Enter presses the button or link that has the focus, except a choice.
      if (target?.closest("a, summary, button:not([role=radio]):not([aria-pressed])")) return;
      event.preventDefault();
      submit();
    } else if (press(event.key)) event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handle(event);
    globalThis.addEventListener("keydown", listen);
    return () => globalThis.removeEventListener("keydown", listen);
  }, []);
}
