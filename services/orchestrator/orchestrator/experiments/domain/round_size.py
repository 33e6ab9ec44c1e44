"""Decide how many clusters a round has.

Each round loads each model once, and the judge once, so few rounds are cheap. A sequential experiment can stop only
between rounds, so many rounds stop it sooner. On average, half a round of calls is made after the decision was
possible. With twenty rounds this waste is at most 2.5 % of the planned calls on average, for twenty loads of each
model.
"""

import math

from orchestrator.experiments.domain.requested import Config
from orchestrator.experiments.domain.words import Method

ROUNDS = 20
LEAST = 10
MOST = 1_000
"""The maximum number of clusters in a round, for experiments that decide only when the sample is complete. Their rounds
only limit how much a failure can lose."""


def round_size(config: Config, planned: int, *, is_bandit: bool) -> int:
    """Return the number of clusters in each round except the last."""
    if config.round_size is not None:
        return min(config.round_size, planned)
    if config.method is Method.SEQUENTIAL or is_bandit:
        return min(planned, max(LEAST, math.ceil(planned / ROUNDS)))
    return min(planned, MOST)


def next_size(config: Config, planned: int, done: int, *, is_bandit: bool) -> int:
    """Return the number of clusters in the next round. The first one has at least the minimum sample, before which
    nothing can be decided."""
    size = round_size(config, planned, is_bandit=is_bandit)
    if done == 0:
        size = max(size, config.minimum_sample_size or 0)
    return min(size, planned - done)


def round_count(config: Config, planned: int, *, is_bandit: bool) -> int:
    """Return the number of rounds that the planned sample takes."""
    first = next_size(config, planned, 0, is_bandit=is_bandit)
    return 1 + math.ceil((planned - first) / round_size(config, planned, is_bandit=is_bandit))
