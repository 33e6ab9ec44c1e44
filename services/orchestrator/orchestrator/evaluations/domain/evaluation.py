"""Evaluations: runs whose answers the client supplies. Pure functions sample the answers and report the progress."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from llmbench.contracts.case import Case, GroundTruth
from llmbench.contracts.chat import ChatMessage
from llmbench.contracts.check import Check
from llmbench.contracts.run_words import RunOutcome, RunStatus
from llmbench.files.cases import Case as TestCase
from llmbench.sampling import allocate

NO_CATEGORY = "evaluation"

Strategy = Literal["random", "stratified"]


@dataclass(frozen=True)
class Answerer:
    """The model that gave the answers, as the client describes it. The platform does not call it."""

    label: str
    model: str
    provider_name: str


@dataclass(frozen=True)
class GivenAnswer:
    case: Case
    answer: str


@dataclass(frozen=True)
class Sampling:
    """The parameters by which answers are sampled. `rate` is the share to score, above 0 and at most 1. `stratify_by`
    is the metadata field whose values are the strata. The same seed gives the same sample of the same cases."""

    rate: float
    strategy: Strategy
    stratify_by: str
    seed: int


@dataclass(frozen=True)
class Candidate:
    """The properties of a case that sampling needs.

    `digest` is a hash of the case's content; `stratum` is a value of its metadata. If the case is a turn,
    `conversation` is the id of its conversation, and `turn` its number there.
    """

    digest: bytes
    stratum: str | None
    conversation: str | None = None
    turn: int | None = None


def chosen(candidates: Sequence[Candidate], sampling: Sampling) -> list[int]:
    """Return the indices of the sampled candidates, in ascending order.

    The method is the same as in `POST /v1/datasets/…/sample`: from each stratum, take the share of candidates whose
    hash of seed and content is lowest. A conversation is sampled with all its turns or not at all; its first turn is
    hashed. So the sample may be a little larger than requested.
    """
    if sampling.rate >= 1 or not candidates:
        return list(range(len(candidates)))
    size = max(1, int(len(candidates) * sampling.rate + 0.5))
    strata: dict[str | None, list[list[int]]] = {}
    for together in _together(candidates):
        stratum = candidates[together[0]].stratum if sampling.strategy == "stratified" else None
        strata.setdefault(stratum, []).append(together)
    sizes = allocate({stratum: sum(map(len, units)) for stratum, units in strata.items()}, size)
    seed = str(sampling.seed).encode()

    def rank(together: list[int]) -> tuple[bytes, int]:
        return hashlib.sha256(seed + candidates[together[0]].digest).digest(), together[0]

    indices: list[int] = []
    for stratum, units in strata.items():
        taken = 0
        for together in sorted(units, key=rank):
            if taken >= sizes[stratum]:
                break
            taken += len(together)
            indices += together
    return sorted(indices)


def _together(candidates: Sequence[Candidate]) -> list[list[int]]:
    """Return the indices of the candidates in groups. A group is sampled entirely or not at all: the turns of a
    conversation in order, or a single case."""
    units: dict[str | int, list[int]] = {}
    for index, candidate in enumerate(candidates):
        units.setdefault(index if candidate.conversation is None else candidate.conversation, []).append(index)
    return [sorted(places, key=lambda place: candidates[place].turn or 0) for places in units.values()]


def case_from(found: TestCase, id: UUID) -> Case:
    """Convert a test case that was read from a file or request to the form in which runs store cases. `id` becomes its
    id."""
    truth = dict(found.truth or {})
    rubric: Mapping[str, Any] = truth.get("rubric") or {}
    confident = {"source": found.source, "confidence": found.confidence}
    return Case(
        id=id,
        task_id=found.name,
        category=str(found.metadata.get("category") or "")[:255] or NO_CATEGORY,
        subcategory=str(found.metadata.get("subcategory") or "")[:255] or None,
        question=found.input["prompt"],
        context=found.input.get("context"),
        system_prompt=found.input.get("system_prompt"),
        conversation=tuple(ChatMessage.model_validate(turn) for turn in found.input.get("conversation") or ()),
        conversation_id=found.input.get("conversation_id"),
        turn=found.input.get("turn"),
        expected_output=found.expected_output,
        ground_truth=GroundTruth.model_validate(truth | confident) if truth else None,
        excellent=rubric.get("excellent"),
        good=rubric.get("good"),
        pass_=rubric.get("pass"),
        incorrect_answer_direction=rubric.get("incorrect_answer_direction"),
        metadata=found.metadata,
        checks=tuple(Check.model_validate(check) for check in found.checks),
    )


SingleStatus = Literal["pending", "completed", "failed", "cancelled"]
BatchStatus = Literal["queued", "running", "completed", "failed", "cancelled"]
RunWord = Literal["PENDING", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"]

# `/v1` shows PAUSED as RUNNING, because the run may be resumed at any time.
RUN_WORDS: Mapping[RunStatus, RunWord] = {
    RunStatus.QUEUED: "PENDING",
    RunStatus.PENDING: "PENDING",
    RunStatus.RUNNING: "RUNNING",
    RunStatus.PAUSING: "RUNNING",
    RunStatus.PAUSED: "RUNNING",
    RunStatus.FINISHED: "COMPLETED",
    RunStatus.CANCELLED: "CANCELLED",
}
_BATCH_WORDS: Mapping[RunWord, BatchStatus] = {
    "PENDING": "queued",
    "RUNNING": "running",
    "COMPLETED": "completed",
    "FAILED": "failed",
    "CANCELLED": "cancelled",
}
_SINGLE_WORDS: Mapping[RunWord, SingleStatus] = {
    "PENDING": "pending",
    "RUNNING": "pending",
    "COMPLETED": "completed",
    "FAILED": "failed",
    "CANCELLED": "cancelled",
}


def run_word(status: RunStatus, outcome: RunOutcome | None) -> RunWord:
    """Return the status that `/v1` shows for the run. A run without any COMPLETED item (outcome `failed`) is FAILED."""
    return "FAILED" if outcome == RunOutcome.FAILED else RUN_WORDS[status]


def batch_word(status: RunStatus, outcome: RunOutcome | None) -> BatchStatus:
    return _BATCH_WORDS[run_word(status, outcome)]


def single_word(status: RunStatus, outcome: RunOutcome | None) -> SingleStatus:
    return _SINGLE_WORDS[run_word(status, outcome)]


def expected_end(*, total: int, done: int, started_at: datetime | None, now: datetime) -> datetime | None:
    """Extrapolate from the progress when the run will end. Return `None` before the start, before the first result, and
    after the last."""
    if started_at is None or not 0 < done < total:
        return None
    return now + timedelta(seconds=(now - started_at).total_seconds() / done * (total - done))
