"""Rotate the master key: decrypt every stored secret and encrypt it with another key."""

import contextlib
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Table, delete, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.db.engine import driver, open_engine
from llmbench.db.secrets import SECOND_FACTOR, SIGNING_KEY, WEBHOOK_SECRET, Binding, SecretBox
from llmbench.db.tables import (
    person,
    provider,
    provider_header,
    run,
    schedule,
    schedule_webhook,
    second_factor,
    signing_key,
    webhook,
)
from llmbench.db.version import require_head
from llmbench.errors import SecretsLocked, ServicesRunning

_KEY_HOLDERS = """
SELECT DISTINCT application_name FROM pg_stat_activity
WHERE datname = current_database() AND (application_name IN ('config-api', 'identity', 'orchestrator')
                                               OR application_name LIKE '%inference-gateway%')
"""


@dataclass(frozen=True)
class Resealed:
    """The result of a rotation.

    `sealed` counts the secrets that were encrypted again, and `already` those that the new key could already decrypt.
    `forgotten` names the secrets that were deleted because neither key decrypts them.
    """

    sealed: int
    already: int
    forgotten: tuple[str, ...] = ()


async def reseal(database_url: str, old: SecretBox, new: SecretBox, *, forget_locked: bool = False) -> Resealed:
    """Encrypt every stored secret with the key `new`, in one transaction. Idempotent.

    If neither key decrypts some secrets, `SecretsLocked` is raised, which names them, and nothing is changed. With
    `forget_locked`, these secrets are deleted instead, each with its header, webhook or second factor. Raises
    `ServicesRunning` if a service that uses the key is connected, and `WrongSchemaVersion` if the schema is not the
    expected one.
    """
    async with open_engine(database_url, application_name="rotate-key", pool_size=1, everybody=True) as engine:
        async with driver(engine) as connection:
            await require_head(connection)
        async with engine.begin() as connection:
            # The lock excludes readers, too. A service that starts meanwhile has to wait, and then finds that its key
            # is wrong.
            locked = "provider_header, webhook, schedule_webhook, signing_key, second_factor"
            await connection.execute(text(f"LOCK TABLE {locked} IN ACCESS EXCLUSIVE MODE"))
            await _refuse_beside_services(connection)
            return await _reseal(connection, old, new, forget_locked=forget_locked)


async def _reseal(connection: AsyncConnection, old: SecretBox, new: SecretBox, *, forget_locked: bool) -> Resealed:
    sealed = already = 0
    locked = []
    kinds = (_headers, _webhooks, _webhooks_of_schedules, _signing_keys, _second_factors)
    stored = [each for find in kinds for each in await find(connection)]
    for secret in stored:
        if _opened(secret, new) is not None:
            already += 1
        elif (value := _opened(secret, old)) is not None:
            resealed = {secret.column: new.seal(value, secret.binding)}
            await connection.execute(update(secret.table).where(secret.table.c.id == secret.id).values(resealed))
            sealed += 1
        else:
            locked.append(secret)
    names = tuple(secret.name for secret in locked)
    if locked and not forget_locked:
        raise SecretsLocked(f"these secrets open with neither the old nor the new key: {', '.join(names)}")
    for secret in locked:
        await connection.execute(delete(secret.table).where(secret.table.c.id == secret.id))
    return Resealed(sealed, already, names)


async def _refuse_beside_services(connection: AsyncConnection) -> None:
    running = (await connection.execute(text(_KEY_HOLDERS))).scalars().all()
    if running:
        there = ", ".join(sorted(running))
        raise ServicesRunning(
            f"stop config-api, orchestrator, identity and inference-gateway first: {there} is connected"
        )


@dataclass(frozen=True)
class _Secret:
    """A stored secret: its table, column, row and ciphertext, its binding, and a name for messages."""

    table: Table
    column: str
    id: UUID
    sealed: bytes
    binding: Binding
    name: str


async def _headers(connection: AsyncConnection) -> list[_Secret]:
    query = (
        select(provider_header, provider.c.base_url, provider.c.name)
        .join(provider, provider.c.id == provider_header.c.provider_id)
        .where(provider_header.c.is_secret)
        .order_by(provider.c.name, provider_header.c.position)
    )
    return [
        _Secret(
            provider_header,
            "sealed_value",
            row.id,
            row.sealed_value,
            Binding(row.provider_id, row.header_key, row.base_url),
            f"{row.header_key} of {row.name}",
        )
        for row in await connection.execute(query)
    ]


async def _webhooks(connection: AsyncConnection) -> list[_Secret]:
    query = select(webhook, run.c.name).join(run, run.c.id == webhook.c.run_id).order_by(webhook.c.created_at)
    return [
        _Secret(
            webhook,
            "sealed_secret",
            row.id,
            row.sealed_secret,
            Binding(row.id, WEBHOOK_SECRET, row.url),
            f"the webhook of {row.name}",
        )
        for row in await connection.execute(query)
    ]


async def _webhooks_of_schedules(connection: AsyncConnection) -> list[_Secret]:
    query = select(schedule_webhook, schedule.c.name).join(schedule, schedule.c.id == schedule_webhook.c.schedule_id)
    return [
        _Secret(
            schedule_webhook,
            "sealed_secret",
            row.id,
            row.sealed_secret,
            Binding(row.id, WEBHOOK_SECRET, row.url),
            f"the webhook of the schedule {row.name}",
        )
        for row in await connection.execute(query.order_by(schedule.c.name))
    ]


async def _signing_keys(connection: AsyncConnection) -> list[_Secret]:
    rows = await connection.execute(select(signing_key).order_by(signing_key.c.id))
    name = "a key that signs identities (a new one is made, and nobody has to sign in again)"
    return [
        _Secret(signing_key, "sealed_key", row.id, row.sealed_key, Binding(row.id, SIGNING_KEY, ""), name)
        for row in rows
    ]


async def _second_factors(connection: AsyncConnection) -> list[_Secret]:
    query = select(second_factor, person.c.email).join(person, person.c.id == second_factor.c.person_id)
    return [
        _Secret(
            second_factor,
            "sealed_secret",
            row.id,
            row.sealed_secret,
            Binding(row.id, SECOND_FACTOR, ""),
            f"the second factor of {row.email}",
        )
        for row in await connection.execute(query.order_by(person.c.email))
    ]


def _opened(secret: _Secret, box: SecretBox) -> str | None:
    with contextlib.suppress(SecretsLocked):
        return box.open(secret.sealed, secret.binding)
    return None
