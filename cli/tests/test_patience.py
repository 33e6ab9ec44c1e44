"""Test that a request is repeated while the platform restarts, and not when it is refused."""

from collections.abc import Awaitable

import pytest

from llmbench_cli.errors import CommandFailed, Refused, Unreachable
from llmbench_cli.runs.patience import until_answered


def patient_request(*answers: Exception | str) -> tuple[list[str], Awaitable[str]]:
    """Return a list that collects the notes to the user, and an awaitable that repeats a request. Each attempt raises
    or returns the next of `answers`."""
    notes: list[str] = []
    left = list(answers)

    async def ask() -> str:
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return notes, until_answered(ask, notes.append, first_pause_s=0)


async def test_request_is_repeated_while_the_platform_restarts() -> None:
    restarting = Refused("compare", 503, {"detail": "It is being restarted."})
    notes, answer = patient_request(restarting, Unreachable("no answer"), restarting, "fine")
    assert await answer == "fine"
    assert notes == ["It is being restarted. Trying again."], "once"


async def test_refused_request_is_not_repeated() -> None:
    notes, answer = patient_request(Refused("compare", 422, {"detail": "no"}), "never")
    with pytest.raises(CommandFailed, match="no"):
        await answer
    assert notes == []
