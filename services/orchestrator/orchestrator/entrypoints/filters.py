"""The query parameters that choose runs and items, the same for lists and exports."""

import hashlib
from datetime import UTC, datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import Depends, Header, Query
from pydantic import BaseModel

from llmbench.contracts.outcome import AnswerKind
from llmbench.contracts.run_words import ItemStatus, RunPhase, RunStatus, RunType
from orchestrator.domain.new_run import Idempotency
from orchestrator.ports.queries import ItemFilter, RunFilter

Text = Annotated[str | None, Query(max_length=500)]
Words = Annotated[list[Annotated[str, Query(max_length=255)]] | None, Query(max_length=100)]
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=255,
        description="A text of your choice: the same request sent twice under it does its work once.",
    ),
]


def _run_filter(
    status: Annotated[list[RunStatus] | None, Query()] = None,
    created_from: datetime | None = None,
    created_before: datetime | None = None,
    tag: Words = None,
    type: Annotated[
        list[RunType] | None, Query(description="Left out: all but single evaluations, of which there may be many.")
    ] = None,
    q: Annotated[str | None, Query(max_length=500, description="Part of the name or the description.")] = None,
) -> RunFilter:
    return RunFilter(
        statuses=status or (),
        created_from=aware(created_from),
        created_before=aware(created_before),
        tags=clean(tag),
        types=type or (RunType.BENCHMARK, RunType.BATCH),
        text=clean_text(q),
    )


def _item_filter(  # noqa: PLR0913  # one parameter per field of the query
    status: Annotated[list[ItemStatus] | None, Query()] = None,
    target_id: Annotated[list[UUID] | None, Query(max_length=100)] = None,
    model: Words = None,
    category: Words = None,
    task_id: Text = None,
    conversation_id: Text = None,
    failure_kind: Words = None,
    failure_phase: RunPhase | None = None,
    score_min: Annotated[float | None, Query(description="Raw, on the evaluator's scale.")] = None,
    score_max: float | None = None,
    passed: bool | None = None,
    evaluator: Annotated[
        str | None,
        Query(max_length=60, description="Whose score `score_min`, `score_max`, `passed` and `outcome` mean."),
    ] = None,
    outcome: Annotated[list[Literal["scored", "unparsed", "refused", "errored"]] | None, Query()] = None,
    cached: bool | None = None,
    cut: Annotated[bool | None, Query(description="Whether the answer ended at its token limit.")] = None,
    finish_reason: Words = None,
    answer_kind: Annotated[
        list[AnswerKind] | None, Query(description="What answers are made of: `tool_calls`, `reasoning` …")
    ] = None,
    q: Annotated[str | None, Query(max_length=500, description="In task id, question, answer or reason.")] = None,
) -> ItemFilter:
    return ItemFilter(
        statuses=status or (),
        target_ids=target_id or (),
        models=clean(model),
        categories=clean(category),
        task_id=clean_text(task_id),
        conversation_id=clean_text(conversation_id),
        failure_kinds=clean(failure_kind),
        failure_phase=failure_phase,
        score_min=score_min,
        score_max=score_max,
        passed=passed,
        evaluator=clean_text(evaluator),
        outcomes=outcome or (),
        cached=cached,
        cut=cut,
        finish_reasons=clean(finish_reason),
        answer_kinds=answer_kind or (),
        text=clean_text(q),
    )


ChosenRuns = Annotated[RunFilter, Depends(_run_filter)]
ChosenItems = Annotated[ItemFilter, Depends(_item_filter)]


def idempotency(key: str | None, operation: str, body: BaseModel | None) -> Idempotency | None:
    """The key with a hash of what was asked for under it."""
    if key is None:
        return None
    text = f"{operation}\n{body.model_dump_json() if body else ''}"
    return Idempotency(key, hashlib.sha256(text.encode()).hexdigest())


def aware(moment: datetime | None) -> datetime | None:
    """A time without an offset is in UTC."""
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


def clean(words: list[str] | None) -> tuple[str, ...]:
    return tuple(word.replace("\0", "") for word in words or ())


def clean_text(text: str | None) -> str | None:
    # PostgreSQL takes no NUL, and none is stored anywhere.
    return (text or "").replace("\0", "") or None
