"""Decide what an experiment does after a look (an analysis of its data): stop by its rule, or continue."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from llmbench.contracts.experiment_words import StopRule
from orchestrator.experiments.domain.analysis.types import Analysis, State, VariantData
from orchestrator.experiments.domain.records import Experiment, Stop
from orchestrator.experiments.domain.round_size import next_size
from orchestrator.experiments.domain.words import Design

_RULES: Final = {
    State.SHIP: StopRule.DECIDED,
    State.ROLL_BACK: StopRule.DECIDED,
    State.HARMFUL: StopRule.HARMFUL,
    State.FUTILE: StopRule.FUTILE,
}


def total_clusters(experiment: Experiment) -> int:
    """Return the number of clusters that the planned sample takes, at most those that the sources have. All variants
    share them in a paired design; each variant takes its own in a split design."""
    planned = experiment.planned or 0
    if experiment.config.design is Design.PAIRED:
        return min(planned, experiment.cluster_count)
    if experiment.is_bandit:
        wanted = planned * len(experiment.variants)
    else:
        least = min(variant.traffic_allocation for variant in experiment.variants)
        wanted = round(planned / least)
    return min(wanted, experiment.cluster_count)


def upcoming(experiment: Experiment, done: int) -> int:
    """Return the number of clusters in the next round; 0 if the planned sample is used up. The first round has at least
    the minimum sample. In a split design, it has at least that many clusters for each variant."""
    config, split = experiment.config, experiment.config.design is Design.SPLIT
    if config.minimum_sample_size is not None and split:
        config = replace(config, minimum_sample_size=config.minimum_sample_size * len(experiment.variants))
    total = total_clusters(experiment)
    return max(0, next_size(config, total, done, is_bandit=experiment.is_bandit))


def planned_of(experiment: Experiment, data: Sequence[VariantData], *, complete: bool) -> int:
    """Return the sample size after which the analysis decides: the planned size, or the actual size if all clusters are
    used up.

    The actual size can be smaller, because a hash does not give each variant exactly its share, and because values can
    be missing.
    """
    planned = max(experiment.planned or 2, 2)
    if not complete:
        return planned
    live = {str(variant.id) for variant in experiment.live}
    samples = [sum(weight > 0 for weight in each.clusters.weights) for each in data if each.variant_id in live]
    return max(2, min([planned, *samples]))


@dataclass(frozen=True)
class Limit:
    """A limit that the experiment has reached: the planned sample, the number of cases, the duration or the cost. It
    ends the experiment, whatever the results are."""

    rule: StopRule
    words: str


def limit_of(experiment: Experiment, *, complete: bool, next_cost_usd: float, now: datetime) -> Limit | None:
    """Return the limit that the experiment has reached, if any. `complete` is true if the planned sample is used up.
    `next_cost_usd` is the expected cost of the next round."""
    config, cost = experiment.config, experiment.cost_usd
    if complete:
        lacks = total_clusters(experiment) == experiment.cluster_count and (config.maximum_sample_size or 0) > (
            experiment.planned or 0
        )
        return Limit(StopRule.CASES, "All cases are used.") if lacks else Limit(StopRule.PLANNED, "")
    days = config.maximum_duration_days
    if days is not None and experiment.started_at is not None and now - experiment.started_at >= timedelta(days=days):
        return Limit(StopRule.DURATION, f"The maximum duration of {days:g} days is over.")
    most = config.maximum_cost_usd
    if most is not None and cost + next_cost_usd > most:
        spent = f"${cost:.4f} are spent, and the next round would exceed the maximum cost of ${most:.2f}."
        return Limit(StopRule.COST, spent)
    return None


def stop_after(analysis: Analysis, limit: Limit | None, now: datetime) -> Stop | None:
    """Return why the experiment stops after an analysis of its data (a look); `None` if it continues."""
    if limit is None and not analysis.done:
        return None
    usual = StopRule.PLANNED if limit is None else limit.rule
    words = "" if limit is None else limit.words
    return Stop(_RULES.get(analysis.state, usual), f"{words} {analysis.sentence}".strip(), now)
