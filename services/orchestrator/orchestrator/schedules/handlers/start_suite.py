"""Start a run of a suite for a schedule, by the request that `POST /v1/benchmarks/runs` takes."""

from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

from llmbench.errors import FieldError
from orchestrator.kernel.domain.new_run import NewRun
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.runs.handlers.commands import CommandParts
from orchestrator.runs.handlers.create_run import check_run, create_run
from orchestrator.schedules.domain.records import Plan, Start
from orchestrator.schedules.handlers.once import once, require_webhook
from orchestrator.schedules.ports.clock import Clock
from orchestrator.suites.domain.requested import RequestedBenchmark
from orchestrator.suites.handlers.plan_benchmark import check_benchmark
from orchestrator.suites.handlers.start_benchmark import new_benchmark
from orchestrator.suites.ports.suites import SuiteReader


class SuiteStarter:
    """Create the runs of schedules that start a suite. It implements the port `Starter`. Each firing runs the newest
    published version of the suite."""

    def __init__(
        self,
        commands: CommandParts,
        suites: SuiteReader,
        read: Callable[[Plan], RequestedBenchmark],
        clock: Clock,
    ) -> None:
        """Create the starter. `read` returns the request for a suite run that a schedule's plan contains, with its
        defaults filled in. It raises a `Problem` if the request is no longer valid."""
        self._commands = commands
        self._suites = suites
        self._read = read
        self._clock = clock

    async def check(self, plan: Plan) -> None:
        at = self._commands
        await check_run(at.factory, at.directory, at.catalogue, await self._new_run(self._read(plan)))

    async def start(self, start: Start) -> UUID:
        at = self._commands
        require_webhook(start.plan)
        # Do not check whether providers answer: a run waits for a provider that is down, and fails with the reason.
        requested = replace(self._read(start.plan), check_providers=False, idempotency=once(start.firing_id))
        new = replace(await self._new_run(requested), schedule_id=start.schedule_id)
        run_id, _ = await create_run(at.factory, at.directory, at.catalogue, new, now=self._clock.now())
        await at.leadership.admit()
        return run_id

    async def _new_run(self, requested: RequestedBenchmark) -> NewRun:
        """Return a run of the suite's newest published version. Raises a 422 `Problem` if no version is published."""
        newest = await self._suites.newest(requested.suite_id)
        if newest is None:
            message = f"no version of the suite of {requested.suite_id} is published, or this version was deleted"
            raise invalid([FieldError("suite_id", message)], "suite run")
        requested = replace(requested, suite_id=newest)
        return await new_benchmark(self._commands, requested, await check_benchmark(self._suites, requested))
