"""Integrate over 0…1, with most nodes near the ends, where quantile functions are steep."""

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from orchestrator.experiments.domain.analysis.columns import Floats

_EDGES = (0.0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 0.02, 0.15, 0.5)
_NODES_OF_A_PANEL = 20


@lru_cache(maxsize=1)
def quadrature() -> "tuple[Floats, Floats]":
    """Return nodes and weights of a composite Gauss-Legendre rule: Σ weights · f(nodes) approximates ∫ f."""
    import numpy as np

    nodes, weights = np.polynomial.legendre.leggauss(_NODES_OF_A_PANEL)
    lows, highs = np.array(_EDGES[:-1])[:, None], np.array(_EDGES[1:])[:, None]
    lower = (lows + (highs - lows) * (nodes + 1) / 2).ravel()
    of_lower = ((highs - lows) * weights / 2).ravel()
    return np.concatenate((lower, 1 - lower[::-1])), np.concatenate((of_lower, of_lower[::-1]))
