"""Parts of request bodies: the position of a run in the queue, and the sample of its cases."""

from typing import Annotated

from pydantic import Field, model_validator

from orchestrator.kernel.domain.queue import MAX_PRIORITY
from orchestrator.kernel.domain.sample import MAX_SEED, Strategy
from orchestrator.runs.api.input import Input

Priority = Annotated[
    int,
    Field(
        ge=-MAX_PRIORITY,
        le=MAX_PRIORITY,
        description="The place in the queue: higher priorities first, and first in, first out among equals.",
    ),
]


class MoveRun(Input):
    """The request to move a queued run: to a position, or to the end of the runs of a priority."""

    position: int | None = Field(
        default=None,
        ge=1,
        le=1_000_000,
        description="Counted from 1; the end of the queue if there are fewer. The run takes over the priority that "
        "this place needs.",
    )
    priority: Priority | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> "MoveRun":
        if (self.position is None) == (self.priority is None):
            raise ValueError("send either position or priority")
        return self


class SampleChoice(Input):
    """The request to run a sample of the cases instead of all.

    Clusters (documents, conversations, values of `cluster_by`) are never split, so the sample may be a little
    larger. If there are fewer cases, all are taken. Name a size, tags, or both.
    """

    size: int | None = Field(
        default=None, ge=1, le=1_000_000, description="How many cases; by default all that have the tags."
    )
    tags: list[Annotated[str, Field(min_length=1, max_length=255)]] = Field(
        default_factory=list,
        max_length=20,
        description="Only cases with all of these tags, in `metadata.tags`. Of a conversation, one turn has to have "
        "them. Tasks have none.",
    )
    strategy: Strategy = Field(
        default="random", description="`stratified` takes the same share of each category, by largest remainders."
    )
    seed: int | None = Field(
        default=None,
        ge=0,
        le=MAX_SEED,
        description="By default derived from the run's name, so that runs of one name have the same sample. Runs "
        "without a name share one, too.",
    )

    @model_validator(mode="after")
    def _names_something(self) -> "SampleChoice":
        if self.size is None and not self.tags:
            raise ValueError("send a size, tags, or both; without them the run has every case")
        return self
