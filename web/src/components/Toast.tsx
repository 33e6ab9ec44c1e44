/** Short news at the edge of the screen: said once, gone by itself, never the only place of an error. */

import { useSyncExternalStore } from "react";
import { IconButton } from "./Button";
import { Icon, type IconName } from "./Icon";

type Tone = "good" | "bad" | "info";

interface ToastItem {
  id: number;
  text: string;
  tone: Tone;
}

const SHOWN_MS = 6000;
const LOOKS: Record<Tone, { icon: IconName; color: string }> = {
  good: { icon: "check", color: "text-good" },
  bad: { icon: "alert", color: "text-bad" },
  info: { icon: "dot", color: "text-info" },
};

let items: readonly ToastItem[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly ToastItem[]): void {
  items = next;
  for (const listener of listeners) listener();
}

export const dismissAll = () => change([]);

const dismiss = (id: number) => change(items.filter((one) => one.id !== id));

export function toast(text: string, tone: Tone = "good"): void {
  lastId += 1;
  const id = lastId;
  change([...items.slice(-3), { id, text, tone }]);
  setTimeout(() => dismiss(id), SHOWN_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => items);
  return (
    <div role="status" aria-label="Notices" className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex flex-col items-end gap-2">
      {shown.map((one) => (
        <div key={one.id} className="pointer-events-auto flex max-w-md items-start gap-2 rounded-md border border-line-strong bg-surface py-1.5 pr-1.5 pl-3 shadow-panel">
          <Icon name={LOOKS[one.tone].icon} className={`mt-2 ${LOOKS[one.tone].color}`} />
          <p className="py-1.5 wrap-anywhere">{one.text}</p>
          <IconButton icon="cross" label="Dismiss" onClick={() => dismiss(one.id)} />
        </div>
      ))}
    </div>
  );
}
