"""Put one run's events in order; the live stream may lose, repeat and reorder them.

`run_seq` is contiguous over all kinds of a run's events, so a missing number is a gap. Events after a gap are kept
until a page of stored events fills it.
"""

from collections.abc import Iterable

from gateway_ws.domain.event import Event

AHEAD_LIMIT = 5000
"""The maximum number of events kept after a gap. Further ones are dropped: the pages that fill the gap have
them, too."""


class Sequence:
    """The ordered sequence of one run's events. `position` is the next expected number, or `None` until one is known.
    While `waits_for_replay` is true, a replay is going to set the unknown position, and all events wait."""

    def __init__(self) -> None:
        self.position: int | None = None
        self.waits_for_replay = False
        """True while a replay is going to set the unknown position with `anchor`. Until then, events wait."""
        self._ahead: dict[int, Event] = {}

    @property
    def has_gap(self) -> bool:
        return self.position is not None and bool(self._ahead)

    @property
    def ahead_from(self) -> int | None:
        """Return the smallest number of the events that cannot be delivered yet; `None` if there are none."""
        return min(self._ahead, default=None)

    def offer(self, event: Event) -> list[Event]:
        """Take a live event. Return the events to deliver now, in order; none for a duplicate or an event after a gap.

        If `position` is unknown, it is set to the number of this event, which is delivered. While `waits_for_replay` is
        true, the event waits instead.
        """
        if self.position is None and not self.waits_for_replay:
            self.position = event.seq
        if self.position is not None and event.seq < self.position:
            return []
        if event.seq == self.position or len(self._ahead) < AHEAD_LIMIT:
            self._ahead[event.seq] = event
        return self._ready()

    def anchor(self, position: int) -> list[Event]:
        """Set `self.position`, the next expected number, if it is still unknown. Return the events to deliver now.

        A replay calls this after each page with `position`, the number after the newest stored event. If a waiting
        event has a smaller number, `self.position` becomes the smallest such number. The replay reads this event from
        the database, but subscribers without a replay get it only from here.
        """
        if self.position is None:
            self.position = min([position, *self._ahead])
        return self._ready()

    def fill(self, page: Iterable[Event], next_seq: int) -> list[Event]:
        """Take a page that covers the numbers from `self.position` up to `next_seq`, exclusive.

        Return the page's events, and the waiting events that follow them without a gap. Numbers that are missing in the
        page do not exist.
        """
        assert self.position is not None
        filled = [event for event in page if event.seq >= self.position]
        self.position = max(self.position, next_seq)
        for seq in [seq for seq in self._ahead if seq < self.position]:
            del self._ahead[seq]
        return filled + self._ready()

    def give_up(self) -> list[Event]:
        """Skip all gaps: return the waiting events, and continue after the last of them. Stop waiting for a replay."""
        self.waits_for_replay = False
        skipped = [self._ahead.pop(seq) for seq in sorted(self._ahead)]
        if skipped:
            self.position = skipped[-1].seq + 1
        return skipped

    def _ready(self) -> list[Event]:
        ready: list[Event] = []
        while self.position is not None and (event := self._ahead.pop(self.position, None)) is not None:
            ready.append(event)
            self.position += 1
        return ready
