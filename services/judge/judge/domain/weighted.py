"""Compute G-Eval's weighted score: Σ s·p(s) / Σ p(s) over the possible tokens at the score's position."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from llmbench.contracts.outcome import TokenChoices

LEAST_MASS = 0.5
"""The minimum probability mass on scores. With less, the model was more likely to write something else."""

_BEFORE_SCORE = re.compile(r'"score"\s*:\s*"?')


@dataclass(frozen=True)
class Weighted:
    """A weighted score. `mass` is the total probability of the tokens that are scores, at most 1.

    `shares` maps each score to its share of this probability. `entropy` is the entropy of the shares, in nats.
    """

    score: float
    mass: float
    entropy: float
    shares: Mapping[int, float]


def weighted(
    tokens: Sequence[TokenChoices] | None, *, least: int, most: int, at_the_beginning: bool = False
) -> Weighted | None:
    """Return the weighted score at the verdict's score token; `None` if its probabilities are unknown or unusable.

    The score token follows the last `"score":` in the text of `tokens`, or the first with `at_the_beginning`. `least`
    and `most` are the limits of the scale. The probabilities are unusable if the tokens that are scores on this scale
    have a total probability below `LEAST_MASS`.
    """
    top = _at_the_score(tokens or (), 0 if at_the_beginning else -1)
    score = None if top is None else weigh(top, least=least, most=most)
    return score if score is not None and score.mass >= LEAST_MASS else None


def weigh(top: Mapping[str, float], *, least: int, most: int) -> Weighted | None:
    """Return the mean of the possible scores, weighted by their probabilities; `None` if no token is a score.

    `top` maps tokens to log-probabilities. A score is an integer from `least` to `most`; the token " 4" counts as 4.
    """
    mass: dict[int, float] = {}
    for token, logprob in top.items():
        text = token.strip()
        if text.isascii() and text.isdigit() and len(text) <= 3 and least <= int(text) <= most:
            mass[int(text)] = mass.get(int(text), 0.0) + math.exp(logprob)
    total = sum(mass.values())
    if not total:
        return None
    shares = {score: part / total for score, part in sorted(mass.items())}
    return Weighted(
        score=sum(score * share for score, share in shares.items()),
        mass=min(1.0, total),
        entropy=-sum(share * math.log(share) for share in shares.values() if share) + 0.0,
        shares=shares,
    )


def _at_the_score(tokens: Sequence[TokenChoices], which: int) -> Mapping[str, float] | None:
    text = "".join(token.token for token in tokens)
    places = list(_BEFORE_SCORE.finditer(text))
    if not places:
        return None
    start = 0
    for token in tokens:
        end = start + len(token.token)
        # This token contains the first character of the score, alone or after a space.
        if start <= places[which].end() < end:
            return token.top if token.token.strip().isdigit() else None
        start = end
    return None
