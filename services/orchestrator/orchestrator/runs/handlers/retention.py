"""Remove old runs: on request, and every hour if the operator has set a maximum age."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final
from uuid import UUID

from llmbench.organisation import working_for
from orchestrator.runs.ports.all_runs import AllRuns, Organisation
from orchestrator.runs.ports.lanes import Lanes
from orchestrator.runs.ports.retention import OldRun, Pruned, RetentionStore
from orchestrator.runs.ports.store import Deleted

ROUND_EVERY_S: Final = 3600.0
FOR_S: Final = 5.0
"""The time in seconds after which a request starts no further removal of a run."""
_log = logging.getLogger(__name__)


class Retention:
    def __init__(
        self,
        store: RetentionStore,
        all_runs: AllRuns,
        lanes: Lanes,
        *,
        retention_days: float | None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._all_runs = all_runs
        self._lanes = lanes
        self._retention_days = retention_days
        self._now = now
        self._removed = asyncio.Event()

    async def prune(self, older_than_days: float, *, for_s: float = FOR_S, by: str = "a request") -> Pruned:
        """Remove the organisation's runs that ended more than `older_than_days` days ago, one by one, the oldest first.
        Runs that are still needed, such as baselines, stay (see `Kept`).

        After `for_s` seconds, no further removal starts; `left` in the result is the number of runs that remain to be
        removed. `by` names the cause in the log.
        """
        until = self._now() + for_s
        removed: list[OldRun] = []
        passed: set[UUID] = set()
        while True:
            found = await self._store.remove_oldest(older_than_days, besides=passed)
            if found is None:
                return Pruned(removed=removed, left=0)
            if isinstance(found, UUID):
                # The run has meanwhile been reopened, or has become a baseline.
                passed.add(found)
                continue
            removed.append(found.run)
            self._removed.set()
            _log.info(
                "removed the run %s (%s) by %s: it was over at %s, more than %g days ago, and had %d items",
                *(found.run.id, found.run.name, by, found.run.finished_at.isoformat(), older_than_days),
                found.run.items,
            )
            await self._forget(found.run.id, found.deleted)
            if self._now() >= until:
                return Pruned(removed=removed, left=await self._store.count(older_than_days, besides=passed))

    async def run(self) -> None:
        """Remove old runs of all organisations once an hour, if the operator or the organisation has set a maximum age.

        After any removal, also on request, let PostgreSQL reuse the space. Errors are logged. Never returns.
        """
        due_at = self._now()
        while True:
            try:
                if self._now() >= due_at:
                    for organisation in await self._all_runs.organisations():
                        await self._prune_by_age(organisation)
                    due_at = self._now() + ROUND_EVERY_S
                if self._removed.is_set():
                    self._removed.clear()
                    await self._store.give_back_space()
            except Exception as error:  # noqa: BLE001  # the next round repeats it
                _log.warning("could not remove old runs, or reclaim their space: %r", error)
                due_at = self._now() + ROUND_EVERY_S
            try:
                async with asyncio.timeout(ROUND_EVERY_S):
                    await self._removed.wait()
            except TimeoutError:
                continue

    async def _prune_by_age(self, organisation: Organisation) -> None:
        days, by = self._retention_days, "LLMBENCH_RETENTION_DAYS"
        if organisation.retention_days is not None and (days is None or organisation.retention_days < days):
            days, by = organisation.retention_days, "the organisation's data_retention_days"
        if days is None:
            return
        with working_for(organisation.id):
            while (await self.prune(days, by=by)).left:
                pass

    async def _forget(self, run_id: UUID, deleted: Deleted) -> None:
        try:
            await self._lanes.forget(deleted.run_ids, deleted.lane_tokens)
        except Exception as error:  # noqa: BLE001  # leftovers are unused, and expire
            _log.warning("run %s is removed, but NATS could not be updated: %r", run_id, error)
