/** The pages that were opened from the palette or from which it was opened, newest first, in this browser. */

const KEY = "llmbench.recent";
const MOST = 6;

export interface Recent {
  to: string;
  label: string;
}

const isRecent = (value: unknown): value is Recent => {
  const { to, label } = (value ?? {}) as Partial<Record<keyof Recent, unknown>>;
  return typeof to === "string" && /^\/(?!\/)/.test(to) && typeof label === "string";
};

export function readRecent(): Recent[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isRecent).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function remember(page: Recent): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([page, ...readRecent().filter(({ to }) => to !== page.to)].slice(0, MOST)));
  } catch {
    // Without storage there is nothing recent.
  }
}
