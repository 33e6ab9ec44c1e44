"""Test that a report which changes no state waits for other reports, and is applied in one transaction with them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast
from uuid import UUID

import pytest

from llmbench.contracts.answer_scored import AnswerScored
from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.generate_completion import Purpose
from orchestrator.runs.handlers.leadership import Leadership
from orchestrator.runs.ports.all_runs import AllRuns
from orchestrator.runs.ports.lanes import Lanes
from orchestrator.runs.ports.store import RunStore
from orchestrator.runs.ports.transaction import RunTransaction

pytestmark = pytest.mark.never_rerun


class CountingStore:
    """A store without runs, which counts the calls of its method `lead`."""

    def __init__(self) -> None:
        self.led = 0

    @asynccontextmanager
    async def lead(self, run_id: UUID) -> AsyncIterator[RunTransaction | None]:
        self.led += 1
        yield None


async def test_report_without_a_state_change_waits_for_the_next_report() -> None:
    store = CountingStore()
    leadership = Leadership(cast(RunStore, store), cast(AllRuns, None), cast(Lanes, None))
    scored = AnswerScored.model_validate(AnswerScored.EXAMPLES[0])
    call = CallFinished.model_validate(CallFinished.EXAMPLES[0]).model_copy(
        update={"purpose": Purpose.SCORE, "run_id": scored.run_id}
    )
    await asyncio.gather(leadership.report(call), leadership.report(call), leadership.report(scored))
    assert store.led == 1
    # A report that changes no state is applied a little later if no other report comes.
    await leadership.report(call)
    assert store.led == 2
    # A report that changes a state is applied at once.
    await leadership.report(call.model_copy(update={"purpose": Purpose.ITEM}))
    assert store.led == 3
