"""Limit attempts to sign in, by IP address and by account at an IP address. Each limit is a token bucket.

An account has no bucket of its own: otherwise an attacker could fail on purpose and lock its owner out. The buckets
live in the memory of one process.
"""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from llmbench.errors import Problem


@dataclass(frozen=True)
class Rate:
    """A token bucket that allows `size` attempts at once. It gains one further attempt each `refill_s` seconds."""

    size: int
    refill_s: float


OF_ADDRESS: Final = Rate(size=60, refill_s=2)
OF_ACCOUNT: Final = Rate(size=10, refill_s=60)
OF_CODES: Final = Rate(size=10, refill_s=60)
"""The limit on codes of a person's second factor, from all addresses together. Only a client that knows the password
gets so far, so strangers cannot use up the attempts."""
MOST_BUCKETS: Final = 20_000


class Attempts:
    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: OrderedDict[tuple[str, ...], tuple[float, float]] = OrderedDict()

    def take(self, address: str, account: str) -> None:
        """Count an attempt to sign in: for the IP address, and for the account at this IP address. Raises a 429
        `Problem` after too many attempts of either."""
        network = _network(address)
        self._take((network,), OF_ADDRESS, "attempts to sign in from this address")
        self._take((network, account), OF_ACCOUNT, "attempts to sign in from this address")

    def take_code(self, person_id: UUID) -> None:
        """Count an attempt to enter a code of a person's second factor. Raises a 429 `Problem` after too many
        attempts."""
        self._take(("code", "of", str(person_id)), OF_CODES, "codes; a recovery code works")

    def _take(self, key: tuple[str, ...], rate: Rate, what: str) -> None:
        left, now = self._left(key, rate), self._clock()
        if left < 1:
            wait_s = int((1 - left) * rate.refill_s) + 1
            raise Problem(
                429,
                "Too many attempts",
                f"Too many {what}. Try again in {wait_s} s.",
                extra={"retry_after_s": wait_s},
            )
        self._buckets[key] = (left - 1, now)
        self._buckets.move_to_end(key)
        while len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)

    def succeeded(self, address: str, account: str) -> None:
        """Reset the count of attempts for an account at an address."""
        self._buckets.pop((_network(address), account), None)

    def _left(self, key: tuple[str, ...], rate: Rate) -> float:
        if key not in self._buckets:
            return float(rate.size)
        left, at = self._buckets[key]
        return min(float(rate.size), left + (self._clock() - at) / rate.refill_s)


def _network(address: str) -> str:
    """Return an IPv4 address unchanged, and the /64 network of an IPv6 address, because one household has an entire
    /64."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)
