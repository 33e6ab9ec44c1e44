"""Store finished calls in the table `model_call`, and read them again.

A call is found by its id. An earlier answer to the same question is found by the hash of the question and by its epoch.
"""

import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

import asyncpg
from pydantic import TypeAdapter
from pydantic_core import from_json, to_json

from inference_gateway.adapters.lock_session import LockSession
from inference_gateway.adapters.session import Session
from inference_gateway.domain.call import Command, FinishedCall, PaidAnswer, RememberedCall, model_of, purpose_of
from inference_gateway.domain.text import storable_json
from inference_gateway.domain.usage import used_by
from inference_gateway.ports import NotStored, RunGone, StoredHeader
from llmbench.contracts.outcome import Answered, Outcome
from llmbench.contracts.release_model import ReleaseModel
from llmbench.organisation import bound_organisation
from llmbench.room import DATABASE_ROOM, is_disk_full

if TYPE_CHECKING:
    # `asyncpg.Connection` is generic in its type stubs, but not at run time.
    Connection = asyncpg.Connection[asyncpg.Record]

_OUTCOME: TypeAdapter[Outcome] = TypeAdapter(Outcome)

_FIND_ANSWER = """
SELECT id, outcome, content, reasoning, response FROM model_call
WHERE request_hash = $1 AND epoch = $2 AND org_id = $3 AND cached_from IS NULL AND outcome ->> 'kind' = 'answered'
ORDER BY finished_at DESC LIMIT 1
"""

# A second row for the same call can only come from a process that lost its lock, so the first one stays. The same
# statement adds the call to the usage of its day: it counts exactly once, and before its answer is published.
_STORE = """
WITH stored AS (
    INSERT INTO model_call (id, run_id, provider_id, group_id, item_id, score_id, purpose, dispatch, model,
                            request_hash, epoch, cached_from, request, outcome, content, reasoning, response,
                            started_at, finished_at, org_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
    ON CONFLICT (id) DO NOTHING
    RETURNING run_id, org_id, model, finished_at
)
INSERT INTO usage_of_day AS used
       (org_id, day, person_id, model, calls, unpriced_calls, prompt_tokens, completion_tokens, cost_usd, items)
SELECT stored.org_id, (stored.finished_at AT TIME ZONE 'UTC')::date,
       coalesce((SELECT created_by FROM run WHERE run.id = stored.run_id AND run.org_id = stored.org_id),
                '00000000-0000-0000-0000-000000000000'),
       stored.model, $21::bigint, $22::bigint, $23::bigint, $24::bigint, $25::float8, $26::bigint
FROM stored WHERE $21 + $26 > 0
ON CONFLICT (org_id, day, person_id, model) DO UPDATE SET
    calls = used.calls + excluded.calls,
    unpriced_calls = used.unpriced_calls + excluded.unpriced_calls,
    prompt_tokens = used.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = used.completion_tokens + excluded.completion_tokens,
    cost_usd = used.cost_usd + excluded.cost_usd,
    items = used.items + excluded.items
"""
_MODEL, _ORG = 8, 19

_CONTENT = "SELECT content FROM model_call WHERE id = $1 AND org_id = $2"


async def _store(connection: "Connection", rows: Sequence[Sequence[Any]], timeout: float) -> list[None]:
    # All gateways update the rows of usage in the same order, so that they cannot deadlock.
    ordered = sorted(rows, key=lambda row: (str(row[_ORG]), row[_MODEL]))
    await connection.executemany(_STORE, ordered, timeout=timeout)
    return [None] * len(rows)


@dataclass(frozen=True)
class PostgresSlot:
    session: Session
    remembered: RememberedCall | None
    headers: Sequence[StoredHeader]
    org_id: UUID | None

    @property
    def alive(self) -> bool:
        return self.session.alive

    async def find_answer(self, request_hash: str, epoch: int) -> PaidAnswer | None:
        row = await self.session.do(self.session.connection.fetchrow, _FIND_ANSWER, request_hash, epoch, self.org_id)
        if row is None:
            return None
        return PaidAnswer(
            call_id=row["id"],
            outcome=Answered.model_validate_json(row["outcome"]),
            content=row["content"],
            reasoning=row["reasoning"],
            response=None if row["response"] is None else from_json(row["response"]),
        )

    async def store(self, command: Command, call: FinishedCall) -> None:
        ask = None if isinstance(command, ReleaseModel) else command
        try:
            await self.session.ask(
                _store,
                (
                    command.call_id,
                    command.run_id,
                    command.provider.provider_id,
                    command.group_id,
                    ask and ask.item_id,
                    ask and ask.score_id,
                    purpose_of(command).value,
                    command.dispatch,
                    model_of(command),
                    call.request_hash,
                    ask.epoch if ask else 1,
                    call.cached_from,
                    _json(call.request),
                    _json(call.outcome.model_dump(mode="json", exclude_none=True)),
                    call.content,
                    call.reasoning,
                    None if call.response is None else _json(call.response),
                    call.started_at,
                    call.finished_at,
                    self.org_id,
                    *astuple(used_by(command, call)),
                ),
            )
        except asyncpg.ForeignKeyViolationError as error:
            raise RunGone from error
        except asyncpg.PostgresError as error:
            if is_disk_full(error):
                DATABASE_ROOM.lacked()
            raise NotStored(f"{type(error).__name__}: {error}") from error


class CallMemory:
    """Implement the ports `Slots` and `Answers`. A slot is the right to make one of a model group's concurrent calls. A
    call is stored only while this process still holds the slot in which it was made."""

    def __init__(self, locks: LockSession) -> None:
        self._locks = locks

    @contextlib.asynccontextmanager
    async def hold(self, command: Command, *, answered: bool = False) -> AsyncIterator[PostgresSlot]:
        holding = self._locks.hold(command.group, command.concurrency, command, while_stopping=answered)
        async with holding as (session, begun):
            remembered: RememberedCall | None = None
            if begun.outcome is not None and begun.finished_at is not None:
                remembered = RememberedCall(_OUTCOME.validate_json(begun.outcome), begun.finished_at)
            elif not begun.run_exists:
                raise RunGone
            yield PostgresSlot(session, remembered, begun.headers, bound_organisation())

    async def content(self, call_id: UUID) -> str | None:
        session = self._locks.current()
        text: str | None = await session.do(session.connection.fetchval, _CONTENT, call_id, bound_organisation())
        return text


def _json(value: object) -> str:
    return to_json(storable_json(value), inf_nan_mode="null").decode()
