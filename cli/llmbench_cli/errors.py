"""Errors that end a command. The command line prints the message; the exit code is 1, except for a refused gate.

CommandFailed       a message that a person can act on
├── Unreachable     nothing usable comes from the platform's address
├── Refused         the platform answered with an error status
├── BadRunFile      a run file cannot be used: each error with its line (runs/run_file.py)
└── WeakGate        a gate is too unreliable (runs/gates.py)
"""

from typing import Any


class CommandFailed(Exception):
    """Raised when the command cannot continue; the message says why."""


class Unreachable(CommandFailed):
    """Raised when the platform's address does not respond, or when something other than llmbench responds.

    `may_pass` is false if a retry is unlikely to help: llmbench has never responded there to this command.
    """

    def __init__(self, message: str, *, may_pass: bool = True) -> None:
        super().__init__(message)
        self.may_pass = may_pass


class Refused(CommandFailed):
    """Raised when the platform, or a proxy before it, answers with an error status.

    `what` describes the request in messages. `problem` is the response as in RFC 9457, `reason` its main sentence, and
    `errors` its pairs of field and message.
    """

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
        """Return whether the same request may succeed later, because the platform or a server behind it is not
        available now."""
        return self.status in (502, 503, 504)
