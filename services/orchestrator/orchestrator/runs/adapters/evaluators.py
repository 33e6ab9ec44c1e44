"""Store the evaluators of a run with their revisions, and build the rows of its model groups."""

from typing import Any
from uuid import UUID

from sqlalchemy import Select, func, select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.run_words import GroupStatus, RunPhase
from llmbench.db import tables as t
from llmbench.errors import Problem
from llmbench.ids import group_token, new_id
from orchestrator.kernel.domain.new_run import PROGRAM_CONCURRENCY, NewEvaluator
from orchestrator.kernel.domain.revision import revision_of
from orchestrator.runs.adapters.primary import has_primary
from orchestrator.runs.domain.schedule import Model


async def add_evaluator(
    connection: AsyncConnection, run_id: UUID, new: NewEvaluator, *, group_id: UUID | None, whole: bool
) -> UUID:
    """Add the evaluator's revision to the run, and return the revision's id. The first revision of a slot (an
    evaluator's name in the run) becomes the slot's primary revision, whose scores count.

    `whole` is true if the revision judges every answer of the run, not only some. Adding a revision again changes
    nothing, except that `whole` may become true.
    """
    revision_id = await _have_revision(connection, new)
    last = select(func.coalesce(func.max(t.run_evaluator.c.position), -1)).where(t.run_evaluator.c.run_id == run_id)
    values: dict[str, Any] = {
        "run_id": run_id,
        "evaluator_revision_id": revision_id,
        "group_id": group_id,
        "position": (await connection.execute(last)).scalar_one() + 1,
        "slot": new.slot,
        "title": new.title(),
        "whole": whole,
        "weight": new.weight,
        "required": new.required,
        "pass_threshold": new.pass_threshold,
        "pass_mark": new.facts.pass_mark,
        "members": [await _have_revision(connection, member) for member in new.members] or None,
        "quorum": new.panel.quorum if new.panel else None,
        "member": new.member,
        "primary": not new.member and not await has_primary(connection, run_id, new.slot),
        "only": new.limits.only,
        "unless": new.limits.unless,
    }
    joining = upsert(t.run_evaluator).values(values)
    await connection.execute(
        joining.on_conflict_do_update(
            index_elements=["run_id", "evaluator_revision_id"],
            set_={"whole": True, "position": joining.excluded.position},
            where=joining.excluded.whole & ~t.run_evaluator.c.whole,
        )
    )
    return revision_id


async def _have_revision(connection: AsyncConnection, new: NewEvaluator) -> UUID:
    made = revision_of(new)
    await connection.execute(
        upsert(t.evaluator_revision)
        .values(id=new_id(), **made)
        .on_conflict_do_nothing(index_elements=["org_id", "identity"])
    )
    query = select(t.evaluator_revision.c.id).where(t.evaluator_revision.c.identity == made["identity"])
    revision_id: UUID = (await connection.execute(query)).scalar_one()
    return revision_id


def judge_group_row(
    run_id: UUID,
    model: Model,
    provider: ProviderSnapshot,
    *,
    concurrency: int,
    position: int,
    releases: bool = True,
) -> dict[str, Any]:
    return group_row(
        run_id, RunPhase.JUDGING, position, provider, model[1], concurrency=concurrency, releases=releases, work=0
    )


def program_group_row(run_id: UUID, *, position: int) -> dict[str, Any]:
    """Return the table row of the model group that holds the scores of evaluators without a model."""
    return group_row(
        run_id, RunPhase.JUDGING, position, None, None, concurrency=PROGRAM_CONCURRENCY, releases=False, work=0
    )


def group_row(
    run_id: UUID,
    phase: RunPhase,
    position: int,
    provider: ProviderSnapshot | None,
    model: str | None,
    *,
    concurrency: int,
    releases: bool,
    work: int,
) -> dict[str, Any]:
    return {
        "id": new_id(),
        "run_id": run_id,
        "phase": phase,
        "position": position,
        "provider_id": provider.provider_id if provider else None,
        "model": model,
        "token": group_token(provider.provider_id, model) if provider and model else None,
        "provider": provider.model_dump(mode="json") if provider else {},
        "concurrency": concurrency,
        "releases": releases,
        "status": GroupStatus.WAITING,
        "new_count": work,
    }


async def hold_providers(connection: AsyncConnection, ids: set[UUID]) -> dict[UUID, ProviderSnapshot]:
    """Lock and read the providers, so that none is changed or deleted before the transaction ends. Raises a 409
    `Problem` if one does not exist."""
    held = await locked_providers(connection, ids)
    if ids - set(held):
        raise Problem(409, "A provider is gone", "A provider was deleted at the same moment. Choose another.")
    return held


async def locked_providers(connection: AsyncConnection, ids: set[UUID]) -> dict[UUID, ProviderSnapshot]:
    """Lock and read the providers with these ids. Ids of missing providers are left out."""
    query = select(t.provider).where(t.provider.c.id.in_(ids)).order_by(t.provider.c.id).with_for_update(read=True)
    return await read_providers(connection, query)


async def read_providers(connection: AsyncConnection, query: Select[Any]) -> dict[UUID, ProviderSnapshot]:
    rows = (await connection.execute(query)).mappings()
    return {row["id"]: ProviderSnapshot.model_validate({**row, "provider_id": row["id"]}) for row in rows}
