"""Create finished runs with chosen answers and scores, by copying and changing the rows of a real run.

Running a hundred cases takes seconds; copying their rows takes milliseconds.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from run_world import World
from sqlalchemy import text

from llmbench.ids import new_id

Cell = float | str | None
"""The result of an answer: its score on 0…1, the kind of its failure, or `None` if it was answered but not scored."""

_COPY = """
    INSERT INTO {table}
    SELECT (jsonb_populate_record(old, CAST(:changes AS jsonb))).* FROM {table} AS old WHERE {where}
"""


@dataclass(frozen=True)
class Case:
    """A case with the result of each epoch (see `Cell`). By default a score of 0.5 or more passes."""

    results: Sequence[Cell]
    task_id: str | None = None
    conversation: tuple[str, int] | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    cost_usd: float | None = None
    time_ms: int = 10
    cached: bool = False


def cases(scores: Sequence[Cell], **more: Any) -> list[Case]:
    """Return one case with one epoch for each score."""
    return [Case([score], **more) for score in scores]


@dataclass(frozen=True)
class Target:
    """A target to create in the copied run. `changes` has new values for columns of the target's row; all other columns
    keep the template's values."""

    made: Sequence[Case]
    changes: dict[str, Any] = field(default_factory=dict)


async def made_run(world: World, template: UUID, made: Sequence[Case], **more: Any) -> str:
    """Create a copy of the run `template` whose only target has the cases `made`. Return this target in the form
    `<run id>:<target id>`, which comparisons expect.

    The template has to have one target and one evaluator.
    """
    (column,) = await made_targets(world, template, [Target(made)], **more)
    return column


async def made_targets(
    world: World,
    template: UUID,
    targets: Sequence[Target],
    *,
    name: str,
    status: str = "FINISHED",
    verdicts: bool = True,
) -> list[str]:
    """Create a copy of the run `template` with the given targets instead of its own. Return each target in the form
    `<run id>:<target id>`, which comparisons expect.

    Without `verdicts`, the scores neither pass nor fail.
    """
    run_id, group_id = new_id(), new_id()
    columns = []
    count = max(sum(len(case.results) for case in target.made) for target in targets)
    over = {"status": status} if status == "FINISHED" else {"status": status, "finished_at": None, "outcome": None}
    sizes = {"item_count": count * len(targets), "case_count": count, "block_cases": count}
    async with world.engine.begin() as connection:

        async def copy(table: str, where: str, changes: dict[str, Any], **given: Any) -> None:
            query = text(_COPY.format(table=table, where=where))
            await connection.execute(query, {"changes": json.dumps(changes, default=str), "old": template} | given)

        await copy("run", "id = :old", {"id": run_id, "name": name} | sizes | over)
        await copy("run_group", "run_id = :old AND phase = 'BENCHMARKING'", {"id": group_id, "run_id": run_id})
        judges = new_id()
        await copy("run_group", "run_id = :old AND phase = 'JUDGING'", {"id": judges, "run_id": run_id})
        await copy("run_evaluator", "run_id = :old", {"run_id": run_id, "group_id": judges})
        await copy("run_block", "run_id = :old AND block = 0", {"run_id": run_id})
        for place, target in enumerate(targets):
            target_id, position = new_id(), place * count
            columns.append(f"{run_id}:{target_id}")
            ids = {"id": target_id, "run_id": run_id, "group_id": group_id, "position": place}
            await copy("target", "run_id = :old", ids | target.changes)
            for number, case in enumerate(target.made):
                for epoch, result in enumerate(case.results, start=1):
                    item_id = new_id()
                    changes = {
                        "id": item_id,
                        "run_id": run_id,
                        "target_id": target_id,
                        "group_id": group_id,
                        "position": position,
                        "task_id": case.task_id or f"case-{number}",
                        "epoch": epoch,
                        "cost_usd": case.cost_usd,
                        "time_ms": case.time_ms,
                        "cached": case.cached,
                        "case": {
                            "id": new_id(),
                            "task_id": f"case-{number}",
                            "category": "made",
                            "question": f"Question {number}",
                            "metadata": case.metadata,
                        },
                        "score": None,
                        "score_normalised": None,
                        "passed": None,
                    }
                    if case.conversation is not None:
                        changes |= {"conversation_id": case.conversation[0], "turn": case.conversation[1]}
                    if isinstance(result, str):
                        failure = {"phase": "BENCHMARKING", "kind": result, "message": "no answer", "retryable": True}
                        changes |= {"status": "FAILED", "failure": failure, "call_id": None, "completed_at": None}
                        changes |= {"cost_usd": None, "time_ms": None}
                    position += 1
                    await copy(
                        "item", "id = (SELECT id FROM item WHERE run_id = :old ORDER BY position LIMIT 1)", changes
                    )
                    if not isinstance(result, float | int):
                        continue
                    score = {
                        "id": new_id(),
                        "run_id": run_id,
                        "item_id": item_id,
                        "group_id": judges,
                        "raw": result * 10,
                        "normalised": result,
                        "passed": result >= 0.5 if verdicts else None,
                    }
                    await copy(
                        "score", "id = (SELECT id FROM score WHERE run_id = :old ORDER BY position LIMIT 1)", score
                    )
    return columns
