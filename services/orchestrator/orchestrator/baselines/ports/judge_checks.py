"""The port to judge checks: runs in which stored answers of a baseline are judged again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.run_words import RunStatus
from orchestrator.baselines.domain.judge_drift import JudgedAgain
from orchestrator.runs.domain.schedule import Model


@dataclass(frozen=True)
class SharedJudge:
    """An evaluator that asks a judge, is primary in the baseline (or anchor), and is an evaluator of the new run as
    well. `models` are the models that the evaluator asks: several for a panel. `task` is the task of a suite to which
    the evaluator belongs."""

    revision_id: UUID
    slot: str
    task: str | None
    weight: float
    models: Sequence[Model]


@dataclass(frozen=True)
class NewCheck:
    """A judge check to create, because the run `run_id` has ended and its gates need the check. It judges stored
    answers of the run `source_run_id` again.

    `concurrent` is true if the check may start next to the active run. `kept` has the models that the active run uses
    as well, each with its concurrency in the active run.
    """

    run_id: UUID
    source_run_id: UUID
    judges: Sequence[SharedJudge]
    concurrent: bool
    kept: dict[Model, int]


@dataclass(frozen=True)
class CheckState:
    """The state of a judge check, and the scores of its answers so far. Answers without a score are left out."""

    check_run_id: UUID
    status: RunStatus
    reason: str | None
    answers: Sequence[JudgedAgain]


class JudgeCheckStore(Protocol):
    async def shared_judges(self, run_id: UUID, source_run_id: UUID) -> Sequence[SharedJudge]: ...

    async def judged_answers(self, source_run_id: UUID, judges: Sequence[SharedJudge]) -> int:
        """Return the number of stored answers that a check would judge again."""
        ...

    async def providers(self, ids: set[UUID]) -> dict[UUID, ProviderSnapshot]:
        """Return the existing providers with these ids, by id. An id without a provider is left out."""
        ...

    async def state(self, run_id: UUID, source_run_id: UUID) -> CheckState | None:
        """Return the state of the check that judges answers of the run `source_run_id`. Only a check that was begun
        since the run `run_id` last ended counts; return `None` without one."""
        ...

    async def begin(self, new: NewCheck) -> bool:
        """Create the check in one transaction. Return `False` if there are too few stored answers.

        If another process has created it meanwhile, nothing happens. Raises a 409 `Problem` if a judge's provider was
        deleted.
        """
        ...

    async def forget(self, run_id: UUID) -> None:
        """Let the next decision of the run's gates begin new checks. The runs of the checks stay."""
        ...
