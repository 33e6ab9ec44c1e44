"""Second factors: one-time codes of an app (RFC 6238), and recovery codes for a lost device.

A code is accepted once. The shared secret is stored encrypted, recovery codes as hashes.
"""

import hmac
import secrets
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import pyotp
from sqlalchemy import delete, exists, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from identity.state import Connections
from identity.tokens import token_hash
from llmbench.db.secrets import SECOND_FACTOR, Binding
from llmbench.db.tables import organisation, recovery_code, second_factor
from llmbench.errors import FieldError, Problem
from llmbench.ids import new_id
from llmbench.organisation import bound_organisation

STEP_S: Final = 30
DIGITS: Final = 6
CODES: Final = 10
REQUIRED: Final = "require_second_factor"
"""The key in an organisation's settings that requires a second factor of every member."""
_ISSUER: Final = "llmbench"
_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_GROUPS: Final = 4


@dataclass(frozen=True)
class Begun:
    """A second factor that is not confirmed yet: the secret, and the URL that apps read from a QR code."""

    secret: str
    uri: str


class SecondFactors:
    def __init__(self, opened: Connections) -> None:
        self._opened = opened

    async def enabled(self, person_id: UUID) -> bool:
        async with self._opened.engine.connect() as connection:
            return await is_enabled(connection, person_id)

    async def check(self, person_id: UUID, code: str | None) -> bool:
        """Return whether the person has a second factor. If so, `code` has been checked and is correct.

        Raises a 401 `Problem` if the code is missing or wrong, and a 429 after too many codes of the app. Recovery
        codes are too long to be guessed, so attempts with them are not limited. The owner of an account can therefore
        always use one.
        """
        if not await self.enabled(person_id):
            return False
        given = (code or "").replace(" ", "").replace("-", "").lower()
        if given == "":
            raise _refused("Enter the code that your app shows, or a recovery code.")
        if len(given) != DIGITS:
            if not await self._use_recovery_code(person_id, given):
                raise _refused("The recovery code is wrong, or was used already.", wrong=True)
            return True
        self._opened.attempts.take_code(person_id)
        if not await self._use_code(person_id, given, confirmed=True):
            raise _refused("The code is wrong, or was used already. Enter the next one.", wrong=True)
        return True

    async def check_code_of_app(self, person_id: UUID, code: str) -> None:
        """Check a code of the app, where a recovery code is not enough. Raises a 401 `Problem` for a wrong code, and a
        429 after too many attempts."""
        self._opened.attempts.take_code(person_id)
        given = code.replace(" ", "")
        if len(given) != DIGITS or not await self._use_code(person_id, given, confirmed=True):
            raise _refused("The code is wrong, or was used already. Enter the next one of your app.", wrong=True)

    async def begin(self, person_id: UUID, email: str) -> Begun:
        """Create a secret, which replaces an unconfirmed one. Raises a 409 `Problem` if the person already uses a
        second factor."""
        id_, secret = new_id(), pyotp.random_base32()
        sealed = self._opened.box.seal(secret, _binding(id_))
        async with self._opened.engine.begin() as connection:
            if await is_enabled(connection, person_id, lock=True):
                raise Problem(409, "Already set up", "Remove the present second factor first.")
            await connection.execute(delete(second_factor).where(second_factor.c.person_id == person_id))
            await connection.execute(insert(second_factor).values(id=id_, person_id=person_id, sealed_secret=sealed))
        return Begun(secret, pyotp.TOTP(secret).provisioning_uri(name=email, issuer_name=_ISSUER))

    async def confirm(self, person_id: UUID, code: str) -> None:
        """Activate the second factor, if `code` is a correct code of it. Raises a 422 `Problem` for a wrong code, and a
        429 after too many attempts."""
        self._opened.attempts.take_code(person_id)
        if not await self._use_code(person_id, code.replace(" ", ""), confirmed=False):
            raise Problem(
                422,
                "Wrong code",
                "The code does not belong to this secret. Check the time of your device.",
                errors=[FieldError("code", "is wrong")],
            )

    async def _use_code(self, person_id: UUID, given: str, *, confirmed: bool) -> bool:
        mine = second_factor.c.person_id == person_id
        state = second_factor.c.confirmed_at.is_not(None) if confirmed else second_factor.c.confirmed_at.is_(None)
        async with self._opened.engine.begin() as connection:
            row = (await connection.execute(select(second_factor).where(mine, state))).one_or_none()
            if row is None:
                return False
            secret = self._opened.box.open(row.sealed_secret, _binding(row.id))
            step = matching_step(secret, given, self._opened.clock())
            if step is None:
                return False
            # Only the first of two requests with one code changes the row.
            used = update(second_factor).where(mine, state, second_factor.c.last_step < step)
            values = {"last_step": step} | ({} if confirmed else {"confirmed_at": func.now()})
            return (await connection.execute(used.values(values))).rowcount == 1

    async def _use_recovery_code(self, person_id: UUID, given: str) -> bool:
        used = delete(recovery_code).where(
            recovery_code.c.person_id == person_id, recovery_code.c.code_hash == token_hash(given)
        )
        async with self._opened.engine.begin() as connection:
            return (await connection.execute(used)).rowcount == 1


def matching_step(secret: str, code: str, at: float) -> int | None:
    """Return the time step to which the code belongs; `None` for a wrong code. The present step and its two neighbours
    are tried, because clocks differ (RFC 6238, 5.2).

    >>> matching_step("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "287082", 59.0)
    1
    """
    now = int(at) // STEP_S
    totp = pyotp.TOTP(secret)
    steps = (step for step in (now, now - 1, now + 1) if step >= 0)
    return next((step for step in steps if hmac.compare_digest(totp.generate_otp(step).encode(), code.encode())), None)


async def renew_recovery_codes(connection: AsyncConnection, person_id: UUID) -> list[str]:
    """Create new recovery codes, which replace the present ones. Only their hashes are stored."""
    codes = ["-".join(_letters() for _ in range(_GROUPS)) for _ in range(CODES)]
    await connection.execute(delete(recovery_code).where(recovery_code.c.person_id == person_id))
    rows = [{"id": new_id(), "person_id": person_id, "code_hash": token_hash(code.replace("-", ""))} for code in codes]
    await connection.execute(insert(recovery_code), rows)
    return codes


def _letters() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(4))


async def count_recovery_codes(connection: AsyncConnection, person_id: UUID) -> int:
    query = select(func.count()).select_from(recovery_code).where(recovery_code.c.person_id == person_id)
    return int((await connection.execute(query)).scalar_one())


async def is_enabled(connection: AsyncConnection, person_id: UUID, *, lock: bool = False) -> bool:
    """Return whether the person has a confirmed second factor. With `lock`, the second factor cannot change until the
    transaction ends."""
    mine = second_factor.c.person_id == person_id
    if lock:
        await connection.execute(select(second_factor.c.id).where(mine).with_for_update())
    query = select(exists().where(mine, second_factor.c.confirmed_at.is_not(None)))
    return bool((await connection.execute(query)).scalar_one())


async def remove(connection: AsyncConnection, person_id: UUID) -> None:
    for table in (recovery_code, second_factor):
        await connection.execute(delete(table).where(table.c.person_id == person_id))


async def is_required(connection: AsyncConnection) -> bool:
    """Return whether the organisation that the transaction is bound to requires a second factor of every member."""
    query = select(organisation.c.settings[REQUIRED].as_boolean()).where(organisation.c.id == bound_organisation())
    return bool((await connection.execute(query)).scalar_one_or_none())


def lacking() -> Problem:
    """Return the 403 `Problem` for a session without the second factor that the organisation requires."""
    return Problem(
        403,
        "Second factor needed",
        "This organisation asks everybody for a second factor. Set one up in your account, or sign in with it again.",
    )


def _refused(detail: str, *, wrong: bool = False) -> Problem:
    errors = [FieldError("code", "is wrong")] if wrong else [FieldError("code", "is missing")]
    return Problem(401, "Second factor needed", detail, errors=errors)


def _binding(id_: UUID) -> Binding:
    return Binding(id_, SECOND_FACTOR, "")
