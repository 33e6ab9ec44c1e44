"""Select the events that one subscription of a client receives, and queue their frames."""

from collections.abc import Iterable
from typing import Protocol
from uuid import UUID

from gateway_ws.domain import frames
from gateway_ws.domain.backlog import Outgoing
from gateway_ws.domain.batch import Batch
from gateway_ws.domain.destinations import Destination
from gateway_ws.domain.event import Event, ExperimentEvent, StreamedAnswer
from gateway_ws.domain.hand_over import HandOver

_CONFLATED = "progress"


class Client(Protocol):
    """The connected client to which a subscription delivers its frames and errors."""

    def put(self, outgoing: Outgoing, *, gathered: bool) -> None:
        """Queue frames. `gathered` is true if they have already waited for a batch; they are then sent without
        delay."""

    def fail(self, message: str, *, retry: bool) -> None: ...

    async def room(self) -> None:
        """Wait until the client's backlog has room for a replay, or the connection ends."""


class Subscription:
    def __init__(
        self, client: Client, id_: str, destination: Destination, from_seq: int | None, *, org_id: UUID | None
    ) -> None:
        """Create the subscription. The client receives only events of the organisation `org_id`.

        A replay begins at `from_seq`; with `None` there is none.
        """
        self.org_id = org_id
        self.client = client
        self.id = id_
        self.destination = destination
        self.has_replay = from_seq is not None
        self.hand_over = HandOver(from_seq)

    def receive_of_any_run(self, event: Event) -> None:
        """Deliver an event of any run, if its kind is subscribed. The subscription must be to the topic of all runs."""
        if event.kind in self.destination.kinds:
            frame = frames.message(self.id, event.all_runs_frame)
            conflation = (self.id, event.run_id, event.kind)
            self.client.put(Outgoing(frame, subscription=self.id, conflation=conflation), gathered=False)

    def receive_of_experiment(self, event: ExperimentEvent) -> None:
        """Deliver an event of any experiment. The subscription must be to the topic of all experiments."""
        if event.kind in self.destination.kinds:
            frame = frames.message(self.id, event.frame)
            self.client.put(Outgoing(frame, subscription=self.id), gathered=False)

    def receive_answer(self, answer: StreamedAnswer) -> None:
        """Deliver a message about an answer that is still arriving. For a slow client, the message replaces earlier
        ones about the same item."""
        frame = frames.message(self.id, answer.frame)
        conflation = (self.id, answer.item_id)
        self.client.put(Outgoing(frame, subscription=self.id, conflation=conflation), gathered=False)

    def receive(self, batch: Batch) -> None:
        """Deliver the batch's events of the subscribed kinds, in order. During a replay they are held back."""
        if not self.hand_over.deliver_all(batch.first_seq, batch.last_seq):
            for event in batch.events:
                # All kinds of events pass through the hand-over, so that its sequence has no gaps.
                self._send_wanted(self.hand_over.live(event), conflate=True)
        elif _CONFLATED in self.destination.kinds:
            self._send_wanted(batch.of(self.destination.kinds), conflate=True)
        elif (parcel := batch.parcel(self.id, self.destination.kinds)) is not None:
            self.client.put(Outgoing(parcel.data, parcel.frames, self.id), gathered=True)

    def page(self, events: Iterable[Event], *, after_page: int, last_seq: int, live_from: int) -> None:
        # Replayed events are not conflated but wait for room: a client that requests past events wants all of them.
        missing = self.hand_over.page(events, after_page=after_page, last_seq=last_seq, live_from=live_from)
        self._send_wanted(missing, conflate=False)

    def _send_wanted(self, events: Iterable[Event], *, conflate: bool) -> None:
        for event in events:
            if event.kind in self.destination.kinds:
                key = (self.id, event.kind) if conflate and event.kind == _CONFLATED else None
                frame = frames.message(self.id, event.run_frame)
                self.client.put(Outgoing(frame, subscription=self.id, conflation=key), gathered=True)
