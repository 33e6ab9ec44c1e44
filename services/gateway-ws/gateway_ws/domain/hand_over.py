"""From replay to live for one subscription, without a gap and without a duplicate.

While pages are read, live events are held back. A page ends the replay when it reaches the newest
event there is; what is held and not in the pages follows, unless a page older than that lies between.
"""

from collections.abc import Iterable

from gateway_ws.domain.event import Event

HELD_LIMIT = 2000


class HandOver:
    """`next_seq` is the least number that still may be delivered."""

    def __init__(self, from_seq: int | None) -> None:
        self.replaying = from_seq is not None
        self.next_seq = from_seq or 0
        self._held: list[Event] = []
        self._overflowed = False
        self._asked_before: int | None = None

    def live(self, event: Event) -> list[Event]:
        """What may be delivered now. Events come in order."""
        if not self.replaying:
            return self._pass([event])
        if len(self._held) < HELD_LIMIT:
            self._held.append(event)
        else:
            # Too far behind to catch up from memory: another page will bring these.
            self._overflowed = True
            self._held.clear()
        return []

    def deliver_all(self, first_seq: int, last_seq: int) -> bool:
        """Whether all of these may be delivered as they are; then they count as delivered."""
        if self.replaying or first_seq < self.next_seq:
            return False
        self.next_seq = last_seq + 1
        return True

    def page(self, events: Iterable[Event], *, next_seq: int, last_seq: int, live_from: int) -> list[Event]:
        """A page read from `self.next_seq` on. `replaying` tells whether another is needed.

        `live_from` is the number that the live sequence goes on with.
        """
        passed = self._pass(events)
        self.next_seq = max(self.next_seq, next_seq)
        if self.next_seq <= last_seq:
            return passed
        if self._overflowed:
            self._overflowed = False
            return passed
        followed_by = self._held[0].seq if self._held else live_from
        if followed_by > self.next_seq and followed_by != self._asked_before:
            # The page was read before what lies between was published: the next one has it.
            self._asked_before = followed_by
            return passed
        self.replaying = False
        held, self._held = self._held, []
        return passed + self._pass(held)

    def _pass(self, events: Iterable[Event]) -> list[Event]:
        passed: list[Event] = []
        for event in events:
            if event.seq >= self.next_seq:
                self.next_seq = event.seq + 1
                passed.append(event)
        return passed
