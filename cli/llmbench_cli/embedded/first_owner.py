"""Find the link for the first owner in the log of the identity service, which shows it once, at its start."""

import re
from pathlib import Path

_LINK = re.compile(rb"https?://[^\s\"]+/first-owner#[A-Za-z0-9_-]+")


def size_of(log: Path) -> int:
    """Return the size of a log in bytes, 0 if it does not exist."""
    return log.stat().st_size if log.exists() else 0


def first_owner_link(log: Path, begin: int) -> str | None:
    """Return the last link for the first owner that the log has after its first `begin` bytes; `None` if there is
    none."""
    with log.open("rb") as file:
        # The log may have been rotated meanwhile.
        file.seek(min(begin, size_of(log)))
        links = _LINK.findall(file.read())
    return links[-1].decode() if links else None
