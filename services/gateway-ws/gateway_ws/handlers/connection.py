"""Handle a client's STOMP 1.2 session: the effect of each frame, and the end of the connection.

Nothing here blocks: frames are handled as they come, and replies wait in the backlog for the task that writes to the
socket.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from gateway_ws.domain import frames
from gateway_ws.domain.backlog import Backlog, Limits, Outgoing, TooSlow
from gateway_ws.domain.destinations import UnknownDestination, parse_destination
from gateway_ws.domain.frames import ClientFrame, FrameCutter, ProtocolError
from gateway_ws.domain.heartbeat import Heartbeat, negotiate
from gateway_ws.handlers.hub import Hub
from gateway_ws.handlers.subscription import Subscription
from llmbench.access import Resource, Verb, scope
from llmbench.observability.metrics import FRAMES_CONFLATED, FRAMES_DROPPED
from llmbench.organisation import bound_organisation

_log = logging.getLogger(__name__)

SERVER = "llmbench"
VERSION = "1.2"
MAX_SUBSCRIPTIONS = 64
MAX_SEQ = 2**63 - 1

NORMAL, PROTOCOL_ERROR, TRY_AGAIN_LATER = 1000, 1002, 1013
"""WebSocket close codes (RFC 6455 and the IANA registry)."""

TOO_SLOW = "Too slow: events come in faster than they are read. Connect again and subscribe with from-seq."


@dataclass(frozen=True)
class Ending:
    code: int
    reason: str


class Connection:
    """A client's STOMP session. Implements the protocol `gateway_ws.handlers.subscription.Client`."""

    def __init__(
        self, hub: Hub, *, limits: Limits, heartbeat_ms: int, may_read: Callable[[Resource], bool] = lambda _: True
    ) -> None:
        """Create the session. `may_read` returns whether the client may subscribe to events of a resource."""
        self.backlog = Backlog(limits)
        self.heartbeat = Heartbeat(send_every_s=None, expect_within_s=None)
        self.connected = False
        self.ending: Ending | None = None
        self.urgent = False
        self.wake = asyncio.Event()
        self.ended = asyncio.Event()
        self._drained = asyncio.Event()
        self._hub = hub
        self._may_read = may_read
        self._heartbeat_ms = heartbeat_ms
        self._cutter = FrameCutter()
        self._subscriptions: dict[str, Subscription] = {}
        self._actions: dict[str, Callable[[ClientFrame], None]] = {
            "CONNECT": self._connect,
            "STOMP": self._connect,
            "SUBSCRIBE": self._subscribe,
            "UNSUBSCRIBE": self._unsubscribe,
            "DISCONNECT": self._disconnect,
        }

    def received(self, data: bytes) -> None:
        """Handle bytes that the client sent. A protocol error ends the connection with an ERROR frame."""
        try:
            for frame in self._cutter.feed(data):
                if self.ending is not None:
                    return
                self._act(frame)
        except ProtocolError as error:
            self.fail(error.message, retry=False, receipt_id=error.receipt)

    def put(self, outgoing: Outgoing, *, gathered: bool) -> None:
        if self.ending is not None:
            return
        try:
            if self.backlog.put(outgoing):
                FRAMES_CONFLATED.inc()
        except TooSlow:
            self.fail(TOO_SLOW, retry=True)
        self.urgent |= gathered
        self.wake.set()

    def fail(self, message: str, *, retry: bool, receipt_id: str | None = None) -> None:
        """Drop the backlog, queue an ERROR frame, and end the connection. Does nothing if it is already ending.

        `retry` says to the client whether the same request may succeed on a new connection.
        """
        if self.ending is not None:
            return
        _log.info("closing a client: %s", message)
        FRAMES_DROPPED.inc(len(self.backlog))
        self.backlog.clear()
        self._control(frames.error(message, receipt_id=receipt_id, retry=retry))
        self._end(Ending(TRY_AGAIN_LATER if retry else PROTOCOL_ERROR, message))

    def gone(self) -> None:
        """End the session and its subscriptions, because the socket was closed."""
        self._end(Ending(NORMAL, ""))

    def taken(self) -> None:
        """Let replays continue if the backlog has room. The writing task calls this each time it has taken frames from
        the backlog."""
        if self.backlog.has_room:
            self._drained.set()

    async def room(self) -> None:
        while not self.backlog.has_room and self.ending is None:
            self._drained.clear()
            await self._drained.wait()

    def _act(self, frame: ClientFrame) -> None:
        if frame.command in ("CONNECT", "STOMP"):
            if self.connected:
                raise ProtocolError("The connection is open already: CONNECT comes once.")
        elif not self.connected:
            raise ProtocolError(f"{frame.command} before CONNECT.")
        action = self._actions.get(frame.command)
        if action is None:
            raise ProtocolError(
                f"{frame.command} is not supported: this is a one-way feed of events.", receipt=frame.receipt
            )
        try:
            action(frame)
        except (UnknownDestination, ValueError) as error:
            raise ProtocolError(str(error), receipt=frame.receipt) from error
        if frame.receipt is not None and frame.command not in ("CONNECT", "STOMP"):
            self._control(frames.receipt(frame.receipt))

    def _connect(self, frame: ClientFrame) -> None:
        versions = frame.headers.get("accept-version", "1.0").split(",")
        if VERSION not in [version.strip() for version in versions]:
            raise ValueError(f"This server speaks STOMP {VERSION}; accept-version is {','.join(versions)[:80]!r}.")
        self.heartbeat = negotiate(frame.headers.get("heart-beat"), self._heartbeat_ms)
        self.connected = True
        ours = f"{self._heartbeat_ms},{self._heartbeat_ms}"
        self._control(frames.connected(server=SERVER, heartbeat=ours))

    def _subscribe(self, frame: ClientFrame) -> None:
        id_ = _needed(frame, "id")
        destination = parse_destination(_needed(frame, "destination"))
        if not self._may_read(destination.resource):
            raise ValueError(f"This subscription needs the right {scope(destination.resource, Verb.READ)}.")
        if frame.headers.get("ack", "auto") != "auto":
            raise ValueError("Only ack:auto is supported: events are kept for replay, not for acknowledgement.")
        if id_ in self._subscriptions:
            raise ValueError(f"The subscription id {id_!r} is in use.")
        if len(self._subscriptions) >= MAX_SUBSCRIPTIONS:
            raise ValueError(f"A client may have {MAX_SUBSCRIPTIONS} subscriptions at once.")
        from_seq = _from_seq(frame.headers.get("from-seq"))
        if destination.run_id is None or destination.is_answers:
            # Events of several runs or experiments have no common order for a replay; streamed answers have no numbers.
            from_seq = None
        subscription = Subscription(self, id_, destination, from_seq, org_id=bound_organisation())
        self._subscriptions[id_] = subscription
        self._hub.subscribe(subscription)

    def _unsubscribe(self, frame: ClientFrame) -> None:
        id_ = _needed(frame, "id")
        subscription = self._subscriptions.pop(id_, None)
        if subscription is None:
            raise ValueError(f"There is no subscription {id_!r}.")
        self._hub.unsubscribe(subscription)
        self.backlog.forget(id_)

    def _disconnect(self, frame: ClientFrame) -> None:
        self._leave()
        if frame.receipt is not None:
            self._control(frames.receipt(frame.receipt))
        self._end(Ending(NORMAL, "disconnected"))

    def _control(self, frame: bytes) -> None:
        if self.ending is not None:
            return
        try:
            self.backlog.put(Outgoing(frame))
        except TooSlow:
            self.fail(TOO_SLOW, retry=True)
        self.urgent = True
        self.wake.set()

    def _end(self, ending: Ending) -> None:
        if self.ending is None:
            self.ending = ending
        self._leave()
        self.ended.set()
        self.wake.set()
        self._drained.set()

    def _leave(self) -> None:
        for subscription in list(self._subscriptions.values()):
            self._hub.unsubscribe(subscription)
        self._subscriptions.clear()


def _needed(frame: ClientFrame, header: str) -> str:
    value = frame.headers.get(header)
    if not value:
        raise ValueError(f"{frame.command} needs the header {header}.")
    return value


def _from_seq(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 19 and int(text) <= MAX_SEQ):
        raise ValueError(f"from-seq {text[:40]!r} is not a sequence number.")
    return int(text)
