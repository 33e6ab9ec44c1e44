"""Errors about llmbench on this machine, such as its settings, home, servers and backups.

    StartError          a message for the user; `log` names the file with details, if there is one
    ├── HomeInUse       another process of llmbench uses this home
    ├── PortTaken       another process listens on the public port
    └── BrokenData      a home or data directory that cannot be used

The command line prints the message and ends with exit code 1, without a traceback.
"""

from pathlib import Path


class StartError(Exception):
    """Raised when a command cannot do its work on this machine, such as starting the stack or restoring a backup.

    The message is for the user. It includes the path `log` of a log file with details, unless `log` is None.
    """

    def __init__(self, message: str, *, log: Path | None = None) -> None:
        super().__init__(message if log is None else f"{message} (log: {log})")
        self.log = log


class HomeInUse(StartError):
    """Raised when another process of llmbench has locked the home folder."""


class PortTaken(StartError):
    """Raised when another process listens on the public port."""


class BrokenData(StartError):
    """Raised for a home or data directory that cannot be used, for example because it is damaged."""
