"""POST /api/runs: check everything, then create the run whole, in one transaction, and start it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.list_models import ModelsListed
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.errors import FieldError, Problem
from orchestrator.domain.schedule import GroupPlan, TargetSpec, plan
from orchestrator.ports.store import ActiveRunExists


@dataclass(frozen=True)
class Judge:
    provider_id: UUID
    model: str
    params: SamplingParams


@dataclass(frozen=True)
class NewTarget:
    provider_id: UUID
    model: str
    label: str
    params: SamplingParams


@dataclass(frozen=True)
class NewRun:
    """What the user asked for, labels filled in."""

    name: str
    judge: Judge
    targets: Sequence[NewTarget]
    collection_ids: Sequence[UUID]
    concurrency: int
    timeout_s: float
    max_attempts: int
    max_backoff_s: float
    check_providers: bool


@dataclass(frozen=True)
class CollectionFound:
    id: UUID
    name: str
    task_count: int


class RunFactory(Protocol):
    """What creating a run needs of the database."""

    async def providers(self, ids: set[UUID]) -> dict[UUID, ProviderSnapshot]: ...

    async def collections(self, ids: Sequence[UUID]) -> dict[UUID, CollectionFound]: ...

    async def create(
        self, new: NewRun, groups: Sequence[GroupPlan], providers: dict[UUID, ProviderSnapshot], now: datetime
    ) -> UUID:
        """One transaction. Raises `ActiveRunExists`."""
        ...

    async def active_run(self) -> tuple[UUID, str] | None: ...


class ModelDirectory(Protocol):
    async def list_models(self, provider: ProviderSnapshot) -> ModelsListed:
        """Raises a 503 `Problem` when the gateway does not answer."""
        ...


async def create_run(factory: RunFactory, directory: ModelDirectory, new: NewRun, *, now: datetime) -> UUID:
    """Raises `Problem`: 422 naming each field at fault, 409 naming the active run."""
    _check_labels(new.targets)
    providers = await _check_providers(factory, new)
    await _check_collections(factory, new.collection_ids)
    await refuse_second_run(factory)
    if new.check_providers:
        await _check_models(directory, new, providers)
    groups = plan(
        [
            TargetSpec(provider_id=one.provider_id, model=one.model, label=one.label, options=one.params.options)
            for one in new.targets
        ],
        judge_provider_id=new.judge.provider_id,
        judge_model=new.judge.model,
    )
    try:
        return await factory.create(new, groups, providers, now)
    except ActiveRunExists:
        raise await second_run(factory) from None


def _check_labels(targets: Sequence[NewTarget]) -> None:
    seen: dict[str, int] = {}
    errors = []
    for index, target in enumerate(targets):
        if target.label in seen:
            message = f"'{target.label}' is also the label of target {seen[target.label]}: give each target its own"
            errors.append(FieldError(f"targets.{index}.label", message))
        seen.setdefault(target.label, index)
    if errors:
        raise invalid(errors)


async def _check_providers(factory: RunFactory, new: NewRun) -> dict[UUID, ProviderSnapshot]:
    named = {"judge.provider_id": new.judge.provider_id} | {
        f"targets.{index}.provider_id": target.provider_id for index, target in enumerate(new.targets)
    }
    found = await factory.providers(set(named.values()))
    errors = [
        FieldError(field, f"there is no provider {id_}; GET /api/providers lists those there are")
        for field, id_ in named.items()
        if id_ not in found
    ]
    if errors:
        raise invalid(errors)
    return found


async def _check_collections(factory: RunFactory, ids: Sequence[UUID]) -> None:
    found = await factory.collections(ids)
    errors = []
    for index, id_ in enumerate(ids):
        field = f"collection_ids.{index}"
        if id_ not in found:
            errors.append(FieldError(field, f"there is no collection {id_}; see GET /api/collections"))
        elif found[id_].task_count == 0:
            errors.append(FieldError(field, f"the collection '{found[id_].name}' is empty: assign tasks to it first"))
        elif id_ in ids[:index]:
            errors.append(FieldError(field, "this collection is named twice"))
    if errors:
        raise invalid(errors)


async def refuse_second_run(factory: RunFactory) -> None:
    """Raises a 409 `Problem` naming the active run, if there is one."""
    if await factory.active_run() is not None:
        raise await second_run(factory)


async def second_run(factory: RunFactory) -> Problem:
    """The 409 for a run that would be active beside another."""
    active = await factory.active_run()
    if active is None:
        return Problem(409, "A run is active", "Another run was active at the same moment. Try again.")
    id_, name = active
    return Problem(
        409,
        "A run is active",
        f"Only one run is active at a time, and '{name}' ({id_}) is. Pause or cancel it, or wait for its end.",
        extra={"active_run_id": str(id_)},
    )


async def _check_models(directory: ModelDirectory, new: NewRun, providers: dict[UUID, ProviderSnapshot]) -> None:
    """A dead provider, a wrong key and a model that does not exist are found now, not after the
    run has begun."""
    listed = dict(
        zip(
            providers,
            await asyncio.gather(*(directory.list_models(provider) for provider in providers.values())),
            strict=True,
        )
    )
    chosen = [("judge", new.judge.provider_id, new.judge.model)] + [
        (f"targets.{index}", target.provider_id, target.model) for index, target in enumerate(new.targets)
    ]
    errors = []
    for where, provider_id, model in chosen:
        answer, name = listed[provider_id], providers[provider_id].name
        if answer.problem is not None:
            errors.append(FieldError(f"{where}.provider_id", f"{name}: {answer.problem}"))
        elif answer.supported and not _offers(answer.models, model):
            offered = ", ".join(answer.models[:10]) or "none"
            more = f" and {len(answer.models) - 10} more" if len(answer.models) > 10 else ""
            errors.append(FieldError(f"{where}.model", f"{name} has no model '{model}'; it has {offered}{more}"))
    if errors:
        raise invalid(errors)


def _offers(models: Sequence[str], model: str) -> bool:
    # Ollama lists `llama3:latest` for what everybody calls `llama3`.
    return model in models or f"{model}:latest" in models


def invalid(errors: Sequence[FieldError]) -> Problem:
    detail = "; ".join(f"{error.field}: {error.message}" for error in errors[:5])
    return Problem(422, "Invalid run", detail, errors=errors)
