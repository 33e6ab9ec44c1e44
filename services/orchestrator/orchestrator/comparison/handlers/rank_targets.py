"""Say how the targets of a run compare with its best one, case by case."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from llmbench.errors import Problem
from llmbench.thresholds import tidy
from orchestrator.comparison.domain.coverage import ENOUGH_PERCENT
from orchestrator.comparison.domain.verdicts import Verdict
from orchestrator.comparison.handlers.compare import compare
from orchestrator.comparison.handlers.find_columns import find_columns
from orchestrator.comparison.ports.comparison import MOST_COLUMNS, ColumnRef, ComparisonReader
from orchestrator.results.ports.figure_schemas import TargetResult

_FEW: Final = f"with it in less than {ENOUGH_PERCENT}% of the cases"
_WORDS: Final = (
    (Verdict.BETTER, "is better", "are better"),
    (Verdict.WORSE, "is worse", "are worse"),
    (Verdict.NOT_SEPARABLE, "is not separable from it", "are not separable from it"),
    (Verdict.LOW_COVERAGE, f"shares scores {_FEW}", f"share scores {_FEW}"),
)


class RankTargets:
    """Implement the port `TargetRanking` with paired comparisons."""

    def __init__(self, reader: ComparisonReader) -> None:
        self._reader = reader

    async def sentence(self, run_id: UUID, targets: Sequence[TargetResult]) -> str | None:
        ranked = sorted(
            (each for each in targets if each.mean_score is not None), key=lambda each: -(each.mean_score or 0)
        )[:MOST_COLUMNS]
        if len(ranked) < 2:
            return None
        try:
            columns = await find_columns(self._reader, [ColumnRef(run_id, each.target_id) for each in ranked])
            comparison = await compare(self._reader, columns, baseline=0)
        except Problem:
            return None
        verdicts = {
            ranked[pair.column].label: pair.score.verdict if pair.score else None for pair in comparison.comparisons
        }
        highest = tidy(ranked[0].mean_score or 0)
        return ranking_words([each.label for each in ranked if tidy(each.mean_score or 0) == highest], verdicts)


def ranking_words(best: Sequence[str], verdicts: dict[str, Verdict | None]) -> str | None:
    """Return a sentence that compares the other targets with the first of the best ones.

    `best` has the labels of the targets with the highest mean. `verdicts` has the verdicts of the targets that were
    compared with its first label; it may lack some. Return `None` if there is no verdict at all.

    >>> ranking_words(["large"], {"small": Verdict.WORSE, "mid": Verdict.NOT_SEPARABLE, "new": Verdict.NOT_SEPARABLE})
    'large scores highest. Case by case, small is worse; mid and new are not separable from it.'
    >>> ranking_words(["large", "twin"], {"twin": Verdict.NOT_SEPARABLE})
    'large and twin share the highest mean. Case by case against large, twin is not separable from it.'
    """
    parts = []
    for verdict, one, several in _WORDS:
        labels = [label for label, found in verdicts.items() if found is verdict]
        if labels:
            parts.append(f"{_listed(labels)} {one if len(labels) == 1 else several}")
    if not parts:
        return None
    start = (
        f"{best[0]} scores highest. Case by case"
        if len(best) == 1
        else f"{_listed(best)} share the highest mean. Case by case against {best[0]}"
    )
    return f"{start}, {'; '.join(parts)}."


def _listed(labels: Sequence[str]) -> str:
    return labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} and {labels[-1]}"
