"""What can keep the stack from starting.

    StartError          one line a person can act on; `log` points at more
    ├── HomeInUse       another `llmbench up` holds this home
    ├── PortTaken       somebody listens on the public port
    └── BrokenData      a data directory that the server would not accept

The command line prints the message and ends with code 1; a traceback would help nobody here.
"""

from pathlib import Path


class StartError(Exception):
    """The stack cannot start. The message is one sentence with what to do about it."""

    def __init__(self, message: str, *, log: Path | None = None) -> None:
        super().__init__(message if log is None else f"{message} (log: {log})")
        self.log = log


class HomeInUse(StartError):
    """Another supervisor runs on the same home."""


class PortTaken(StartError):
    """The public port has another owner."""


class BrokenData(StartError):
    """A data directory is damaged, foreign, or not ours to write."""
