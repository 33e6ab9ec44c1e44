"""Carry out a user's command on an existing run, or change its settings."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from llmbench.errors import FieldError
from orchestrator.kernel.domain.new_run import Idempotency
from orchestrator.kernel.domain.refusal import invalid, no_run
from orchestrator.runs.handlers.create_run import active_run_problem
from orchestrator.runs.handlers.lead import Order
from orchestrator.runs.handlers.leadership import Leadership
from orchestrator.runs.ports.catalogue import EvaluatorCatalogue
from orchestrator.runs.ports.directory import ModelDirectory
from orchestrator.runs.ports.factory import RunFactory
from orchestrator.runs.ports.store import ActiveRunExists, KeyTaken


@dataclass(frozen=True)
class CommandParts:
    """The dependencies of the command handlers, created when the service starts. Providers at the hosts `hosted` do not
    count as local, although their addresses are private."""

    leadership: Leadership
    factory: RunFactory
    directory: ModelDirectory
    catalogue: EvaluatorCatalogue
    hosted: frozenset[str] = frozenset()


async def give(at: CommandParts, run_id: UUID, order: Order) -> None:
    """Carry out the command on the run.

    Raises a `Problem`: 404 for an unknown run, 409 if another run is active. The command may raise other problems, for
    instance if the run's state does not allow it. Raises `KeyTaken` if another request has stored the command's
    idempotency key.
    """
    try:
        known = await at.leadership.order(run_id, order)
    except ActiveRunExists:
        raise await active_run_problem(at.factory, may_wait=False) from None
    if not known:
        raise no_run(run_id)


async def give_once(at: CommandParts, run_id: UUID, order: Order, idempotency: Idempotency | None) -> UUID:
    """Carry out the command, unless an earlier request with the same idempotency key has done so.

    Return the id of the run: `run_id`, or the run of the earlier request. Raises a `Problem`: 404 for an unknown run,
    409 if another run is active, 422 if the key belongs to a different request. The command may raise other problems,
    for instance if the run's state does not allow it.
    """
    if idempotency is not None and (earlier_id := await at.factory.run_of_key(idempotency)) is not None:
        return earlier_id
    with suppress(KeyTaken):
        await give(at, run_id, order)
    return run_id


async def change(at: CommandParts, run_id: UUID, changes: Mapping[str, Any]) -> None:
    """Change settings of the run: `changes` maps columns of the table `run` to their new values. Raises a `Problem`:
    404 for an unknown run, 422 for an invalid value."""
    baseline = changes.get("baseline_run_id")
    if baseline == run_id:
        raise invalid([FieldError("baseline_run_id", "a run cannot be its own baseline: name an earlier one")])
    if baseline is not None and not await at.factory.run_exists(baseline):
        raise invalid([FieldError("baseline_run_id", f"there is no run {baseline}")])
    if not await at.factory.change(run_id, changes):
        raise no_run(run_id)
