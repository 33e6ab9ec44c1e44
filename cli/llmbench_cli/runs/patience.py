"""Repeat a request while the platform restarts, so that a result already paid for is not lost."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from llmbench_cli.errors import Refused, Unreachable

T = TypeVar("T")

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.25, 5.0


async def until_answered(
    ask: Callable[[], Awaitable[T]], notify: Callable[[str], None], *, first_pause_s: float = _FIRST_PAUSE_S
) -> T:
    """Call `ask`, which sends a request, until the platform is available, and return the result. `notify` is called
    once, with the reason for the first failure. Raises `Refused` for an error that a further attempt cannot change."""
    pause_s = first_pause_s
    notified = False
    while True:
        try:
            return await ask()
        except (Refused, Unreachable) as failed:
            if isinstance(failed, Refused) and not failed.may_pass:
                raise
            if not notified:
                notify(f"{failed} Trying again.")
                notified = True
        await asyncio.sleep(pause_s)
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
