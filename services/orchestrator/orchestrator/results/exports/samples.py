"""Define a sample run of two items. The first item has an answer with hostile content, the second one failed.

`docs/generated/exports.md` shows the output of each format for this run.
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from llmbench.contracts.case import Case
from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.outcome import FIGURES, CallFigures
from llmbench.contracts.run_words import ClusterLevel, ItemStatus, RunOutcome, RunPhase, RunStatus, RunType, ScoreStatus
from orchestrator.kernel.domain.records import Item
from orchestrator.results.ports.figure_schemas import Figures, TargetResult
from orchestrator.results.ports.queries import ExportLine, ExportResults, ExportRow, ExportScore, ItemFilter, PlainScore
from orchestrator.results.ports.schemas import EvaluatorRef, JudgeOut, RunCounts, RunSummary, TargetOut

_AT = datetime(2026, 1, 1, 12, tzinfo=UTC)
_NOTE = "temperature 0.0 was not sent: the model refuses it and uses its own default."
_FIGURES = CallFigures(
    time_ms=412,
    first_token_ms=35,
    first_content_ms=35,
    prompt_tokens=31,
    completion_tokens=22,
    usage_source="reported",
    tokens_per_second=58.3,
    finish_reason="stop",
    cost_usd=0.00012,
)
_URL = "http://127.0.0.1:11434/v1/chat/completions"


def _item(position: int, status: ItemStatus, task_id: str, question: str) -> Item:
    done = status == ItemStatus.COMPLETED
    failure = ItemFailure(
        phase=RunPhase.BENCHMARKING,
        kind="timed_out",
        message="no answer within 60 s",
        retryable=True,
        cause="timed_out",
    )
    return Item(
        id=UUID(int=10 + position),
        group_id=UUID(int=2),
        given_answer=None,
        target_id=UUID(int=3),
        target_label="small, t=0",
        model="small",
        params=SamplingParams(temperature=0),
        timeout_s=60,
        max_attempts=3,
        use_cache=False,
        position=position,
        epoch=1,
        case=Case(
            id=UUID(int=20 + position), task_id=task_id, category="arithmetic", question=question, excellent="42"
        ),
        status=status,
        dispatch=1,
        attempts=1,
        next_attempt_at=None,
        call_id=UUID(int=30) if done else None,
        failure=None if done else failure,
        figures=_FIGURES if done else CallFigures(),
        answer_kind="text" if done else None,
        score_revision_id=UUID(int=4) if done else None,
        score=3.0 if done else None,
        score_normalised=0.3 if done else None,
        passed=False if done else None,
        reason="The sum is wrong." if done else None,
        completed_at=_AT if done else None,
    )


def _score(
    evaluator: EvaluatorRef, *, raw: float, normalised: float, reason: str, time_ms: float | None = None, **details: Any
) -> ExportScore:
    return ExportScore(
        evaluator=evaluator.name,
        evaluator_revision_id=evaluator.revision_id,
        judge_model=evaluator.judge_model,
        primary=True,
        whole=True,
        status=ScoreStatus.SCORED,
        outcome="scored",
        raw=raw,
        normalised=normalised,
        passed=False,
        reason=reason,
        error=None,
        kind=evaluator.kind,
        time_ms=time_ms,
        details=details,
    )


RUBRIC = EvaluatorRef(
    name="rubric",
    title="Rubric",
    kind="rubric",
    revision_id=UUID(int=4),
    judge_provider_id=UUID(int=5),
    judge_model="judge",
    weight=1,
    required=True,
    pass_threshold=None,
    scale_min=0,
    scale_max=10,
    whole=True,
    primary=True,
    member=False,
    panel=None,
)
CONTAINS = RUBRIC.model_copy(
    update={
        "name": "the sum",
        "title": "Contains",
        "kind": "contains",
        "revision_id": UUID(int=6),
        "judge_provider_id": None,
        "judge_model": None,
        "weight": 0.0,
        "scale_max": 1.0,
    }
)


@dataclass(frozen=True)
class Given:
    """An `ExportSource` that yields sample lines instead of the lines of a stored run. Each chunk of rows has one
    row."""

    given: Iterable[ExportLine]
    of_run: ExportResults = field(default_factory=lambda: RESULTS)
    items: ItemFilter = field(default_factory=ItemFilter)

    async def lines(self, *, with_turns_before: bool = False, worst_first: bool = False) -> AsyncIterator[ExportLine]:
        for line in self.given:
            yield line

    async def busy_s(self) -> Mapping[UUID | None, float]:
        return {None: 0.8, UUID(int=3): 0.8}

    async def ranking(self) -> str | None:
        return None

    async def results(self) -> ExportResults:
        return self.of_run

    async def rows(self, columns: Sequence[str]) -> AsyncIterator[Sequence[ExportRow]]:
        for line in self.given:
            yield [ExportRow([_value(line, name) for name in columns], [_plain(line, score) for score in line.scores])]


def _value(line: ExportLine, column: str) -> Any:
    item = line.item
    prefix, _, part = column.partition("_")
    if prefix == "failure" and part:
        return item.failure and getattr(item.failure, part)
    match column:
        case "answer":
            return line.answer
        case "reasoning":
            return line.reasoning
        case "notes":
            return [] if line.answer is None else [_NOTE]
        case "redactions":
            return 0
        case "system_prompt":
            return item.params.system_prompt
        case "case":
            return item.case.model_dump(mode="json")
        case "failure":
            return item.failure and item.failure.model_dump(mode="json")
        case "task_id" | "category" | "subcategory" | "question" | "conversation_id" | "turn" | "suite_task":
            return getattr(item.case, column)
        case _:
            return getattr(item.figures if column in FIGURES else item, column)


def _plain(line: ExportLine, score: ExportScore) -> PlainScore:
    same = (getattr(score, name) for name in PlainScore._fields[2:])
    return PlainScore(line.item.id, score.evaluator, *same)


_READ = {
    "answer": None,
    "answer_rule": "contained",
    "reference": "=“42”",
    "reference_rule": "any of the texts",
}
LINES = (
    ExportLine(
        _item(0, ItemStatus.COMPLETED, "sum-1", "What is 17 + 25?"),
        url=_URL,
        started_at=_AT,
        finished_at=_AT + timedelta(milliseconds=412),
        answer='=HYPERLINK("http://x")\n<b>41</b>',
        scores=[
            _score(RUBRIC, raw=3, normalised=0.3, reason="The sum is wrong.", time_ms=342),
            _score(CONTAINS, raw=0, normalised=0, reason="'42' is not in it.", extraction=_READ),
        ],
    ),
    ExportLine(_item(1, ItemStatus.FAILED, "sum-2", "And 40 + 2?"), answer=None, url=_URL),
)
RUN = RunSummary(
    type=RunType.BENCHMARK,
    id=UUID(int=1),
    name="Sums",
    description=None,
    tags=["nightly"],
    baseline_run_id=None,
    warnings=[],
    cluster_by=None,
    cluster_level=ClusterLevel.CASE,
    max_cost_usd=None,
    cost_usd=0.00012,
    unpriced_calls=0,
    status=RunStatus.FINISHED,
    phase=RunPhase.JUDGING,
    outcome=RunOutcome.PARTIAL,
    status_reason=None,
    judge=JudgeOut(provider_id=UUID(int=5), provider_name="Mock", model="judge", params=SamplingParams(temperature=0)),
    evaluators=[RUBRIC, CONTAINS],
    targets=[
        TargetOut(
            id=UUID(int=3),
            label="small, t=0",
            provider_id=UUID(int=5),
            provider_name="Mock",
            model="small",
            params=SamplingParams(temperature=0),
            epochs=1,
            timeout_s=60,
            max_attempts=3,
            use_cache=False,
        )
    ],
    collections=[],
    dataset_versions=[],
    counts=RunCounts(items=2, answered=1, judged=1, failed=1),
    created_at=_AT,
    started_at=_AT,
    reopened_at=None,
    finished_at=_AT,
    took_s=0,
    mean_score=0.3,
)
_RESULT = Figures(
    items=2,
    completed=1,
    failed=1,
    scored=1,
    clusters=1,
    mean_score=0.3,
    mean_score_interval=None,
    pass_rate=0.0,
    pass_rate_interval=None,
    timed=1,
    cached=0,
    mean_time_ms=412,
    p50_time_ms=412,
    p95_time_ms=412,
    p99_time_ms=412,
    mean_first_token_ms=35,
    p50_first_token_ms=35,
    p95_first_token_ms=35,
    p99_first_token_ms=35,
    mean_tokens_per_second=58.3,
    busy_s=0.8,
    requests_per_second=1.25,
    system_tokens_per_second=27.5,
    prompt_tokens=31,
    completion_tokens=22,
    reasoning_tokens=0,
    estimated_usage=0,
    cut=0,
    priced=1,
    cost_usd=0.00012,
)
RESULTS: ExportResults = ExportResults(
    totals=_RESULT,
    targets=[
        TargetResult(**dict(_RESULT), target_id=UUID(int=3), label="small, t=0", model="small", passes=[]),
    ],
    warnings=[],
)
