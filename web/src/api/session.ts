/** The session of this browser: who has signed in, and the token that every change sends. Loaded lazily. */

import { session, type Right } from "@/lib/rights";
import type { SessionOut } from "./generated/identity";

const OFF: SessionOut = { auth: "off", signed_in: false, first_owner_needed: false };
const CSRF_PROBLEM = "No CSRF token";

/** The part of a response that says whether it failed. */
interface Answer {
  error?: { status: unknown; data?: unknown } | undefined;
}

let reading: Promise<void> | null = null;

/** Read the session again. Without an answer the last one stays. */
export function readSession(): Promise<void> {
  reading ??= ask().finally(() => {
    reading = null;
  });
  return reading;
}

async function ask(): Promise<void> {
  try {
    const response = await fetch(`${globalThis.location.origin}/api/auth/session`, { cache: "no-store" });
    if (response.ok) session.set((await response.json()) as SessionOut);
    else if (response.status === 404) session.set(OFF);
  } catch {
    // The server cannot be reached; the request that needs the session says so itself.
  }
}

/** Return the token that a change has to send; `undefined` without sign-in. */
export async function csrfToken(): Promise<string | undefined> {
  if (session.get() === null) await readSession();
  return session.get()?.csrf_token ?? undefined;
}

/** Send a change with the token. Another tab may have signed in meanwhile: a stale token is read again, once. */
export async function sendChange<T extends Answer>(send: (token?: string) => PromiseLike<T> | T): Promise<T> {
  const answer = await send(await csrfToken());
  if (answer.error?.status !== 403 || (answer.error.data as { title?: string } | undefined)?.title !== CSRF_PROBLEM) return answer;
  await readSession();
  return send(await csrfToken());
}

/** Return whether the person has signed in and may do it. */
export const may = (known: SessionOut | null, right: Right) => known?.allowed?.includes(right) ?? false;
