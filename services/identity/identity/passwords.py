"""Hash and compare passwords with Argon2id (RFC 9106), a few at a time, outside the event loop."""

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

AT_ONCE = 2
"""The maximum number of simultaneous comparisons. Each takes 64 MiB and a tenth of a second of a core."""


class Passwords:
    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._dummy: str | None = None

    async def hash(self, password: str) -> str:
        async with self._turns:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def matches(self, password: str, stored: str | None) -> bool:
        """Return whether the password matches the stored hash.

        Without a stored hash, return `False` after the same time: otherwise the time would show which accounts exist.
        """
        async with self._turns:
            return await asyncio.to_thread(self._matches, password, stored)

    def _matches(self, password: str, stored: str | None) -> bool:
        if self._dummy is None:
            self._dummy = self._hasher.hash("nobody has this password")
        try:
            return self._hasher.verify(stored or self._dummy, password) and stored is not None
        except (VerificationError, InvalidHashError):
            return False
