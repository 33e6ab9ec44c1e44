import type { Connection, ConnectionState, Subscription } from "@/live/connection";
import type { LiveEvent } from "@/live/event-schemas";
import { ValueStore, type Unsubscribe } from "@/live/observable";

/** A connection whose server is the test. */
export class FakeConnection implements Connection {
  readonly state = new ValueStore<ConnectionState>({ name: "idle" });
  readonly subscriptions = new Set<Subscription>();

  subscribe(subscription: Subscription): Unsubscribe {
    this.subscriptions.add(subscription);
    subscription.onSubscribed?.();
    return () => this.subscriptions.delete(subscription);
  }

  retry(): void {
    this.state.set({ name: "connecting" });
  }

  send(destination: string, body: string): void {
    for (const one of this.subscriptions) if (one.destination === destination) one.onBody(body);
  }

  event(topic: "status" | "progress" | "item" | "log", event: LiveEvent): void {
    this.send(`/topic/run/${event.run_id}/${topic}`, JSON.stringify(event));
  }

  /** Return the sequence numbers that a reconnect would request for replay. */
  fromSeqs(): Set<number | undefined> {
    return new Set([...this.subscriptions].map((one) => one.fromSeq?.()));
  }
}
