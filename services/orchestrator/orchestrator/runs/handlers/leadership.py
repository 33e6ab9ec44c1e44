"""Call `lead` for each run after commands, reports and timers, with at most one asyncio task per run.

A report says how a call or a score ended. A transaction with sixteen reports costs about twice as much as a transaction
with one. Reports that arrive while the run's task is busy are therefore applied together. With many calls in flight,
the first reports wait up to `GATHER_S` seconds for more.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID

from llmbench.contracts.answer_scored import AnswerScored, Errored
from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.generate_completion import Purpose
from llmbench.contracts.outcome import Answered
from llmbench.contracts.run_state import RunGate
from llmbench.contracts.run_words import RunStatus
from llmbench.errors import Problem
from llmbench.organisation import bound_organisation, working_for
from orchestrator.kernel.domain.queue import Queued
from orchestrator.runs.domain.pace import Pace
from orchestrator.runs.domain.report_batches import is_batch_due
from orchestrator.runs.handlers.lead import Led, Order, Report, lead
from orchestrator.runs.handlers.orders import admit
from orchestrator.runs.handlers.resend import resend_lost
from orchestrator.runs.ports.all_runs import AllRuns
from orchestrator.runs.ports.lanes import Lanes
from orchestrator.runs.ports.store import ActiveRunExists, Deleted, RunStore

_log = logging.getLogger(__name__)

MAX_BATCH = 200
RECONCILE_EVERY_S = 5.0
RESEND_PATIENCE = timedelta(seconds=3)
GATHER_S = 0.1
"""The time in seconds after which collected reports are applied, even if they are too few for a batch (see
`is_batch_due`)."""


@dataclass
class _Waiting:
    report: Report | None
    order: Order | None
    done: asyncio.Future[Led]


@dataclass
class _Run:
    waiting: list[_Waiting] = field(default_factory=list)
    in_flight: int = 0
    """The number of items and scores in flight after the last call of `lead`."""
    pace: Pace = field(default_factory=Pace)
    task: asyncio.Task[None] | None = None
    timer: asyncio.TimerHandle | None = None
    gathering: asyncio.TimerHandle | None = None


class Leadership:
    def __init__(
        self, store: RunStore, all_runs: AllRuns, lanes: Lanes, *, stopped: Callable[[], None] = lambda: None
    ) -> None:
        """Create the object that calls `lead` for each run. `stopped` is called after each transaction that left a run
        finished, cancelled or paused."""
        self._store = store
        self._all_runs = all_runs
        self._lanes = lanes
        self._stopped = stopped
        # The key is (organisation, run): the task of a run works for the organisation that created it. A command of
        # another organisation with the same run id gets a task of its own, which finds no run.
        self._runs: dict[tuple[UUID | None, UUID], _Run] = {}
        self._ringing: set[asyncio.Task[None]] = set()

    async def report(self, report: Report) -> None:
        """Apply the report of a finished call or score, and return when its effects are committed. A report on an
        unknown run changes nothing. Raises the error that prevented the commit, for instance of the database."""
        await self._submit(report.run_id, report=report)

    async def order(self, run_id: UUID, order: Order) -> bool:
        """Carry out a command on the run. Return `False` if there is no such run.

        Raises the command's own `Problem`, `ActiveRunExists` if a second run would become active, or `KeyTaken` if
        another request has stored the same idempotency key.
        """
        return (await self._submit(run_id, order=order)).found

    async def delete(self, run_id: UUID) -> bool:
        """Delete the run from the database and from NATS. Return `False` if there is no such run. Raises a 409
        `Problem` if the run cannot be deleted (see `RunStore.delete`). An error of NATS is only logged."""
        deleted = await self._store.delete(run_id)
        if deleted is None:
            return False
        await self._forget(deleted)
        return True

    async def delete_all(self, run_ids: Sequence[UUID]) -> Sequence[UUID]:
        """Delete several runs from the database and from NATS. Return the ids of those that existed.

        Raises a 409 `Problem` that names each run which cannot be deleted. No run is deleted then. An error of NATS is
        only logged.
        """
        of_runs = await self._store.delete_all(run_ids)
        for deleted in of_runs:
            await self._forget(deleted)
        return [deleted.run_ids[0] for deleted in of_runs]

    async def _forget(self, deleted: Deleted) -> None:
        try:
            await self._lanes.forget(deleted.run_ids, deleted.lane_tokens)
        except Exception as error:  # noqa: BLE001  # leftovers are unused, and expire
            _log.warning("run %s is deleted, but NATS could not be updated: %r", deleted.run_ids[0], error)

    async def wake(self, run_id: UUID) -> None:
        """Decide and carry out the run's next actions, although there is no command or report. Does nothing for an
        unknown run."""
        await self._submit(run_id)

    async def admit(self) -> None:
        """Start the first run of the organisation's queue, if none of its runs is active. A run that cannot start stays
        queued, and the reason is logged."""
        run_id = await self._store.next_queued()
        if run_id is None:
            return
        try:
            await self.order(run_id, admit)
        except (ActiveRunExists, Problem) as quicker:
            _log.info("run %s stays queued: %s", run_id, quicker)

    async def reorder(self, run_id: UUID, change: Callable[[Sequence[Queued]], Sequence[Queued]]) -> bool:
        """Change the order of the queue to the one that `change` returns for the present queue. Return `False` if there
        is no run `run_id`. Raises a 409 `Problem` if that run is not queued."""
        return await self._store.reorder(run_id, change, _now())

    async def reconcile(self) -> None:
        """Repair run gates, lanes, commands and timers of unfinished runs after a crash, or after the broker lost data.

        Then start a queued run of each organisation that has no active run, and remove the remains of finished runs
        from NATS. An error in the repair of one run is logged and does not stop the others; any other error is raised.
        """
        for run in await self._all_runs.unfinished():
            try:
                with working_for(run.org_id):
                    await self._reconcile_run(run.run_id, run.gate)
            except Exception:  # noqa: BLE001  # a failing run must not stop the others
                _log.exception("run %s could not be reconciled; trying again", run.run_id)
        for org_id in await self._all_runs.with_queue():
            with working_for(org_id):
                await self.admit()
        await self._sweep()

    async def _reconcile_run(self, run_id: UUID, gate: RunGate) -> None:
        await self._lanes.set_gate(run_id, gate)
        await self._reopen_lanes(run_id)
        await resend_lost(self._store, self._lanes, run_id, now=_now(), patience=RESEND_PATIENCE)
        await self.wake(run_id)

    async def reconcile_for_ever(self) -> None:
        while True:
            try:
                await self.reconcile()
            except Exception as error:  # noqa: BLE001  # the next round repeats it
                _log.warning("reconciling failed: %r", error)
            await asyncio.sleep(RECONCILE_EVERY_S)

    async def _sweep(self) -> None:
        """Remove the remains of finished runs from NATS: duplicate commands, and lanes that were not deleted at the
        end.

        NATS is read before the database. A new run is in the database before its messages are on NATS. So every
        unfinished run that is found on NATS is also found in the database, and its messages are kept.
        """
        on_nats = await self._lanes.found()
        needed = await self._all_runs.needed(on_nats)
        for run_id in on_nats.runs - needed.runs:
            await self._lanes.purge(run_id)
        await self._lanes.close_lanes(on_nats.lane_tokens - needed.lane_tokens)

    async def _reopen_lanes(self, run_id: UUID) -> None:
        async with self._store.lead(run_id) as transaction:
            # A paused run has no call in flight, and resuming opens its lanes. A pausing one needs them: its calls in
            # flight are reported through them, as not started.
            if transaction is None or transaction.run.status == RunStatus.PAUSED:
                return
            groups = transaction.groups
        for group in groups:
            if group.opened_at is not None and group.closed_at is None:
                await self._lanes.open(group)

    async def _submit(self, run_id: UUID, *, report: Report | None = None, order: Order | None = None) -> Led:
        run = self._runs.setdefault(_key(run_id), _Run())
        done: asyncio.Future[Led] = asyncio.get_running_loop().create_future()
        run.waiting.append(_Waiting(report, order, done))
        if report is not None and _is_answer(report):
            run.pace.answered(time.monotonic())
        if run.task is None:
            if _is_due(run):
                self._begin(run_id, run)
            else:
                self._gather_more(run_id, run)
        return await done

    def _gather_more(self, run_id: UUID, run: _Run) -> None:
        if run.gathering is None:
            run.gathering = asyncio.get_running_loop().call_later(GATHER_S, self._begin, run_id, run)

    def _begin(self, run_id: UUID, run: _Run) -> None:
        if run.gathering is not None:
            run.gathering.cancel()
            run.gathering = None
        if run.task is None:
            run.task = asyncio.create_task(self._work(run_id, run), name=f"lead {run_id}")

    async def _work(self, run_id: UUID, run: _Run) -> None:
        # Apply at least one batch, even if it is not due: its reports have waited long enough.
        begun = False
        while run.waiting and (_is_due(run) or not begun):
            begun = True
            batch = _next_batch(run.waiting)
            try:
                led = await self._lead(run_id, batch, run.pace)
            except Exception as error:  # noqa: BLE001  # passed on to the waiting callers
                for waiting in batch:
                    if not waiting.done.cancelled():
                        waiting.done.set_exception(error)
                continue
            run.in_flight = led.in_flight
            for waiting in batch:
                if not waiting.done.cancelled():
                    waiting.done.set_result(led)
            await self._follow_up(run_id, run, led)
        run.task = None
        if run.waiting:
            self._gather_more(run_id, run)
        elif run.timer is None and not run.in_flight:
            self._runs.pop(_key(run_id), None)

    async def _lead(self, run_id: UUID, batch: list[_Waiting], pace: Pace) -> Led:
        return await lead(
            self._store,
            run_id,
            reports=[waiting.report for waiting in batch if waiting.report is not None],
            order=batch[0].order,
            prefetch=pace.prefetch(time.monotonic()),
            now=_now(),
        )

    async def _follow_up(self, run_id: UUID, run: _Run, led: Led) -> None:
        """Set the run's timer, and update its run gate and lanes on NATS. `led`, the result of `lead`, says what has to
        be done after the commit. If NATS fails, the next reconciliation repairs it."""
        if run.timer is not None:
            run.timer.cancel()
            run.timer = None
        if led.wake_at is not None:
            delay_s = max(0.0, (led.wake_at - _now()).total_seconds()) + 0.005
            run.timer = asyncio.get_running_loop().call_later(delay_s, self._ring, run_id)
        try:
            if led.gate is not None:
                await self._lanes.set_gate(run_id, led.gate)
            if led.purged:
                await self._lanes.purge(run_id)
            for group in led.lanes_closed:
                if not await self._store.lane_in_use(group, besides=run_id):
                    await self._lanes.close(group)
            for group in led.lanes_opened:
                await self._lanes.open(group)
        except Exception as error:  # noqa: BLE001  # reconcile() repeats it
            _log.warning("run %s: NATS could not be updated (%r); the next reconciliation repairs it", run_id, error)
        if led.stopped:
            self._stopped()
            self._aside(self._admit_quietly())

    def _ring(self, run_id: UUID) -> None:
        run = self._runs.get(_key(run_id))
        if run is not None:
            run.timer = None
        self._aside(self._wake_quietly(run_id))

    def _aside(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._ringing.add(task)
        task.add_done_callback(self._ringing.discard)

    async def _admit_quietly(self) -> None:
        try:
            await self.admit()
        except Exception as error:  # noqa: BLE001  # reconcile() tries again
            _log.warning("no queued run could begin: %r", error)

    async def _wake_quietly(self, run_id: UUID) -> None:
        try:
            await self.wake(run_id)
        except Exception as error:  # noqa: BLE001  # reconcile() wakes it again
            _log.warning("run %s could not be woken: %r", run_id, error)


def _key(run_id: UUID) -> tuple[UUID | None, UUID]:
    return bound_organisation(), run_id


def _is_due(run: _Run) -> bool:
    if any(entry.report is None for entry in run.waiting):
        return True
    log_only = sum(_is_log_only(entry.report) for entry in run.waiting)
    return is_batch_due(changing_state=len(run.waiting) - log_only, log_only=log_only, in_flight=run.in_flight)


def _is_answer(report: Report) -> bool:
    """Return whether the report shows how quickly the provider answers. This holds for an answered call, and for a
    verdict that is not an error."""
    if isinstance(report, AnswerScored):
        return not isinstance(report.verdict, Errored)
    return isinstance(report.outcome, Answered) and not _is_log_only(report)


def _is_log_only(report: Report | None) -> bool:
    """Return whether the report only adds a line to the log. This holds for the report of a judge's call: its verdict
    follows within milliseconds in another report."""
    return isinstance(report, CallFinished) and report.purpose is Purpose.SCORE


def _next_batch(waiting: list[_Waiting]) -> list[_Waiting]:
    """Remove and return the next entries to apply together: one command alone, or up to `MAX_BATCH` reports before the
    next command. An error of a command then affects only its sender."""
    if waiting[0].order is not None:
        return [waiting.pop(0)]
    size = next((index for index, entry in enumerate(waiting) if entry.order is not None), len(waiting))
    batch = waiting[: min(size, MAX_BATCH)]
    del waiting[: len(batch)]
    return batch


def _now() -> datetime:
    return datetime.now(UTC)
