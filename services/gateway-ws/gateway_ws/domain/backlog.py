"""Queue the frames that wait for one client, in order and within limits.

While the client is slow, frames are conflated: a new frame replaces the waiting one with the same key.
"""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass


class TooSlow(Exception):
    """Raised when the backlog is full, because events arrive faster than the client reads them."""


@dataclass(frozen=True)
class Limits:
    frames: int = 5000
    size_bytes: int = 8 * 1024 * 1024
    conflate_from: int = 100
    """The number of waiting frames from which a client counts as slow, so that its progress events are conflated.

    With fewer waiting frames every progress event is sent, because a conflated event looks like a gap to the client.
    """


@dataclass(frozen=True, slots=True)
class Outgoing:
    """Complete frames that are queued and sent together, usually a single frame.

    If the client is slow, new frames with a `conflation` key replace waiting frames with the same key. Frames with the
    key `None` are never replaced. `subscription` is the id of the frames' subscription, `None` for replies and errors.
    """

    data: bytes
    frames: int = 1
    subscription: str | None = None
    conflation: Hashable | None = None


class Backlog:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._waiting: OrderedDict[int, Outgoing] = OrderedDict()
        self._latest: dict[Hashable, int] = {}
        self._size_bytes = 0
        self._frames = 0
        self._number = 0

    def __len__(self) -> int:
        """Return the number of waiting frames."""
        return self._frames

    @property
    def has_room(self) -> bool:
        """Return whether a replay may add frames now. Live events do not wait for room."""
        return len(self) < self._limits.conflate_from and self._size_bytes < self._limits.size_bytes // 4

    def put(self, outgoing: Outgoing) -> bool:
        """Append frames. They go to the end even if they replace waiting frames, so that sequence numbers only rise.

        Return whether waiting frames were replaced. Raises `TooSlow` if a limit would be exceeded. An empty backlog
        takes frames of any size.
        """
        frames, size_bytes, conflation = outgoing.frames, len(outgoing.data), outgoing.conflation
        replaced = False
        if conflation is not None and len(self) >= self._limits.conflate_from:
            replaced = self._drop(self._latest.get(conflation))
        if self and (
            len(self) + frames > self._limits.frames or self._size_bytes + size_bytes > self._limits.size_bytes
        ):
            raise TooSlow
        self._number += 1
        self._waiting[self._number] = outgoing
        self._frames += frames
        self._size_bytes += size_bytes
        if conflation is not None:
            self._latest[conflation] = self._number
        return replaced

    def take(self, limit_bytes: int) -> bytes:
        """Remove and return the oldest frames, together at most `limit_bytes`. A larger `Outgoing` is returned alone.

        The result is empty if no frame waits.
        """
        taken: list[bytes] = []
        size = 0
        while self._waiting:
            number, waiting = next(iter(self._waiting.items()))
            if taken and size + len(waiting.data) > limit_bytes:
                break
            self._drop(number)
            taken.append(waiting.data)
            size += len(waiting.data)
        return b"".join(taken)

    def forget(self, subscription: str) -> None:
        """Remove the waiting frames of a subscription that ended."""
        for number in [number for number, waiting in self._waiting.items() if waiting.subscription == subscription]:
            self._drop(number)

    def clear(self) -> None:
        self._waiting.clear()
        self._latest.clear()
        self._size_bytes = self._frames = 0

    def _drop(self, number: int | None) -> bool:
        waiting = self._waiting.pop(number, None) if number is not None else None
        if waiting is None:
            return False
        self._size_bytes -= len(waiting.data)
        self._frames -= waiting.frames
        if waiting.conflation is not None and self._latest.get(waiting.conflation) == number:
            del self._latest[waiting.conflation]
        return True
