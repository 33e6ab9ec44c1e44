"""Manage the transition from replay to live events for one subscription, without gaps or duplicates.

Live events are held back while pages of stored events are read. The replay ends with the page that reaches the newest
event. Then the held events follow, except those that a page contained. If events are missing between the last page and
the first held event, another page is read. A gap that remains after that page is accepted.
"""

from collections.abc import Iterable

from gateway_ws.domain.event import Event

HELD_LIMIT = 2000


class HandOver:
    """The progress of one subscription from replay to live events. It delivers no event with a number below `next_seq`.

    `from_seq` is the number with which a replay begins. With `None` there is no replay, and every live event is
    delivered.
    """

    def __init__(self, from_seq: int | None) -> None:
        self.replaying = from_seq is not None
        self.next_seq = from_seq or 0
        self._held: list[Event] = []
        self._overflowed = False
        self._reread_before: int | None = None
        """The number of the first event after a gap for which another page was already read."""

    def live(self, event: Event) -> list[Event]:
        """Take the next live event, and return the events to deliver now. During a replay the event is held back."""
        if not self.replaying:
            return self._pass([event])
        if len(self._held) < HELD_LIMIT:
            self._held.append(event)
        else:
            # Too many events are held. Drop them: a later page of the replay contains them.
            self._overflowed = True
            self._held.clear()
        return []

    def deliver_all(self, first_seq: int, last_seq: int) -> bool:
        """Return whether all live events from `first_seq` to `last_seq` may be delivered now: the replay is over, and
        no number is below `self.next_seq`. If so, they count as delivered."""
        if self.replaying or first_seq < self.next_seq:
            return False
        self.next_seq = last_seq + 1
        return True

    def page(self, events: Iterable[Event], *, after_page: int, last_seq: int, live_from: int) -> list[Event]:
        """Take a page of stored events, read from number `self.next_seq` on. Return the events to deliver now: those of
        the page and, if the replay is over, the held live events. Nothing is delivered twice.

        `after_page` is the number that follows the page, `last_seq` that of the newest stored event, `live_from` that
        of the next live event. Afterwards `replaying` says whether another page is needed.
        """
        passed = self._pass(events)
        self.next_seq = max(self.next_seq, after_page)
        if self.next_seq <= last_seq:
            return passed
        if self._overflowed:
            self._overflowed = False
            return passed
        followed_by = self._held[0].seq if self._held else live_from
        if followed_by > self.next_seq and followed_by != self._reread_before:
            # The page was read before the missing events were published; the next page will contain them.
            self._reread_before = followed_by
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
