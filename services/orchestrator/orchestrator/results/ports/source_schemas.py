"""The schemas of the sources of a run's cases: a dataset version, a suite, a sample."""

from typing import Literal
from uuid import UUID

from pydantic import BaseModel


class CollectionRef(BaseModel):
    id: UUID
    name: str


class DatasetVersionRef(BaseModel):
    """A dataset version with the name that it had when the run was created. It may have been deleted since."""

    version_id: UUID
    dataset_id: UUID
    name: str
    version_number: int


class SuiteRef(BaseModel):
    """The suite of a run, as it was when the run was created. `GET /api/runs/{id}/suite` has its scores."""

    suite_id: UUID
    name: str
    version_number: int


class SampleOut(BaseModel):
    """The sample of a run: `taken` of the `of` cases that its sources have with all `tags`.

    `taken` may be larger than `size`, because clusters are never split. Runs with the same seed, strategy and size have
    the same sample of the same cases.
    """

    size: int
    strategy: Literal["random", "stratified"]
    seed: int
    seed_from: Literal["name", "request"]
    tags: list[str] = []
    taken: int
    of: int


class PromptRef(BaseModel):
    """The version of a prompt that a target's questions are rendered with."""

    prompt_id: UUID
    version_id: UUID
    name: str
    number: int
    content_hash: str
