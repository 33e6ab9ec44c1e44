"""Advance experiments: create the runs of their rounds, store the values of finished runs, and carry out pauses and
ends.

Decisions are stored first, in a transaction that locks the experiment. A round is stored before its run is created, and
the round's id is the run's idempotency key. So no round is lost if the process is killed, and no round gets two runs if
several orchestrators work on it.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

from llmbench.contracts.experiment_words import ExperimentStatus, RoundStatus
from llmbench.contracts.run_words import RunStatus
from llmbench.errors import Problem
from llmbench.organisation import working_for
from orchestrator.experiments.domain.records import Experiment, Round, Variant
from orchestrator.experiments.handlers.go_on import go_on, look_at_observations, pause_for, round_changed
from orchestrator.experiments.ports.rounds import RoundStore
from orchestrator.experiments.ports.store import ExperimentStore
from orchestrator.kernel.domain.new_run import Idempotency, NewRun
from orchestrator.runs.handlers import commands, orders
from orchestrator.runs.handlers.commands import CommandParts
from orchestrator.runs.handlers.create_run import create_run
from orchestrator.runs.handlers.lead import Order

_log = logging.getLogger(__name__)

AT_ONCE = 50
LOOK_EVERY_S = 15.0
"""The maximum time in seconds between two searches for due experiments. The end of a run, or a command, starts a search
at once. This limit covers changes that start no search: another orchestrator stopped, or an experiment's maximum
duration is over."""
_UNAVAILABLE = 500

ReadRun = Callable[[Experiment, Sequence[Variant]], NewRun]
"""Returns a run of some variants, not yet limited to the cases of a round. Raises a `Problem` if it is not valid any
more."""


class Experiments:
    """The loop that advances the experiments of all organisations."""

    def __init__(self, store: ExperimentStore, rounds: RoundStore, runs: CommandParts, read: ReadRun) -> None:
        self._store = store
        self._rounds = rounds
        self._runs = runs
        self._read = read
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Make the loop search for due experiments at once, because a run may have ended."""
        self._woken.set()

    async def run(self) -> None:
        """Advance due experiments until cancelled. Errors, for instance of the database, are logged, and the loop
        continues."""
        while True:
            self._woken.clear()
            try:
                await self.lead_due()
            except Exception as error:  # noqa: BLE001  # the loop tries again
                _log.warning("due experiments could not be read: %r", error)
            try:
                async with asyncio.timeout(LOOK_EVERY_S):
                    await self._woken.wait()
            except TimeoutError:
                continue

    async def lead_due(self) -> None:
        """Advance each experiment that has a next step to carry out. An experiment that fails is tried again later."""
        for due in await self._rounds.due(_now(), most=AT_ONCE):
            with working_for(due.org_id):
                try:
                    await self.lead(due.experiment_id)
                except Exception:  # noqa: BLE001  # a failing experiment must not stop the others
                    _log.exception("experiment %s could not be led; trying again", due.experiment_id)

    async def lead(self, experiment_id: UUID) -> None:
        """Carry out all steps that are due in the experiment."""
        async with self._rounds.lead(experiment_id) as work:
            if work is None:
                return
            if work.experiment.status is ExperimentStatus.RUNNING:
                await (look_at_observations if work.experiment.outside else go_on)(work, _now())
        experiment = await self._store.get(experiment_id)
        if experiment is None:
            return
        for round_ in await self._store.rounds(experiment_id):
            if round_.open:
                await self._carry_out(experiment, round_)

    def runs_of(self, experiment: Experiment) -> NewRun:
        """Return a run of all variants that still get calls, not yet limited to the cases of a round. Raises a
        `Problem` if the run is not valid."""
        return self._read(experiment, experiment.live)

    async def _carry_out(self, experiment: Experiment, round_: Round) -> None:
        """Create, pause or cancel the run of an open round, as the experiment's state requires."""
        match experiment.status, round_.status:
            case ExperimentStatus.RUNNING, RoundStatus.STARTING:
                await self._create_run(experiment, round_)
            case ExperimentStatus.RUNNING, RoundStatus.STARTED:
                if round_.run_status is RunStatus.PAUSED and _over_budget(experiment, round_):
                    await self._order(round_, orders.cancel)
                    self.wake()
            case ExperimentStatus.PAUSED, RoundStatus.STARTED:
                if round_.run_status is RunStatus.RUNNING:
                    await self._order(round_, orders.pause)
                elif round_.run_status is RunStatus.QUEUED:
                    await self._order(round_, orders.cancel)
                    await self._end(experiment, round_, RoundStatus.FAILED, "paused while it waited in the queue")
            case ((ExperimentStatus.CONCLUDED | ExperimentStatus.ARCHIVED), _):
                if round_.run_id is not None and not round_.over:
                    await self._order(round_, orders.cancel)
                await self._end(experiment, round_, RoundStatus.DROPPED, "the experiment was concluded")
            case _:
                return

    async def _create_run(self, experiment: Experiment, round_: Round) -> None:
        """Create the run of a round, or find the run that was already created. If the run is refused, pause the
        experiment and store the reason. If a service does not answer, only log this; the loop tries again when it next
        advances the experiment."""
        at = self._runs
        try:
            new = await self._new_run(experiment, round_)
            run_id, _ = await create_run(at.factory, at.directory, at.catalogue, new, now=_now())
        except Problem as problem:
            if problem.status >= _UNAVAILABLE:
                _log.warning("round %d of experiment %s: %s", round_.number, experiment.id, problem.detail)
                return
            await self._refused(experiment, round_, problem.detail)
            return
        if await self._rounds.started(round_.id, run_id):
            async with self._rounds.lead(experiment.id) as work:
                if work is not None:
                    begun = replace(round_, run_id=run_id)
                    await work.publish([round_changed(experiment, begun, RoundStatus.STARTED, _now())])
        await at.leadership.admit()

    async def _new_run(self, experiment: Experiment, round_: Round) -> NewRun:
        variants = [variant for variant in experiment.variants if variant.id in round_.variant_ids]
        new = self._read(experiment, variants)
        most = experiment.config.maximum_cost_usd
        of_variant = f", {variants[0].name}" if len(variants) == 1 else ""
        key = f"experiment round {round_.id}"
        return replace(
            new,
            name=f"{experiment.name[:200]}: round {round_.number}{of_variant}"[:255],
            sampled=await self._rounds.case_ids(experiment.id, round_.positions),
            # Clusters are those of the experiment, not of the run: a round may have only one of them.
            cluster_by=None,
            queued=True,
            # The providers were checked at the start. A run waits for a provider that is down now.
            check_providers=False,
            max_cost_usd=None if most is None else max(most - experiment.cost_usd, 1e-6),
            experiment_id=experiment.id,
            idempotency=Idempotency(key, key),
        )

    async def _refused(self, experiment: Experiment, round_: Round, reason: str) -> None:
        async with self._rounds.lead(experiment.id) as work:
            if work is None or work.experiment.status is not ExperimentStatus.RUNNING:
                return
            await work.end_round(round_, RoundStatus.FAILED, reason=reason, now=_now())
            await pause_for(work, f"round {round_.number} cannot start: {reason}", _now())

    async def _end(self, experiment: Experiment, round_: Round, status: RoundStatus, reason: str) -> None:
        async with self._rounds.lead(experiment.id) as work:
            if work is not None and any(each.id == round_.id and each.open for each in work.rounds):
                await work.end_round(round_, status, reason=reason, now=_now())
                await work.publish([round_changed(experiment, round_, status, _now(), reason=reason)])

    async def _order(self, round_: Round, order: Order) -> None:
        """Send a command, such as pause, to the run of a round. If the command is refused, only log this: the run has
        already reached another status."""
        if round_.run_id is None:
            return
        try:
            await commands.give(self._runs, round_.run_id, order)
        except Problem as problem:
            _log.info("run %s of round %d: %s", round_.run_id, round_.number, problem.detail)


def _over_budget(experiment: Experiment, round_: Round) -> bool:
    most = experiment.config.maximum_cost_usd
    return most is not None and experiment.cost_usd + round_.run_cost_usd >= most - 1e-6


def _now() -> datetime:
    return datetime.now(UTC)
