"""Convert the mean scores and the winner of compared runs to the response of `/v1/benchmarks/compare`."""

from collections.abc import Sequence
from typing import Any

from orchestrator.comparison.api.answers import BenchmarkModel, BenchmarkTask, BenchmarkTaskScore
from orchestrator.comparison.handlers.find_winner import Standing


def ranked(standings: Sequence[Standing]) -> dict[str, Any]:
    """Return those fields of `BenchmarksCompared` that have the mean scores of the models, their scores by category,
    and the winner. `standings` has one entry per comparison: only one if the request named columns, else one per set of
    paired targets."""
    tasks: dict[str, list[BenchmarkTaskScore]] = {}
    for standing in standings:
        for name, scores in standing.shared.categories.items():
            tasks.setdefault(name, []).extend(
                BenchmarkTaskScore(run_id=column.run_id, target_id=column.target_id, score=score)
                for column, score in zip(standing.columns, scores, strict=True)
            )
    return {
        "models": [
            BenchmarkModel(
                run_id=column.run_id,
                target_id=column.target_id,
                label=column.label,
                model_name=column.model,
                overall_score=score,
                cases=standing.shared.cases,
            )
            for standing in standings
            for column, score in zip(standing.columns, standing.shared.overall, strict=True)
        ],
        "comparison": [BenchmarkTask(task_name=name, scores=scores) for name, scores in tasks.items()],
        **_winner(standings),
    }


def _winner(standings: Sequence[Standing]) -> dict[str, Any]:
    none = {"winner": None, "winner_target_id": None}
    unsettled = next((standing for standing in standings if standing.winner is None), None)
    if unsettled is not None:
        return none | {"winner_reason": unsettled.reason}
    won = [standing.columns[standing.winner] for standing in standings if standing.winner is not None]
    if len({column.run_id for column in won}) > 1:
        labels = "; ".join(f"'{column.label}' of '{column.run_name}'" for column in won)
        return none | {"winner_reason": f"No run wins every comparison: the winners are {labels}."}
    return {
        "winner": won[0].run_id,
        "winner_target_id": won[0].target_id if len(won) == 1 else None,
        "winner_reason": None,
    }
