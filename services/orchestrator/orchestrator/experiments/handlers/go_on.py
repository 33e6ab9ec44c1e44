"""Advance a running experiment in one transaction: store the values of rounds whose runs are over, analyse, and stop or
begin the next round."""

import asyncio
from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from llmbench.contracts.experiment_analysed import ExperimentAnalysed
from llmbench.contracts.experiment_round_changed import ExperimentRoundChanged
from llmbench.contracts.experiment_status_changed import ExperimentStatusChanged
from llmbench.contracts.experiment_words import ExperimentStatus, RoundStatus
from llmbench.contracts.run_words import RunOutcome, RunStatus
from orchestrator.experiments.domain.allocations import allocation_of, split
from orchestrator.experiments.domain.analysis.analyse import analyse
from orchestrator.experiments.domain.analysis.types import Analysis, AnalysisSetup, VariantData
from orchestrator.experiments.domain.data import Values
from orchestrator.experiments.domain.next_step import Limit, limit_of, planned_of, stop_after, total_clusters, upcoming
from orchestrator.experiments.domain.records import Experiment, Round
from orchestrator.experiments.domain.setup import data_of, setup_of
from orchestrator.experiments.domain.states import EXPERIMENT, ExperimentMoves
from orchestrator.experiments.domain.words import Design
from orchestrator.experiments.handlers.show_results import results_of
from orchestrator.experiments.ports.rounds import ExperimentTransaction, NewRound
from orchestrator.kernel.domain.transitions import after

_LONGEST_REASON: Final = 2_000


@dataclass(frozen=True)
class Look:
    """An analysis of the values so far. `done` counts the clusters used. `limit` is the limit that the experiment has
    reached, if any; it ends the experiment whatever the results are."""

    setup: AnalysisSetup
    data: Sequence[VariantData]
    analysis: Analysis
    done: int
    limit: Limit | None


async def go_on(work: ExperimentTransaction, now: datetime) -> None:
    """Take the next steps of a running experiment that has rounds. First, store the values of the rounds whose runs are
    over. If a round is still open, do nothing more. If a round failed, pause the experiment, or repeat the round after
    the experiment was resumed. Otherwise analyse the values, and stop the experiment or begin the next round."""
    rounds, failure = await _take_in(work, now)
    if any(round_.open for round_ in rounds):
        return
    if failure is not None:
        await pause_for(work, failure, now)
        return
    again = _to_repeat(rounds, work.experiment)
    if again:
        await work.begin(again, now)
        return
    counted = [round_ for round_ in rounds if round_.counted]
    if not counted:
        await _begin_next(work, None, frozenset(), now)
        return
    look = await _look(work, rounds, await work.values(), counted[-1].number, now)
    if await _stop(work, look, now):
        return
    out = {UUID(variant_id): reason for variant_id, reason in look.analysis.out.items()}
    await work.drop(out, now)
    await _begin_next(work, look, out.keys(), now)


async def look_at_observations(work: ExperimentTransaction, now: datetime) -> None:
    """Analyse the observations of an experiment that is run outside llmbench, and stop it if its rule says so. If a
    limit is reached before any observation has arrived, the experiment is paused."""
    values = await work.values()
    if values.clusters:
        await _stop(work, await _look(work, [], values, None, now), now)
    elif limit := limit_of(work.experiment, complete=False, next_cost_usd=0.0, now=now):
        await pause_for(work, f"{limit.words} No observation has arrived.", now)


async def _stop(work: ExperimentTransaction, look: Look, now: datetime) -> bool:
    """Stop the experiment if its rule or a limit says so. Return whether it has stopped."""
    stop = stop_after(look.analysis, look.limit, now)
    if stop is None:
        return False
    experiment = work.experiment
    await work.stop(stop)
    status = after(EXPERIMENT, experiment.status, ExperimentMoves.STOP)
    await work.set_status(status, reason=stop.sentence, now=now)
    await work.publish([status_changed(experiment, status, now, reason=stop.sentence, stop_rule=stop.rule)])
    return True


async def pause_for(work: ExperimentTransaction, reason: str, now: datetime) -> None:
    """Pause the experiment and store the reason."""
    status = after(EXPERIMENT, work.experiment.status, ExperimentMoves.PAUSE)
    await work.set_status(status, reason=reason[:_LONGEST_REASON], now=now)
    await work.publish([status_changed(work.experiment, status, now, reason=reason[:_LONGEST_REASON])])


def status_changed(
    experiment: Experiment, status: ExperimentStatus, now: datetime, **more: str | None
) -> ExperimentStatusChanged:
    given = {"experiment_id": experiment.id, "name": experiment.name, "at": now, "status": status, **more}
    return ExperimentStatusChanged.model_validate(given)


def round_changed(
    experiment: Experiment, round_: Round, status: RoundStatus, now: datetime, *, reason: str | None = None
) -> ExperimentRoundChanged:
    names = {variant.id: variant.name for variant in experiment.variants}
    return ExperimentRoundChanged(
        experiment_id=experiment.id,
        round_id=round_.id,
        number=round_.number,
        at=now,
        status=status,
        variants=tuple(names[variant_id] for variant_id in round_.variant_ids),
        cases=len(round_.positions),
        run_id=round_.run_id,
        reason=reason,
    )


def done_outside(values: Values) -> int:
    """Return the progress of an experiment that is run outside llmbench: the number of clusters of the variant that has
    the most clusters."""
    return max((len(clusters) for clusters in values.clusters.values()), default=0)


async def _take_in(work: ExperimentTransaction, now: datetime) -> tuple[Sequence[Round], str | None]:
    """Store the values of the rounds whose runs are over. Return all rounds with their new states, and the reason why a
    round failed; `None` if none failed."""
    failure = None
    taken: list[Round] = []
    for round_ in work.rounds:
        if round_.status is not RoundStatus.STARTED or not (round_.over or round_.run_id is None):
            taken.append(round_)
            continue
        reason = _failure(round_, over_budget=_over_budget(work.experiment, round_))
        if reason is None:
            await work.add_values(round_, await work.values_of(round_), now)
            taken.append(round_.with_status(RoundStatus.OVER))
            await work.publish([round_changed(work.experiment, round_, RoundStatus.OVER, now)])
        else:
            failure = f"round {round_.number}: {reason}"
            await work.end_round(round_, RoundStatus.FAILED, reason=reason, now=now)
            taken.append(round_.with_status(RoundStatus.FAILED))
            await work.publish([round_changed(work.experiment, round_, RoundStatus.FAILED, now, reason=reason)])
    return taken, failure


def _failure(round_: Round, *, over_budget: bool) -> str | None:
    """Return why a round whose run is over has no results; `None` if it has results. A cancelled run has results if
    `over_budget` is true: it was cancelled because the experiment's cost limit was reached."""
    if round_.run_id is None:
        return "its run was deleted. Resume the experiment to make the round again."
    if round_.run_status is RunStatus.CANCELLED and not over_budget:
        return "its run was cancelled. Resume the experiment to make the round again."
    if round_.run_outcome is RunOutcome.FAILED:
        why = round_.run_reason or "none of its answers was completed"
        return (
            f"its run failed: {why.rstrip('.')}. Missing data is not zero, so the round does not count. Mend the "
            "cause, then resume the experiment to make the round again."
        )
    return None


def _over_budget(experiment: Experiment, round_: Round) -> bool:
    most = experiment.config.maximum_cost_usd
    return most is not None and experiment.cost_usd + round_.run_cost_usd >= most


def _to_repeat(rounds: Sequence[Round], experiment: Experiment) -> list[NewRound]:
    """Return a new attempt of each failed round that was not repeated yet. Rounds with a variant that gets no more
    calls are left out."""
    live = {variant.id for variant in experiment.live}
    last: dict[tuple[int, tuple[UUID, ...]], Round] = {}
    for round_ in rounds:
        key = (round_.number, tuple(round_.variant_ids))
        if key not in last or last[key].attempt < round_.attempt:
            last[key] = round_
    return [
        NewRound(round_.number, round_.attempt + 1, round_.variant_ids, round_.positions, round_.allocation)
        for round_ in last.values()
        if round_.status is RoundStatus.FAILED and live.issuperset(round_.variant_ids)
    ]


async def _look(
    work: ExperimentTransaction, rounds: Sequence[Round], values: Values, number: int | None, now: datetime
) -> Look:
    """Analyse all values so far, and store the analysis."""
    experiment = work.experiment
    data = data_of(experiment, rounds, values)
    done = done_outside(values) if experiment.outside else len(values.order)
    complete = not experiment.outside and done >= total_clusters(experiment)
    expected_cost_usd = 0.0 if experiment.outside else experiment.cost_usd * upcoming(experiment, done) / done
    limit = limit_of(experiment, complete=complete, next_cost_usd=expected_cost_usd, now=now)
    setup = setup_of(experiment, planned=planned_of(experiment, data, complete=complete))
    analysis = await asyncio.to_thread(analyse, setup, data, final=limit is not None)
    await _store(work, analysis, done=done, planned=experiment.planned or done, number=number, now=now)
    return Look(setup, data, analysis, done, limit)


async def _store(
    work: ExperimentTransaction, analysis: Analysis, *, done: int, planned: int, number: int | None, now: datetime
) -> None:
    results = results_of(work.experiment, analysis, done=done, planned=planned)
    look = await work.add_look(number, results.model_dump(mode="json"), now)
    event = ExperimentAnalysed(
        experiment_id=work.experiment.id,
        look=look,
        round=number,
        at=now,
        state=analysis.state,
        sentence=analysis.sentence,
        winner=analysis.winner,
        done=done,
        planned=planned,
    )
    await work.publish([event])


async def _begin_next(work: ExperimentTransaction, look: Look | None, out: Set[UUID], now: datetime) -> None:
    """Begin the next round with the variants that still get calls. `out` has the variants that get none from now on.
    `look` is the last analysis; `None` before the first round.

    In a paired design, all these variants get the same next cases. In a split design, each case goes to one variant.
    """
    experiment = work.experiment
    done = 0 if look is None else look.done
    size = upcoming(experiment, done)
    cases = await work.next_cases(after_cluster=done - 1, clusters=size)
    live = [variant for variant in experiment.live if variant.id not in out]
    number = 1 + max((round_.number for round_ in work.rounds), default=0)
    if experiment.config.design is Design.PAIRED:
        positions = [case.position for case in cases]
        await work.begin([NewRound(number, 1, [each.id for each in live], positions, None)], now)
        return
    allocation = allocation_of(experiment, live, look.setup if look else None, look.data if look else [])
    shares = {str(variant_id): share for variant_id, share in allocation.items()}
    of_variants = split(experiment.seed, cases, allocation)
    begun = [NewRound(number, 1, [id_], positions, shares) for id_, positions in of_variants.items() if positions]
    await work.begin(begun, now)
