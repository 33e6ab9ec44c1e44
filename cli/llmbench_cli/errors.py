"""Errors that end a command. The command line prints the message and exits with code 1.

CommandFailed       one line a person can act on
├── Unreachable     the platform's address does not answer
├── Refused         the platform answered with a problem
└── BadRunFile      a run file cannot be used: each error with its line (runs/run_file.py)
"""

from typing import Any


class CommandFailed(Exception):
    """Raised when the command cannot continue; the message says why."""


class Unreachable(CommandFailed):
    """Raised when the platform does not respond in time. A retry may help."""


class Refused(CommandFailed):
    """Raised when the platform answers with a problem (RFC 9457)."""

    def __init__(self, what: str, status: int, problem: dict[str, Any]) -> None:
        self.reason = str(problem.get("detail") or problem.get("title") or f"{what} was answered with HTTP {status}")
        self.errors = [(str(error["field"]), str(error["message"])) for error in problem.get("errors") or []]
        # Leave out errors that the detail already contains, as that of a 422 does.
        further = [f"{field}: {message}" for field, message in self.errors if message not in self.reason]
        super().__init__("; ".join([self.reason, *further]))
        self.status = status
        self.problem = problem

    @property
    def may_pass(self) -> bool:
        """Return whether the same request may succeed later."""
        return self.status in (502, 503, 504)
