"""Compute BERTScore: match each token with the most similar token of the other text.

Zhang, Kishore, Wu, Weinberger, Artzi, "BERTScore: Evaluating Text Generation with BERT" (2020), section 3, with its idf
weights and baseline. The authors' library is not used, because it needs torch.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from judge.domain.cannot_score import CannotScore

if TYPE_CHECKING:
    import numpy as np

    Matrix = np.ndarray[Any, np.dtype[np.floating[Any]]]
    """One row per token."""


@dataclass(frozen=True)
class Match:
    """The precision, recall and F of BERTScore, each from -1 to 1; `rescaled` returns them on another scale.

    `f` is the harmonic mean of precision and recall, or 0 unless both are positive.
    """

    precision: float
    recall: float
    f: float

    def rescaled(self, baseline: float) -> "Match":
        """Return the match rescaled linearly: `baseline`, the score of unrelated texts, becomes 0, and 1 stays 1."""
        return Match(*((value - baseline) / (1 - baseline) for value in (self.precision, self.recall, self.f)))


def greedy_match(
    answer: "Matrix",
    reference: "Matrix",
    *,
    answer_weights: Sequence[float] | None = None,
    reference_weights: Sequence[float] | None = None,
) -> Match:
    """Return how well the tokens of two texts match. Each row is a token's vector; special tokens must be left out.

    The vectors need not have unit length. Without weights, one per row, all tokens count equally. Raises
    `CannotScore` if a text has no tokens, or if its weights sum to 0.
    """
    similar = _unit(answer) @ _unit(reference).T
    precision = _mean(similar.max(axis=1), answer_weights)
    recall = _mean(similar.max(axis=0), reference_weights)
    # The harmonic mean of numbers with opposite signs is undefined.
    f = 2 * precision * recall / (precision + recall) if precision > 0 and recall > 0 else 0.0
    return Match(precision, recall, f)


def inverse_document_frequencies(documents: Iterable[Iterable[int]]) -> tuple[Mapping[int, float], float]:
    """Return a mapping from each token id in `documents` to its weight, and the weight of every other token.

    A token id in n of the N documents has the weight log((N+1)/(n+1)), any other log(N+1).
    """
    with_token: Counter[int] = Counter()
    count = 0
    for document in documents:
        with_token.update(set(document))
        count += 1
    return {token: math.log((count + 1) / (with_it + 1)) for token, with_it in with_token.items()}, math.log(count + 1)


def _unit(rows: "Matrix") -> "Matrix":
    import numpy as np

    if not len(rows):
        raise CannotScore("There are no tokens to compare.")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths == 0, 1, lengths)


def _mean(values: "Matrix", weights: Sequence[float] | None) -> float:
    import numpy as np

    if weights is None:
        return float(values.mean(dtype=np.float64))
    if not sum(weights) > 0:
        raise CannotScore("No token of the text has a weight: each stands in every one of the `idf_texts`.")
    return float(np.average(values.astype(np.float64), weights=weights))
