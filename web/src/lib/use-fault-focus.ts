import { useEffect } from "react";

const INVALID = "[aria-invalid=true]";
const ALERT = "[role=alert]";
const FIELD = "input:not([type=hidden]), select, textarea, button, summary";
/** The user has moved on after this time, and the focus stays. */
const PATIENCE_MS = 20_000;

/**
 * Move the focus to the first invalid field after a failed submit, in every form. Typing or clicking meanwhile cancels
 * this.
 */
export function useFaultFocus(): void {
  useEffect(() => {
    let stop = () => {};
    const submitted = (event: Event) => {
      stop();
      if (event.target instanceof HTMLFormElement) stop = watch(event.target);
    };
    document.addEventListener("submit", submitted, true);
    return () => {
      stop();
      document.removeEventListener("submit", submitted, true);
    };
  }, []);
}

function watch(form: HTMLFormElement): () => void {
  const look = () => {
    const wrong = firstWrong(form);
    if (!wrong) return;
    stop();
    wrong.focus({ preventScroll: true });
    wrong.scrollIntoView({ block: "center" });
  };
  const changes = new MutationObserver(look);
  // Wait until the submit's changes are rendered; existing errors count as well.
  const frame = requestAnimationFrame(() => {
    changes.observe(form, { subtree: true, childList: true, attributes: true, attributeFilter: ["aria-invalid"] });
    look();
  });
  const timer = setTimeout(() => stop(), PATIENCE_MS);
  const stop = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    changes.disconnect();
    for (const name of ["pointerdown", "keydown"]) document.removeEventListener(name, stop, true);
  };
  for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, stop, true);
  return stop;
}

/** Return the first field marked invalid; for an error of a group, the group's first field. */
function firstWrong(form: HTMLFormElement): HTMLElement | null {
  const fault = form.querySelector<HTMLElement>(`${INVALID}, ${ALERT}`);
  if (!fault || fault.matches(INVALID)) return fault;
  return fault.closest("fieldset, section, li")?.querySelector<HTMLElement>(FIELD) ?? null;
}
