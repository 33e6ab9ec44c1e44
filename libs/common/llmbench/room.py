"""Detect a full disk of PostgreSQL or NATS.

Neither server reports its free space; only a write that fails shows that there is none. Runs write every few seconds,
so an error that has not occurred again for a while is assumed to be over.
"""

import errno
import time
from collections.abc import Callable
from typing import Final

LASTS_S: Final = 30.0
DISK_FULL_SQLSTATE: Final = "53100"
FREE_SOME: Final = (
    "Free some room on that disk: what was stored is safe, nothing that was paid for is paid again, "
    "and runs go on by themselves."
)


class Room:
    """Remembers when a write to a server last failed for lack of disk space. `server` is the server's name."""

    def __init__(self, server: str, *, now: Callable[[], float] = time.monotonic) -> None:
        self._server = server
        self._now = now
        self._lacked_at: float | None = None

    def lacked(self) -> None:
        """Record that a write failed for lack of space."""
        self._lacked_at = self._now()

    def found(self) -> None:
        """Record that there is space again, as a write or another check has shown."""
        self._lacked_at = None

    def lacking(self) -> str | None:
        """Return a message for the user about the full disk. Return `None` if no write has failed because of it in the
        last `LASTS_S` seconds, or if `found` has recorded space since the last such failure."""
        if self._lacked_at is None or self._now() - self._lacked_at > LASTS_S:
            return None
        return f"{self._server} has no room left on its disk. {FREE_SOME}"


DATABASE_ROOM: Final = Room("PostgreSQL")
"""The only `Room` of PostgreSQL in this process, because any statement of any engine may be the one that fails."""


def is_disk_full(error: BaseException | None) -> bool:
    """Return whether the error, or one that caused it, means that a disk is full: PostgreSQL's or this machine's."""
    while error is not None:
        if getattr(error, "sqlstate", None) == DISK_FULL_SQLSTATE:
            return True
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        error = getattr(error, "orig", None) or error.__cause__
    return False
