"""One run's events in order, out of a live stream that may lose, repeat and reorder.

`run_seq` is contiguous over the four kinds of a run, so a number that is left out is a gap. What comes
after a gap is kept ahead until a page of replay fills it.
"""

from collections.abc import Iterable

from gateway_ws.domain.event import Event

AHEAD_LIMIT = 5000
"""Beyond it, what comes after a gap is dropped: the replay that fills the gap brings it as well."""


class Sequence:
    """`position` is the next number expected; None until the first is known."""

    def __init__(self) -> None:
        self.position: int | None = None
        self.anchoring = False
        """While true and without a position, events wait for `anchor` to say where to begin."""
        self._ahead: dict[int, Event] = {}

    @property
    def has_gap(self) -> bool:
        return self.position is not None and bool(self._ahead)

    @property
    def ahead_from(self) -> int | None:
        """The least number of what waits."""
        return min(self._ahead, default=None)

    def offer(self, event: Event) -> list[Event]:
        """What may be delivered now, in order; nothing for a duplicate or an event after a gap."""
        if self.position is None and not self.anchoring:
            self.position = event.seq
        if self.position is not None and event.seq < self.position:
            return []
        if event.seq == self.position or len(self._ahead) < AHEAD_LIMIT:
            self._ahead[event.seq] = event
        return self._ready()

    def anchor(self, position: int) -> list[Event]:
        """Everything before `position` is somebody's replay, so the sequence begins there, or with what
        came in meanwhile: who asked for no replay gets that. No effect on a known position."""
        if self.position is None:
            self.position = min([position, *self._ahead])
        return self._ready()

    def fill(self, page: Iterable[Event], next_seq: int) -> list[Event]:
        """A page read from `position` on, up to `next_seq`: what it leaves out does not exist."""
        assert self.position is not None
        filled = [event for event in page if event.seq >= self.position]
        self.position = max(self.position, next_seq)
        for seq in [seq for seq in self._ahead if seq < self.position]:
            del self._ahead[seq]
        return filled + self._ready()

    def give_up(self) -> list[Event]:
        """Go on after the gap without what is missing."""
        self.anchoring = False
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
