"""Find the runs that use a provider: rows of the orchestrator's tables with a foreign key to the provider."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.providers.schemas import RunRef
from llmbench.contracts.run_words import RunStatus
from llmbench.db.tables import run, run_group, target
from llmbench.errors import Problem

_ENDED = (RunStatus.FINISHED, RunStatus.CANCELLED)
_MOST_LISTED = 20
_MOST_NAMED = 5


async def runs_using(connection: AsyncConnection, provider_id: UUID, *, unfinished: bool = False) -> list[RunRef]:
    """Return the newest runs that use the provider as target or judge, at most `_MOST_LISTED`.

    With `unfinished`, return only runs that have neither finished nor been cancelled.
    """
    grouped = select(run_group.c.run_id).where(run_group.c.provider_id == provider_id)
    targeted = select(target.c.run_id).where(target.c.provider_id == provider_id)
    query = select(run.c.id, run.c.name).where(
        or_(run.c.judge_provider_id == provider_id, run.c.id.in_(grouped), run.c.id.in_(targeted))
    )
    if unfinished:
        query = query.where(run.c.status.not_in(_ENDED))
    rows = await connection.execute(query.order_by(run.c.created_at.desc()).limit(_MOST_LISTED))
    return [RunRef(id=row.id, name=row.name) for row in rows]


def in_use(detail: str, runs: Sequence[RunRef]) -> Problem:
    """Return a 409 problem that lists the runs. `detail` is the sentence that says which change the runs prevent."""
    named = ", ".join(repr(run.name) for run in runs[:_MOST_NAMED])
    more = " and others" if len(runs) > _MOST_NAMED else ""
    listed = [run.model_dump(mode="json") for run in runs]
    return Problem(409, "Provider in use", f"{detail} {named}{more}.", extra={"runs": listed})
