"""Build the frames for a batch of one run's live events, in order.

Many browsers see the same events under the same subscription ids, so their frames are built once and shared.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gateway_ws.domain import frames
from gateway_ws.domain.event import Event

EVENTS_AT_MOST = 200


@dataclass(frozen=True)
class Parcel:
    """Several complete MESSAGE frames, joined in `data`. `frames` is their number."""

    data: bytes
    frames: int


class Batch:
    """A batch of one run's live events, in order; `events` is not empty."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.events = events
        self.first_seq = events[0].seq
        self.last_seq = events[-1].seq
        self._of: dict[frozenset[str], tuple[Event, ...]] = {}
        self._parcels: dict[tuple[str, frozenset[str]], Parcel | None] = {}

    def of(self, kinds: frozenset[str]) -> tuple[Event, ...]:
        if kinds not in self._of:
            self._of[kinds] = tuple(event for event in self.events if event.kind in kinds)
        return self._of[kinds]

    def parcel(self, subscription_id: str, kinds: frozenset[str]) -> Parcel | None:
        """Return the MESSAGE frames for a subscription to these kinds of events. Return `None` if the batch has no such
        event."""
        key = (subscription_id, kinds)
        if key not in self._parcels:
            messages = [frames.message(subscription_id, event.run_frame) for event in self.of(kinds)]
            self._parcels[key] = Parcel(b"".join(messages), len(messages)) if messages else None
        return self._parcels[key]
