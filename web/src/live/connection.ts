/** The app's STOMP connection. It restores subscriptions after a reconnect, because the server forgets them. */

import { Client, ReconnectionTimeMode, TickerStrategy, Versions, type IMessage, type StompHeaders, type StompSubscription } from "@stomp/stompjs";
import { ValueStore, type Unsubscribe } from "./observable";

export type ConnectionState =
  | { name: "idle" | "connecting" | "live" | "reconnecting" }
  /** The server refused for good; only the user can try again. */
  | { name: "refused"; message: string };

export interface Subscription {
  destination: string;
  /** Return the first sequence number to replay, if any; called at every (re)connect. */
  fromSeq?: () => number | undefined;
  onBody: (body: string) => void;
  /** Called after each subscribe, so that missed data can be fetched. */
  onSubscribed?: () => void;
}

export interface Connection {
  readonly state: ValueStore<ConnectionState>;
  subscribe(subscription: Subscription): Unsubscribe;
  retry(): void;
}

const HEARTBEAT_MS = 10_000;

export class StompConnection implements Connection {
  readonly state = new ValueStore<ConnectionState>({ name: "idle" });
  readonly #client: Client;
  readonly #active = new Map<Subscription, StompSubscription | undefined>();

  /** `onClose` is called each time when the connection is closed, or cannot be opened. */
  constructor(url: string, onClose?: () => void) {
    this.#client = new Client({
      brokerURL: url,
      stompVersions: new Versions([Versions.V1_2]),
      connectionTimeout: 8000,
      reconnectDelay: 500,
      maxReconnectDelay: 15_000,
      reconnectTimeMode: ReconnectionTimeMode.EXPONENTIAL,
      heartbeatIncoming: HEARTBEAT_MS,
      heartbeatOutgoing: HEARTBEAT_MS,
      // Timers of a hidden tab are throttled to one a minute; a worker's are not.
      heartbeatStrategy: TickerStrategy.Worker,
      discardWebsocketOnCommFailure: true,
      onConnect: () => this.#onConnect(),
      onWebSocketClose: () => {
        this.#onClose();
        onClose?.();
      },
      onStompError: (frame) => this.#onError(frame.headers),
    });
    // A laptop that wakes up should not wait for the next backoff.
    globalThis.addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#hurry());
  }

  subscribe(subscription: Subscription): Unsubscribe {
    this.#active.set(subscription, this.#client.connected ? this.#open(subscription) : undefined);
    this.#activate();
    return () => {
      const opened = this.#active.get(subscription);
      this.#active.delete(subscription);
      if (this.#client.connected) opened?.unsubscribe();
    };
  }

  retry(): void {
    if (this.state.get().name === "refused") this.state.set({ name: "connecting" });
    this.#client.activate();
  }

  #activate(): void {
    if (this.#client.active || this.state.get().name === "refused") return;
    this.state.set({ name: "connecting" });
    this.#client.activate();
  }

  #onConnect(): void {
    this.state.set({ name: "live" });
    for (const subscription of this.#active.keys()) this.#active.set(subscription, this.#open(subscription));
  }

  #open(subscription: Subscription): StompSubscription {
    const fromSeq = subscription.fromSeq?.();
    const headers: StompHeaders = fromSeq === undefined ? {} : { "from-seq": String(fromSeq) };
    const opened = this.#client.subscribe(
      subscription.destination,
      (message: IMessage) => subscription.onBody(message.body),
      headers,
    );
    subscription.onSubscribed?.();
    return opened;
  }

  #onClose(): void {
    const { name } = this.state.get();
    if (name === "live" || name === "connecting") this.state.set({ name: "reconnecting" });
  }

  /**
   * Handle an ERROR frame, the server's last frame on this connection. Without `retry:true`, a new connection would
   * receive the same error.
   */
  #onError(headers: StompHeaders): void {
    if (headers.retry === "true") return;
    this.state.set({ name: "refused", message: headers.message ?? "The live feed refused the connection." });
    void this.#client.deactivate();
  }

  #hurry(): void {
    const { name } = this.state.get();
    if (name !== "reconnecting" && name !== "connecting") return;
    void this.#client.deactivate({ force: true }).then(() => this.#client.activate());
  }
}

export function liveUrl(location: Pick<Location, "protocol" | "host">): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
}
