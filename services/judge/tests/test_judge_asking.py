"""Test the calls of the judge model with small fakes, for timings that a real broker cannot reproduce."""

import asyncio
import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import UUID

import pytest
from judge_world import GOOD, answered, command

from judge.evaluators.base import RunPaused
from judge.handlers.asking import JudgeCaller
from judge.handlers.judge_answer import judge_answer
from judge.ports import Command, NotSent
from llmbench.contracts.answer_scored import Errored, Scored
from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.outcome import Cost, NotStarted, Outcome, Rejected, TimedOut
from llmbench.contracts.run_state import RunGate
from llmbench.errors import MessageTooLarge


class Gates:
    """A fake of the port `Gates`: the judge's copy of the gates has the value `known`, and the NATS bucket the value
    `confirmed`."""

    def __init__(self, known: RunGate, confirmed: RunGate | None = None) -> None:
        self._known = known
        self._confirmed = confirmed or known
        self._never: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def known(self, run_id: UUID) -> RunGate:
        return self._known

    async def confirmed(self, run_id: UUID) -> RunGate:
        self._known = self._confirmed
        return self._confirmed

    def changed(self) -> "asyncio.Future[None]":
        return self._never


class Calls:
    """A fake `Calls` that answers each command with `outcome`, after `failures` failed attempts to send it."""

    def __init__(self, outcome: Outcome, failures: int = 0) -> None:
        self._outcome = outcome
        self._failures = failures
        self._never: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting: dict[UUID, asyncio.Future[CallFinished]] = {}

    @contextlib.contextmanager
    def expect(self, call_id: UUID) -> Iterator["asyncio.Future[CallFinished]"]:
        self._waiting[call_id] = asyncio.get_running_loop().create_future()
        yield self._waiting[call_id]

    async def send(self, command: Command) -> None:
        if self._failures:
            self._failures -= 1
            raise NotSent("busy")
        known = command.model_dump(include={"call_id", "run_id", "group_id", "purpose", "dispatch"})
        self._waiting[command.call_id].set_result(
            CallFinished(**known, outcome=self._outcome, finished_at=datetime.now(UTC))
        )

    async def complete_text(self, call_id: UUID) -> str | None:
        raise AssertionError("not truncated")

    def revived(self) -> "asyncio.Future[None]":
        return self._never


async def test_gate_known_as_closed_is_checked_again() -> None:
    """The judge looks into the NATS bucket if its own copy of the gates shows a closed gate, and calls the model if the
    gate is open there. After a resume, a command may arrive before the judge's copy has changed."""
    scored = await judge_answer(
        command(), calls=Calls(answered(GOOD)), gates=Gates(RunGate.CLOSED, RunGate.OPEN), patience_s=60
    )
    assert scored is not None
    assert isinstance(scored.verdict, Scored)


async def test_not_started_call_of_a_paused_run_is_reported_as_not_started() -> None:
    scored = await judge_answer(
        command(), calls=Calls(NotStarted()), gates=Gates(RunGate.OPEN, RunGate.CLOSED), patience_s=60
    )
    assert scored.verdict == Errored(failure=NotStarted())


async def test_gate_that_closes_before_the_first_call_stops_the_scoring() -> None:
    class Closing(Gates):
        """A gate that is open at the first check and closed from then on."""

        def known(self, run_id: UUID) -> RunGate:
            before, self._known = self._known, RunGate.CLOSED
            return before

    calls = Calls(answered(GOOD), failures=99)
    async with asyncio.timeout(90):
        scored = await judge_answer(command(), calls=calls, gates=Closing(RunGate.OPEN, RunGate.CLOSED), patience_s=60)
    assert scored.verdict == Errored(failure=NotStarted())


async def test_closed_gate_stops_further_calls() -> None:
    caller = JudgeCaller(command(), calls=Calls(answered(GOOD)), gates=Gates(RunGate.CLOSED), patience_s=60)
    with pytest.raises(RunPaused):
        await caller.require_open()


async def test_command_that_the_broker_refused_is_sent_again() -> None:
    scored = await judge_answer(
        command(), calls=Calls(answered(GOOD), failures=1), gates=Gates(RunGate.OPEN), patience_s=60
    )
    assert scored is not None
    assert isinstance(scored.verdict, Scored)
    assert len(scored.call_ids) == 1


async def test_prompt_too_large_for_the_broker_is_a_context_overflow() -> None:
    class TooSmall(Calls):
        async def send(self, command: Command) -> None:
            raise MessageTooLarge(subject="s", size_bytes=9, limit_bytes=8)

    scored = await judge_answer(command(), calls=TooSmall(answered(GOOD)), gates=Gates(RunGate.OPEN), patience_s=60)
    assert scored is not None
    assert isinstance(scored.verdict, Errored)
    assert isinstance(scored.verdict.failure, Rejected)
    assert scored.verdict.failure.cause == "context_overflow"


@pytest.mark.parametrize(
    ("outcomes", "cost_usd", "unpriced"),
    [
        ([{"cost": Cost(usd=0.25, source="list_price")}], 0.25, 0),
        ([{}], None, 1),
        ([{"preview": "no verdict", "cost": Cost(usd=0.25, source="reported")}, {}], 0.25, 1),
        ([{"preview": "no verdict", "cost": Cost(usd=0.25, source="reported")}, {"cached": True}], 0.25, 0),
        ([{"cached": True}], 0.0, 0),
    ],
)
async def test_costs_of_the_judges_calls_are_added_up(
    outcomes: list[dict[str, object]], cost_usd: float | None, unpriced: int
) -> None:
    replies = [answered(GOOD).model_copy(update=update) for update in outcomes]

    class Priced(Calls):
        async def send(self, command: Command) -> None:
            self._outcome = replies.pop(0)
            await super().send(command)

    scored = await judge_answer(command(), calls=Priced(NotStarted()), gates=Gates(RunGate.OPEN), patience_s=60)
    assert isinstance(scored.verdict, Scored)
    assert (scored.cost_usd, scored.unpriced_calls) == (cost_usd, unpriced)


async def test_failed_call_has_no_known_cost() -> None:
    scored = await judge_answer(
        command(), calls=Calls(TimedOut(message="late")), gates=Gates(RunGate.OPEN), patience_s=60
    )
    assert (scored.cost_usd, scored.unpriced_calls) == (None, 0)
