/**
 * A row that opens its link on a click. Its text stays selectable, which a link stretched over the row would prevent.
 * The row holds a real link for the keyboard and for new tabs.
 */

import type { MouseEvent } from "react";

/** One that opens a link where it stands. */
export const isPlainClick = (event: MouseEvent) => event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

const OWN = "a, button, input, label, select, textarea, summary, [role=menuitem]";

/**
 * Click the first link of the clicked row, unless the click meant another control or a selection. Serves as `onClick`
 * of a row or its container.
 */
export function clickRowLink(event: MouseEvent<HTMLElement>): void {
  const clicked = event.target as Element;
  if (!isPlainClick(event) || clicked.closest(OWN) || isSelecting()) return;
  clicked.closest("[role=row], tr")?.querySelector("a")?.click();
}

const isSelecting = () => (globalThis.getSelection()?.toString() ?? "") !== "";
