"""Decide the verdicts of finished runs in a loop.

A run is due from the transaction that ends it until the transaction that stores its verdict. So no verdict is lost if
the process is killed in between: another process, or the restarted one, decides it. If two processes decide the same
verdict, the second one stores nothing.
"""

import asyncio
import logging
from functools import partial
from uuid import UUID

from llmbench.organisation import working_for
from orchestrator.baselines.handlers.check_judge import JudgeChecks
from orchestrator.baselines.handlers.judge_run import judge_run
from orchestrator.baselines.ports.store import VerdictStore
from orchestrator.comparison.ports.comparison import ComparisonReader
from orchestrator.results.ports.queries import RunReader
from orchestrator.runs.handlers.leadership import Leadership
from orchestrator.runs.handlers.record_verdict import record_verdict

_log = logging.getLogger(__name__)

AT_ONCE = 100
LOOK_EVERY_S = 15.0


class Verdicts:
    def __init__(
        self,
        store: VerdictStore,
        reader: ComparisonReader,
        runs: RunReader,
        leadership: Leadership,
        judge_checks: JudgeChecks,
    ) -> None:
        self._store = store
        self._judge_checks = judge_checks
        self._reader = reader
        self._runs = runs
        self._leadership = leadership
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Make the loop search for due runs now, without waiting any longer, because a run may have ended."""
        self._woken.set()

    async def run(self) -> None:
        """Decide the verdicts of due runs until cancelled. Errors, for instance of the database, are logged, and the
        loop continues."""
        while True:
            self._woken.clear()
            try:
                await self.decide_due()
            except Exception as error:  # noqa: BLE001  # the loop tries again
                _log.warning("due verdicts could not be read: %r", error)
            try:
                async with asyncio.timeout(LOOK_EVERY_S):
                    await self._woken.wait()
            except TimeoutError:
                continue

    async def decide_due(self) -> None:
        """Decide the verdict of each run that is due now.

        A run stays due while its judge check is not finished. If an error prevents a verdict, the error is logged, and
        the run stays due as well.
        """
        for due in await self._store.due(AT_ONCE):
            with working_for(due.org_id):
                try:
                    await self._decide(due.run_id)
                except Exception:  # noqa: BLE001  # a failing run must not stop the others
                    _log.exception("the verdict on run %s could not be decided; trying again", due.run_id)

    async def _decide(self, run_id: UUID) -> None:
        comparison = await self._store.comparison(run_id)
        if comparison is None:
            return
        checks = await self._judge_checks.results(run_id, comparison.gates)
        if checks is None:
            return
        verdict = await judge_run(self._reader, self._runs, run_id, comparison, checks)
        await self._leadership.order(run_id, partial(record_verdict, verdict=verdict, last_seq=comparison.last_seq))
        await self._judge_checks.forget_failed(run_id, checks)
