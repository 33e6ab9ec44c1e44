"""What one evaluation and a batch have in common: who is asked, what is checked, what the run is.

An evaluation is a run like any other but for its targets: nobody is called for its answers, so its items begin
where others are when they have been answered (docs/decisions/0014).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.run_words import RunType
from llmbench.errors import FieldError
from orchestrator.domain.evaluation import Answerer
from orchestrator.domain.new_run import Idempotency, Judge, NewEvaluator, NewRun
from orchestrator.domain.placement import Active
from orchestrator.domain.self_judging import Contestant, Warning
from orchestrator.handlers.choose_evaluators import EvaluatorCatalogue, check_judges, check_panels, resolve, used_judges
from orchestrator.handlers.choose_metrics import Asked, asks_judge, choose_judge, wanted
from orchestrator.handlers.create_run import DatasetVersionFound, ModelDirectory
from orchestrator.handlers.refusal import invalid
from orchestrator.ports.evaluation_inputs import CreateBatch, Metadata
from orchestrator.ports.evaluations import MetricCatalogue, NewEvaluation

_MAX_ATTEMPTS = 3
_MOST_TURNS = 10
_MAX_BACKOFF_S = 1800.0
_ONE_BACKOFF_S = 60.0
GIVEN = "given outputs"


class EvaluationFactory(Protocol):
    """What creating an evaluation needs of the database."""

    async def every_provider(self) -> Mapping[UUID, ProviderSnapshot]: ...

    async def dataset_versions(self, ids: Sequence[UUID]) -> dict[UUID, DatasetVersionFound]: ...

    async def active(self) -> Active | None:
        """The run in the one place of an active run, with its models."""
        ...

    async def evaluate(self, new: NewEvaluation, now: datetime) -> UUID:
        """One transaction. Raises `ActiveRunExists`, `KeyTaken`, or a 422 `Problem` naming the outputs at fault."""
        ...

    async def run_of_key(self, idempotency: Idempotency) -> UUID | None: ...


@dataclass(frozen=True)
class Asking:
    """Whom creating an evaluation asks."""

    factory: EvaluationFactory
    directory: ModelDirectory
    catalogue: EvaluatorCatalogue
    metrics: MetricCatalogue


@dataclass(frozen=True)
class Created:
    """`secret` is there when it was made here."""

    run_id: UUID
    secret: str | None = None


@dataclass(frozen=True)
class Checked:
    evaluators: Sequence[NewEvaluator]
    judges: Mapping[str, Judge]
    providers: Mapping[UUID, ProviderSnapshot]


async def done_already(at: Asking, idempotency: Idempotency | None) -> Created | None:
    run_id = None if idempotency is None else await at.factory.run_of_key(idempotency)
    return None if run_id is None else Created(run_id)


async def made_meanwhile(at: Asking, idempotency: Idempotency | None) -> Created:
    done = await done_already(at, idempotency)
    assert done is not None, "the key was taken by a run that is there"
    return done


async def checked_of(at: Asking, body: Asked) -> Checked:
    known = await at.metrics.list()
    providers = await at.factory.every_provider()
    # What there is not is told before any provider is asked for a judge.
    wanted(body, known, None)
    judge = await choose_judge(at.directory, providers, body.config) if asks_judge(body, known) else None
    choices = wanted(body, known, judge)
    evaluators = await resolve(at.catalogue, choices)
    if not any(one.weight for one in evaluators):
        raise invalid([FieldError("evaluators", "at least one needs a weight above 0")], "evaluation")
    judges = used_judges(choices, evaluators)
    unknown = [
        FieldError(f"{field}.provider_id", f"there is no provider {one.provider_id}")
        for field, one in judges.items()
        if one.provider_id not in providers
    ]
    if unknown:
        raise invalid(unknown, "evaluation")
    return Checked(evaluators, judges, {id_: providers[id_] for id_ in {one.provider_id for one in judges.values()}})


def run_of(
    body: Asked,
    checked: Checked,
    type_: RunType,
    *,
    name: str,
    idempotency: Idempotency | None,
) -> NewRun:
    judges = list(checked.judges.values())
    version = body.dataset_version_id if isinstance(body, CreateBatch) else None
    return NewRun(
        name=name[:255],
        description=None,
        tags=[],
        baseline_run_id=None,
        max_cost_usd=body.max_cost_usd,
        judge=judges[0] if judges and all(one == judges[0] for one in judges) else None,
        evaluators=[],
        targets=[],
        collection_ids=[],
        dataset_version_ids=[version] if version else [],
        concurrency=max((one.concurrency for one in judges), default=1),
        timeout_s=body.config.timeout_s,
        max_attempts=_MAX_ATTEMPTS,
        max_backoff_s=_ONE_BACKOFF_S if type_ == RunType.SINGLE else _MAX_BACKOFF_S,
        max_conversation_history=_MOST_TURNS,
        show_choices=True,
        check_providers=False,
        allow_self_judging=True,
        idempotency=idempotency,
        type=type_,
        evaluation={"metadata": body.metadata.model_dump(exclude_none=True)},
    )


def label(metadata: Metadata) -> str:
    if metadata.model_name is None:
        return GIVEN
    return f"{metadata.model_name} {metadata.model_version}" if metadata.model_version else metadata.model_name


def answerer(metadata: Metadata) -> Answerer:
    return Answerer(label(metadata)[:120], metadata.model_name or GIVEN, metadata.model_provider or "given")


def warnings(metadata: Metadata, checked: Checked) -> list[Warning]:
    """A judge of the answers' own family favours them; that it is the very model cannot be known."""
    of_panels = check_panels(checked.evaluators)
    if metadata.model_name is None:
        return of_panels
    contestant = Contestant(label(metadata), None, metadata.model_name)
    return [*of_panels, *check_judges(checked.judges, [contestant], allow_self_judging=True)]
