"""Complete records of a run for tests of the domain; defaults fill the fields that a test does not set."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from llmbench.contracts.case import Case
from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.outcome import CallFigures
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.run_words import GroupStatus, ItemStatus, RunPhase, RunStatus
from llmbench.ids import DEFAULT_ORG_ID, new_id
from orchestrator.kernel.domain.records import Group, Item, Lane, Run

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
PROVIDER = ProviderSnapshot(
    provider_id=UUID(int=7),
    name="local",
    type="OLLAMA",
    base_url="http://127.0.0.1:11434",
    models_endpoint="/api/tags",
    inference_endpoint="/api/chat",
)
CASE = Case(id=UUID(int=8), task_id="sum-1", category="math", question="1 + 1?")


def a_run(**changes: Any) -> Run:
    """Return a running run; `changes` replace its fields."""
    run = Run(
        id=new_id(),
        org_id=DEFAULT_ORG_ID,
        name="a run",
        concurrent=False,
        status=RunStatus.RUNNING,
        phase=RunPhase.BENCHMARKING,
        outcome=None,
        status_reason=None,
        timeout_s=60,
        max_attempts=3,
        max_backoff_s=60,
        max_conversation_history=10,
        show_choices=True,
        parallel_groups=1,
        item_count=0,
        answered_count=0,
        judged_count=0,
        failed_count=0,
        warnings=[],
        max_cost_usd=None,
        cost_usd=0.0,
        unpriced_count=0,
        last_seq=0,
        traceparent=None,
        started_at=NOW,
        finished_at=None,
    )
    return replace(run, **changes)


def a_group(**changes: Any) -> Group:
    """Return a group; `changes` replace its fields."""
    group = Group(
        id=new_id(),
        phase=RunPhase.BENCHMARKING,
        position=0,
        lane=Lane(PROVIDER, model="llama3", token="local-llama3"),
        concurrency=1,
        releases=True,
        status=GroupStatus.WAITING,
        dispatch=0,
        warm_up_attempts=0,
        call_in_flight=False,
        local_host=None,
        new_count=0,
        in_flight_count=0,
        done_count=0,
        failed_count=0,
        backoff_since=None,
        backoff_until=None,
        backoff_count=0,
        backoff_reason=None,
        suspect_id=None,
        out_of_credit_reason=None,
        failure_reason=None,
        failure_cause=None,
        opened_at=None,
        closed_at=None,
    )
    return replace(group, **changes)


def an_item(**changes: Any) -> Item:
    """Return an item; `changes` replace its fields."""
    item = Item(
        id=new_id(),
        group_id=UUID(int=1),
        given_answer=None,
        target_id=UUID(int=2),
        target_label="llama3",
        model="llama3",
        params=SamplingParams(),
        timeout_s=60,
        max_attempts=3,
        use_cache=False,
        position=0,
        epoch=1,
        case=CASE,
        status=ItemStatus.NEW,
        dispatch=0,
        attempts=0,
        next_attempt_at=None,
        call_id=None,
        failure=None,
        figures=CallFigures(),
        answer_kind=None,
        score_revision_id=None,
        score=None,
        score_normalised=None,
        passed=None,
        reason=None,
        completed_at=None,
    )
    return replace(item, **changes)
