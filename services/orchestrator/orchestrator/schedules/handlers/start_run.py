"""Start a run for a schedule. The schedule stores the run's request, in the form that `POST /api/runs` takes."""

from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

from orchestrator.kernel.domain.new_run import NewRun
from orchestrator.runs.handlers.commands import CommandParts
from orchestrator.runs.handlers.create_run import check_run, create_run
from orchestrator.schedules.domain.records import Plan, Start
from orchestrator.schedules.handlers.once import once, require_webhook
from orchestrator.schedules.ports.clock import Clock


class RunStarter:
    """Create the runs of schedules that start a single run (not a suite). It implements the port `Starter`."""

    def __init__(self, commands: CommandParts, read: Callable[[Plan], NewRun], clock: Clock) -> None:
        """Create the starter. `read` returns the request of a plan, with its defaults filled in. It raises a `Problem`
        if the request is no longer valid."""
        self._commands = commands
        self._read = read
        self._clock = clock

    async def check(self, plan: Plan) -> None:
        at = self._commands
        await check_run(at.factory, at.directory, at.catalogue, self._read(plan))

    async def start(self, start: Start) -> UUID:
        at = self._commands
        require_webhook(start.plan)
        # Do not check whether providers answer: a run waits for a provider that is down, and fails with the reason.
        new = replace(
            self._read(start.plan),
            check_providers=False,
            schedule_id=start.schedule_id,
            idempotency=once(start.firing_id),
        )
        run_id, _ = await create_run(at.factory, at.directory, at.catalogue, new, now=self._clock.now())
        await at.leadership.admit()
        return run_id
