/** Short notices at the edge of the screen that disappear by themselves; never the only place of an error. */

import { ValueStore } from "@/live/observable";

export type Tone = "good" | "bad" | "info";

export interface ToastItem {
  id: number;
  text: string;
  tone: Tone;
}

const SHOWN_MS = 6000;
const MOST = 4;

export const toasts = new ValueStore<readonly ToastItem[]>([]);
let lastId = 0;

export const dismissAll = () => toasts.set([]);

export const dismiss = (id: number) => toasts.set(toasts.get().filter((one) => one.id !== id));

export function toast(text: string, tone: Tone = "good"): void {
  lastId += 1;
  const id = lastId;
  toasts.set([...toasts.get().slice(1 - MOST), { id, text, tone }]);
  setTimeout(() => dismiss(id), SHOWN_MS);
}
