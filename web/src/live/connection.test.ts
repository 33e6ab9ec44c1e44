// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StompConnection, liveUrl } from "./connection";

interface Frame {
  command: string;
  headers: Record<string, string>;
}

/** A WebSocket whose other end is the test: it keeps what the client said. */
class FakeSocket {
  static opened: FakeSocket[] = [];
  readonly protocols: string[];
  readonly frames: Frame[] = [];
  readyState = 0;
  binaryType = "blob";
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string; wasClean: boolean }) => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(_url: string, protocols: string[]) {
    this.protocols = protocols;
    FakeSocket.opened.push(this);
  }

  accept(): void {
    this.readyState = 1;
    this.onopen?.();
    this.say("CONNECTED\nversion:1.2\nheart-beat:0,0\n\n\0");
  }

  say(data: string): void {
    this.onmessage?.({ data });
  }

  send(data: string): void {
    for (const raw of data.split("\0").filter((one) => one.trim() !== "")) {
      const [command = "", ...lines] = raw.trimStart().split("\n\n")[0]!.split("\n");
      this.frames.push({ command, headers: Object.fromEntries(lines.map((line) => line.split(/:(.*)/s).slice(0, 2))) });
    }
  }

  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.({ code: 1006, reason: "", wasClean: false });
  }

  subscriptions(): Frame[] {
    return this.frames.filter((frame) => frame.command === "SUBSCRIBE");
  }
}

const socket = () => FakeSocket.opened.at(-1)!;
const soon = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
let connection: StompConnection;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.opened = [];
  vi.stubGlobal("WebSocket", Object.assign(FakeSocket, { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 }));
  connection = new StompConnection("ws://llmbench/ws");
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function connected(): Promise<void> {
  await soon();
  socket().accept();
  await soon();
}

test("offers one subprotocol, and subscribes once connected", async () => {
  connection.subscribe({ destination: "/topic/runs", onBody: () => undefined });
  expect(connection.state.get().name).toBe("connecting");
  await connected();
  expect(socket().protocols).toEqual(["v12.stomp"]);
  expect(connection.state.get().name).toBe("live");
  expect(socket().subscriptions()[0]?.headers).toMatchObject({ destination: "/topic/runs" });
  expect(socket().subscriptions()[0]?.headers).not.toHaveProperty("from-seq");
});

test("after a cut it subscribes again, from where the numbers break off", async () => {
  let next = 1;
  connection.subscribe({ destination: "/topic/run/1/log", fromSeq: () => next, onBody: () => undefined });
  await connected();
  next = 42;
  socket().close();
  expect(connection.state.get().name).toBe("reconnecting");
  await soon(1000);
  expect(FakeSocket.opened).toHaveLength(2);
  await connected();
  expect(connection.state.get().name).toBe("live");
  expect(socket().subscriptions().map((frame) => frame.headers["from-seq"])).toEqual(["42"]);
});

test("each close is reported, also that of a connection that could not be opened", async () => {
  const onClose = vi.fn<() => void>();
  const refused = new StompConnection("ws://llmbench/ws", onClose);
  refused.subscribe({ destination: "/topic/runs", onBody: () => undefined });
  await connected();
  expect(onClose).not.toHaveBeenCalled();
  socket().close();
  await soon(1000);
  socket().close();
  expect(onClose).toHaveBeenCalledTimes(2);
});

test("what was given up meanwhile is not subscribed to again", async () => {
  const unsubscribe = connection.subscribe({ destination: "/topic/runs", onBody: () => undefined });
  await connected();
  socket().close();
  unsubscribe();
  await soon(1000);
  await connected();
  expect(socket().subscriptions()).toEqual([]);
});

test("a body is as long as content-length says, NUL and line ends included", async () => {
  const bodies: string[] = [];
  connection.subscribe({ destination: "/topic/runs", onBody: (body) => bodies.push(body) });
  await connected();
  const id = socket().subscriptions()[0]!.headers.id!;
  const frame = (body: string) =>
    `MESSAGE\nsubscription:${id}\nmessage-id:1\ndestination:/topic/runs\ncontent-length:${new TextEncoder().encode(body).length}\n\n${body}\0`;
  socket().say(frame("a\0b\n") + frame("ü"));
  expect(bodies).toEqual(["a\0b\n", "ü"]);
});

test("a refusal is final until the user tries again", async () => {
  connection.subscribe({ destination: "/topic/nothing", onBody: () => undefined });
  await connected();
  socket().say("ERROR\nmessage:There is no such destination.\nretry:false\n\n\0");
  socket().close();
  await soon(60_000);
  expect(FakeSocket.opened).toHaveLength(1);
  expect(connection.state.get()).toEqual({ name: "refused", message: "There is no such destination." });
  connection.retry();
  await connected();
  expect(connection.state.get().name).toBe("live");
});

test("an error that may pass is tried again by itself", async () => {
  connection.subscribe({ destination: "/topic/runs", onBody: () => undefined });
  await connected();
  socket().say("ERROR\nmessage:Too slow\nretry:true\n\n\0");
  socket().close();
  await soon(1000);
  expect(FakeSocket.opened).toHaveLength(2);
});

test("a page served over TLS uses a WebSocket over TLS", () => {
  expect(liveUrl({ protocol: "https:", host: "bench.example" })).toBe("wss://bench.example/ws");
  expect(liveUrl({ protocol: "http:", host: "127.0.0.1:8400" })).toBe("ws://127.0.0.1:8400/ws");
});
