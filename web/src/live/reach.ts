/**
 * Detect whether the server responds. A connection that was cut silently looks idle, so the page polls about once a
 * second while visible. It reports an outage within three seconds.
 */

import { ValueStore, type Unsubscribe } from "./observable";

export type Reach = { isThere: true } | { isThere: false; since: number; why: string };

/** `unready`: a proxy or service reports that it is unavailable. `silent`: no response in time. */
export type Answer = "yes" | "unready" | "silent" | "refused";
export type Ask = (path: string, timeoutMs: number) => Promise<Answer>;

// The sum is below three seconds: the pause, the service's timeout, and the static file that distinguishes busy from
// unreachable.
const PAUSE_MS = 700;
const SERVICE_MS = 1200;
const FILE_MS = 700;
const SERVICE = "/health/orchestrator";
const FILE = "/theme.js";
/** A slow service may only be busy; after this many timeouts it counts as unreachable. */
const SILENT_BEATS = 6;

const THERE: Reach = { isThere: true };
const AWAY = "llmbench does not answer";
const UNREADY = "llmbench is starting, or one of its services is not available";

export class ReachWatch {
  readonly state = new ValueStore<Reach>(THERE);
  readonly #ask: Ask;
  #watchers = 0;
  #silent = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #beating: Promise<void> | null = null;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  get isWatched(): boolean {
    return this.#watchers > 0;
  }

  /** Poll while the page is visible. */
  watch(): Unsubscribe {
    this.#watchers += 1;
    if (this.#watchers === 1) this.#next();
    const look = () => void this.look();
    const events = [[document, "visibilitychange"], [globalThis, "online"], [globalThis, "offline"]] as const;
    for (const [target, name] of events) target.addEventListener(name, look);
    return () => {
      this.#watchers -= 1;
      if (this.#watchers === 0) clearTimeout(this.#timer);
      for (const [target, name] of events) target.removeEventListener(name, look);
    };
  }

  /** Poll now, because a request failed or the page became visible. */
  look(): Promise<void> {
    clearTimeout(this.#timer);
    this.#beating ??= this.#beat().finally(() => {
      this.#beating = null;
      this.#next();
    });
    return this.#beating;
  }

  /** Resolve once the server answers. */
  async returned(): Promise<void> {
    await this.look();
    if (this.state.get().isThere) return;
    await new Promise<void>((resolve) => {
      const unsubscribe = this.state.subscribe(() => {
        if (!this.state.get().isThere) return;
        unsubscribe();
        resolve();
      });
    });
  }

  #next(): void {
    clearTimeout(this.#timer);
    if (this.#watchers > 0 && document.visibilityState === "visible") this.#timer = setTimeout(() => void this.look(), PAUSE_MS);
  }

  async #beat(): Promise<void> {
    const answer = await this.#ask(SERVICE, SERVICE_MS);
    this.#silent = answer === "silent" ? this.#silent + 1 : 0;
    if (answer === "yes") return this.state.set(THERE);
    if (answer === "unready") return this.#away(UNREADY);
    if (answer === "refused" || this.#silent >= SILENT_BEATS) return this.#away(AWAY);
    const isBusy = ["yes", "unready"].includes(await this.#ask(FILE, FILE_MS));
    if (!isBusy) this.#away(AWAY);
  }

  #away(why: string): void {
    const now = this.state.get();
    if (now.isThere) this.state.set({ isThere: false, since: Date.now(), why });
    else if (now.why !== why) this.state.set({ ...now, why });
  }
}

const askByFetch: Ask = async (path, timeoutMs) => {
  try {
    const response = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(timeoutMs) });
    return response.ok ? "yes" : response.status >= 500 ? "unready" : "yes";
  } catch (error) {
    return error instanceof DOMException && error.name === "TimeoutError" ? "silent" : "refused";
  }
};

/** The app's only instance. */
export const reach = new ReachWatch(askByFetch);

/** Load a part of the app's code; retry a failed load once the server answers. */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    await reach.returned();
    return load();
  }
}
