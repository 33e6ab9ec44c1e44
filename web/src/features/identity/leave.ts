/** Reload the app, so that no data of another person or organisation stays in memory. */

import { createContext } from "react";

export const Leave = createContext((path: string) => location.assign(path));

/** This address leads to the first screen that the role allows. */
export const HOME = "/";

/** Return the address to open after the sign-in: a path of this platform, and nothing else. */
export function wayBack(search: URLSearchParams, origin: string): string {
  const given = search.get("next") ?? "";
  if (!given.startsWith("/") || !URL.canParse(given, origin)) return HOME;
  const { origin: own, pathname, search: query, hash } = new URL(given, origin);
  return own === origin && !pathname.startsWith("//") && pathname !== "/sign-in" ? `${pathname}${query}${hash}` : HOME;
}

const NOTICE = "llmbench.notice";

/** Keep a notice for the page that is loaded next. */
export const keepNotice = (text: string) => sessionStorage.setItem(NOTICE, text);

/** Return the kept notice once. */
export function takeNotice(): string | null {
  const text = sessionStorage.getItem(NOTICE);
  sessionStorage.removeItem(NOTICE);
  return text;
}
