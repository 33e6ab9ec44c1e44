"""POST /api/playground: ask one question as a small run, which starts at once or is refused. Also make such a run an
ordinary run, which the list of runs shows."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.run_words import RunType
from llmbench.errors import Problem
from orchestrator.evaluations.domain.placement import Active
from orchestrator.kernel.domain.local_provider import is_local
from orchestrator.kernel.domain.new_run import NewRun
from orchestrator.kernel.domain.refusal import no_run
from orchestrator.playground.ports.factory import PlaygroundFactory
from orchestrator.results.ports.queries import RunReader
from orchestrator.runs.handlers.create_run import create_run
from orchestrator.runs.ports.catalogue import EvaluatorCatalogue
from orchestrator.runs.ports.directory import ModelDirectory


@dataclass(frozen=True)
class PlaygroundParts:
    """The dependencies of the handlers. A provider at one of the hosts `hosted` does not count as local, even if its
    address is private."""

    factory: PlaygroundFactory
    directory: ModelDirectory
    catalogue: EvaluatorCatalogue
    runs: RunReader
    hosted: frozenset[str] = frozenset()


async def ask(parts: PlaygroundParts, new: NewRun, *, now: datetime) -> UUID:
    """Create the run of the question, and return its id; for a repeated idempotency key, the id of the earlier run.

    A question to a local model is refused while the active run uses a local model. Any other question starts at once,
    next to the active run if there is one. If no run is active, a question to a local model becomes the active run,
    because it needs the machine.

    Raises a `Problem`:

    - 409: an active run uses a local model (the problem names the run), or a provider was deleted meanwhile.
    - 422: fields are invalid.
    - 503: a service that checks the request does not answer.
    """
    # A repeated request must not be refused because of the run that it has made itself.
    if new.idempotency is not None and (earlier := await parts.factory.run_of_key(new.idempotency)) is not None:
        return earlier
    providers = await parts.factory.providers({target.provider_id for target in new.targets})
    asks_local = any(is_local(provider, hosted=parts.hosted) for provider in providers.values())
    active = await parts.factory.active()
    if active is not None and asks_local and any(model.local for model in active.held):
        raise _taken(active, providers, parts.hosted)
    placed = replace(_at_pace(new, active), concurrent=active is not None or not asks_local)
    run_id, _ = await create_run(parts.factory, parts.directory, parts.catalogue, placed, now=now)
    return run_id


def _at_pace(new: NewRun, active: Active | None) -> NewRun:
    """Return the run with the active run's concurrency for each model that both runs use. Both runs send their calls to
    such a model through one queue, so the concurrency must not change."""
    held = {model.model: model.concurrency for model in (active.held if active else ())}
    targets = [
        replace(target, concurrency=held.get((target.provider_id, target.model), target.concurrency))
        for target in new.targets
    ]
    return replace(new, targets=targets)


def _taken(active: Active, providers: Mapping[UUID, ProviderSnapshot], hosted: frozenset[str]) -> Problem:
    names = ", ".join(sorted(each.name for each in providers.values() if is_local(each, hosted=hosted)))
    detail = (
        f"'{active.name}' is active and uses a local model, so {names} cannot be asked now. Wait for its end, "
        "pause it, or ask hosted models only."
    )
    return Problem(409, "A run holds the local model", detail, extra={"active_run_id": str(active.run_id)})


async def keep(parts: PlaygroundParts, run_id: UUID, name: str | None) -> None:
    """Make the question an ordinary run, which the list of runs shows. The request is idempotent.

    Raises a `Problem`: 404 for an unknown run, 409 for an evaluation of supplied outputs.
    """
    run = await parts.runs.run(run_id)
    if run is None:
        raise no_run(run_id)
    if run.type not in (RunType.PLAYGROUND, RunType.BENCHMARK):
        raise Problem(409, "Not a question of the playground", f"'{run.name}' is an evaluation of supplied outputs.")
    await parts.factory.change(run_id, {"type": RunType.BENCHMARK, **({"name": name} if name else {})})
