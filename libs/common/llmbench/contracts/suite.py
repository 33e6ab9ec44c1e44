"""The stored form of a suite: config-api writes it, and the orchestrator creates runs from it."""

from enum import StrEnum
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from llmbench.contracts.base import Value
from llmbench.contracts.chat import SamplingParams


class SuiteStatus(StrEnum):
    """The states of a suite's version. A published version never changes, and only published versions run."""

    DRAFT = "DRAFT"
    PUBLISHED = "PUBLISHED"


class Aggregation(StrEnum):
    """The rule by which the scores of tasks become the score of a suite.

    `mean`: each task counts the same. `weighted`: each task counts by its weight. `macro`: each category counts the
    same, and so does each task within its category.
    """

    MEAN = "mean"
    WEIGHTED = "weighted"
    MACRO = "macro"


class TaskSample(Value):
    """A sample of a task's cases. By default, the seed is derived from the names of the suite and of the task."""

    size: int
    strategy: Literal["random", "stratified"] = "random"
    seed: int | None = None


class TaskEvaluator(Value):
    """An evaluator of a task. It has the fields of an evaluator of a run, but no judge: a run names the judge.

    `needs_judge` is true if the evaluator asks a model.
    """

    kind: str
    name: str | None = None
    params: dict[str, Any] = Field(default_factory=dict)
    weight: float = 1.0
    required: bool = True
    pass_threshold: float | None = None
    needs_judge: bool = False


class TaskGate(Value):
    """A condition for starting a task. For the same target, another task, named `task`, needs a score of at least
    `min_score`, from 0 to 1."""

    task: str
    min_score: float


class SuiteTask(Value):
    """A task of a suite. It has either a `dataset_version_id` or a `collection_id`; `source_name` is the name of that
    dataset or collection, and `source_version` the number of the version.

    Without evaluators, checks score the cases that have checks, and the rubric scores the others. The task waits for
    the tasks in `after`, and is skipped unless every gate passes.
    """

    name: str
    category: str
    dataset_version_id: UUID | None = None
    collection_id: UUID | None = None
    source_name: str
    source_version: int | None = None
    sample: TaskSample | None = None
    evaluators: tuple[TaskEvaluator, ...] = ()
    params: SamplingParams = Field(default_factory=SamplingParams)
    epochs: int = 1
    weight: float = 1.0
    after: tuple[str, ...] = ()
    gate: tuple[TaskGate, ...] = ()
    estimated_seconds: float | None = None

    def waits_for(self) -> tuple[str, ...]:
        """Return the names of the tasks that run before this one: those in `after`, and those that the gates name."""
        return tuple(dict.fromkeys((*self.after, *(gate.task for gate in self.gate))))


class SuiteDefinition(Value):
    """The part of a suite's version that decides what its runs do."""

    aggregation: Aggregation = Aggregation.MEAN
    tasks: tuple[SuiteTask, ...]
