"""Errors that prevent the stack from starting.

    StartError          one line a person can act on; `log` names the file with details
    ├── HomeInUse       another `llmbench up` uses this home
    ├── PortTaken       another process listens on the public port
    └── BrokenData      a data directory that the server does not accept

The command line prints the message and ends with code 1, without a traceback.
"""

from pathlib import Path


class StartError(Exception):
    """Raised when the stack cannot start. The message is one sentence with a remedy."""

    def __init__(self, message: str, *, log: Path | None = None) -> None:
        super().__init__(message if log is None else f"{message} (log: {log})")
        self.log = log


class HomeInUse(StartError):
    """Raised when another `llmbench up` uses the same home folder."""


class PortTaken(StartError):
    """Raised when another process listens on the public port."""


class BrokenData(StartError):
    """Raised for a data directory that is damaged, foreign, or not writable."""
