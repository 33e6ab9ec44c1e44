"""What can keep a command from going on. The command line prints the message and ends with code 1.

CommandFailed       one line a person can act on
├── Unreachable     nobody answers at the platform's address
├── Refused         the platform answered with a problem
└── BadRunFile      a run file cannot be used: each fault with its line (runs/run_file.py)
"""

from typing import Any


class CommandFailed(Exception):
    """The command cannot go on; the message says why."""


class Unreachable(CommandFailed):
    """No answer from the platform, or none in time. Asking again may help."""


class Refused(CommandFailed):
    """The platform answered with a problem (RFC 9457)."""

    def __init__(self, what: str, status: int, problem: dict[str, Any]) -> None:
        self.reason = str(problem.get("detail") or problem.get("title") or f"{what} was answered with HTTP {status}")
        self.errors = [(str(error["field"]), str(error["message"])) for error in problem.get("errors") or []]
        # A 422 repeats its errors in the detail.
        said = [f"{field}: {message}" for field, message in self.errors if message not in self.reason]
        super().__init__("; ".join([self.reason, *said]))
        self.status = status
        self.problem = problem

    @property
    def may_pass(self) -> bool:
        """Whether the same request may succeed a little later."""
        return self.status in (502, 503, 504)
