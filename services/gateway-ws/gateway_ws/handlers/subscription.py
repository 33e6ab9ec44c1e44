"""One SUBSCRIBE of one client."""

from collections.abc import Iterable
from typing import Protocol

from gateway_ws.domain import frames
from gateway_ws.domain.destinations import Destination
from gateway_ws.domain.event import Event
from gateway_ws.domain.hand_over import HandOver

_CONFLATED = "progress"


class Client(Protocol):
    """The client of a subscription, as far as the subscription knows it."""

    def put(self, frame: bytes, *, subscription: str, conflation: tuple[object, ...] | None) -> None: ...

    def fail(self, message: str, *, retry: bool) -> None: ...

    async def room(self) -> None:
        """Returns once the client has taken most of what waits for it."""


class Subscription:
    def __init__(self, client: Client, id_: str, destination: Destination, from_seq: int | None) -> None:
        self.client = client
        self.id = id_
        self.destination = destination
        self.has_replay = from_seq is not None
        self.hand_over = HandOver(from_seq)

    def receive(self, event: Event) -> None:
        """A live event; those of one run come in order."""
        if self.destination.run_id is None:
            if event.kind in self.destination.kinds:
                self._send(event, conflate=True)
            return
        # All kinds pass through the hand-over, so that its sequence has no holes.
        self._send_wanted(self.hand_over.live(event), conflate=True)

    def page(self, events: Iterable[Event], *, next_seq: int, last_seq: int, live_from: int) -> None:
        # Replay waits for room instead: who asks for the past wants all of it.
        missing = self.hand_over.page(events, next_seq=next_seq, last_seq=last_seq, live_from=live_from)
        self._send_wanted(missing, conflate=False)

    def _send_wanted(self, events: Iterable[Event], *, conflate: bool) -> None:
        for event in events:
            if event.kind in self.destination.kinds:
                self._send(event, conflate=conflate and event.kind == _CONFLATED)

    def _send(self, event: Event, *, conflate: bool) -> None:
        shared = event.all_runs_frame if self.destination.run_id is None else event.run_frame
        self.client.put(
            frames.message(self.id, shared),
            subscription=self.id,
            conflation=(self.id, event.run_id, event.kind) if conflate else None,
        )
