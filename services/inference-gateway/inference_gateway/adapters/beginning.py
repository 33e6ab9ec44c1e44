"""Begin calls in one round trip to PostgreSQL: take their locks, and read what is stored for them.

The round trip releases the locks of finished calls and tries the locks of new calls. For each call that gets its locks,
it returns whether the run exists, the stored outcome, and the provider's headers.

The steps are a function on the database server, not one SQL statement. A single statement would read a snapshot from
before the lock was taken. In a READ COMMITTED transaction, each statement of a function gets its own snapshot.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol
from uuid import UUID

import asyncpg

from inference_gateway.ports import SessionLost, StoredHeader
from llmbench.contracts.provider import ProviderSnapshot

if TYPE_CHECKING:
    # `asyncpg.Connection` is generic in its type stubs, but not at run time.
    Connection = asyncpg.Connection[asyncpg.Record]

# A call gets both of its locks (the slot's, then its own) or neither: CASE evaluates its conditions in this order.
# One statement begins calls of several organisations, so each row is looked up together with its organisation.
# Rows are looked up one by one (LATERAL with LIMIT 1), because the plan is cached: a plan made for a nearly empty
# table would later scan the entire table.
PREPARE = """
SET default_transaction_isolation = 'read committed';
CREATE OR REPLACE FUNCTION pg_temp.begin_calls(
    freed text[], slots text[], calls text[], call_ids uuid[], run_ids uuid[], provider_ids uuid[], org_ids uuid[]
) RETURNS TABLE (
    taken boolean, run_exists boolean, outcome jsonb, finished_at timestamptz,
    header_keys text[], plain_values text[], sealed_values bytea[]
) LANGUAGE plpgsql AS $$
DECLARE
    got boolean[];
BEGIN
    PERFORM pg_advisory_unlock(hashtextextended(key, 0)) FROM unnest(freed) AS key;
    got := ARRAY (
        SELECT CASE
            WHEN NOT pg_try_advisory_lock(hashtextextended(slot, 0)) THEN false
            WHEN call IS NULL THEN true
            WHEN pg_try_advisory_lock(hashtextextended(call, 0)) THEN true
            ELSE NOT pg_advisory_unlock(hashtextextended(slot, 0))
        END
        FROM unnest(slots, calls) WITH ORDINALITY AS wanted (slot, call, place) ORDER BY place
    );
    RETURN QUERY
        SELECT asked.got, known_run.id IS NOT NULL, known.outcome, known.finished_at,
               header.keys, header.plain, header.sealed
        FROM unnest(got, call_ids, run_ids, provider_ids, org_ids)
             WITH ORDINALITY AS asked (got, call_id, run_id, provider_id, org_id, place)
        LEFT JOIN LATERAL (
            SELECT paid.outcome, paid.finished_at FROM model_call AS paid
            WHERE paid.id = asked.call_id AND paid.org_id = asked.org_id AND asked.got LIMIT 1
        ) AS known ON true
        LEFT JOIN LATERAL (
            SELECT id FROM run WHERE id = asked.run_id AND org_id = asked.org_id AND asked.got LIMIT 1
        ) AS known_run ON true
        LEFT JOIN LATERAL (
            SELECT array_agg(header_key ORDER BY position) AS keys,
                   array_agg(plain_value ORDER BY position) AS plain,
                   array_agg(sealed_value ORDER BY position) AS sealed
            FROM provider_header
            WHERE provider_id = asked.provider_id AND org_id = asked.org_id AND asked.got
        ) AS header ON true
        ORDER BY place;
END
$$
"""
_FREE = "SELECT pg_advisory_unlock(hashtextextended(key, 0)) FROM unnest($1::text[]) AS key"
_BEGIN = "SELECT * FROM pg_temp.begin_calls($1, $2, $3, $4, $5, $6, $7)"


@dataclass(frozen=True)
class Free:
    """Locks to release before any new locks are tried."""

    keys: Sequence[str]


class Wanted(Protocol):
    """The fields of a command that are needed to begin its call."""

    @property
    def call_id(self) -> UUID: ...

    @property
    def run_id(self) -> UUID: ...

    @property
    def provider(self) -> ProviderSnapshot: ...


@dataclass(frozen=True)
class Begin:
    slot: str
    call: str | None
    """The call's own lock, if it needs one."""
    wanted: Wanted
    org_id: UUID | None
    """The organisation that the command belongs to. Without one, no run and no header is found."""

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.slot,) if self.call is None else (self.slot, self.call)


@dataclass(frozen=True)
class Begun:
    run_exists: bool
    outcome: str | None
    finished_at: datetime | None
    headers: Sequence[StoredHeader]


async def begin(connection: "Connection", asked: Sequence[Begin | Free], timeout: float) -> Sequence[Begun | None]:
    """Release the locks of each `Free` in `asked`, and try to take the locks of each `Begin`. The connection must have
    executed the SQL in the constant `PREPARE`.

    The results are in the order of `asked`. They are `None` for a `Free`, and for a call that did not get its locks.
    Raises `SessionLost` for any error, and closes the connection: it is then unknown which locks the session holds.
    """
    freed = [key for request in asked if isinstance(request, Free) for key in request.keys]
    begun = [request for request in asked if isinstance(request, Begin)]
    try:
        begun_calls = iter(await _run(connection, freed, begun, timeout))
        return [None if isinstance(request, Free) else _begun(next(begun_calls)) for request in asked]
    except Exception as error:
        # Advisory locks outlive a failed statement, and it is unknown which of them were taken or released.
        connection.terminate()
        raise SessionLost(f"locks could not be taken or given back: {error!r}") from error


async def _run(
    connection: "Connection", freed: Sequence[str], begun: Sequence[Begin], timeout: float
) -> "Sequence[asyncpg.Record]":
    if not begun:
        # Calling the function would cost twice as much as this prepared statement.
        await connection.execute(_FREE, freed, timeout=timeout)
        return ()
    rows: list[asyncpg.Record] = await connection.fetch(
        _BEGIN,
        freed,
        [begin.slot for begin in begun],
        [begin.call for begin in begun],
        [begin.wanted.call_id for begin in begun],
        [begin.wanted.run_id for begin in begun],
        [begin.wanted.provider.provider_id for begin in begun],
        [begin.org_id for begin in begun],
        timeout=timeout,
    )
    return rows


def _begun(row: asyncpg.Record) -> Begun | None:
    if not row["taken"]:
        return None
    stored = zip(row["header_keys"] or (), row["plain_values"] or (), row["sealed_values"] or (), strict=True)
    return Begun(row["run_exists"], row["outcome"], row["finished_at"], [StoredHeader(*each) for each in stored])
