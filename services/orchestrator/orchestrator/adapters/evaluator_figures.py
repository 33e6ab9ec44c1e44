"""What each evaluator of a run comes to, over all of it and per target."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, Uuid, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from orchestrator.adapters.figures import mean_and_rate
from orchestrator.domain.length_baseline import undefined_because
from orchestrator.domain.revision import own_params
from orchestrator.ports.schemas import EvaluatorOut, EvaluatorRef, EvaluatorTargetOut, LengthBaseline

_REFS: Final = text(
    """
    SELECT run_id, slot AS name, title, kind, revision.id AS revision_id, judge_provider_id, judge_model, params,
           weight, required, pass_threshold, scale_min, scale_max, schema_name, schema_version, prompt_hash, whole,
           whole AND position = max(position) FILTER (WHERE whole) OVER (PARTITION BY run_id, slot) AS primary
    FROM run_evaluator JOIN evaluator_revision AS revision ON revision.id = evaluator_revision_id
    WHERE run_id = ANY(:run_ids) ORDER BY run_id, position
    """
).bindparams(bindparam("run_ids", type_=ARRAY(Uuid)))

# One row per group of `{by}`, whose results are clustered by task. Ranks as Spearman has them: equal
# values share the mean of their places. `octet_length` reads no text, however long.
_FIGURES: Final = """
    WITH result AS (
        SELECT score.evaluator_revision_id AS revision_id, item.target_id, item.task_id, score.outcome, score.cost_usd,
               score.normalised, score.passed, octet_length(model_call.content) AS length
        FROM score JOIN item ON item.id = score.item_id LEFT JOIN model_call ON model_call.id = item.call_id
        WHERE score.run_id = :run_id
    ), cluster AS (
        SELECT {by}, count(normalised) AS n, coalesce(sum(normalised), 0) AS x FROM result GROUP BY {by}, task_id
    ), clustered AS (
        SELECT {by}, count(*) FILTER (WHERE n > 0) AS clusters, sum(x * x) AS xx, sum(x * n) AS xn, sum(n * n) AS nn,
               sum(x) AS x
        FROM cluster GROUP BY {by}
    ), counted AS (
        SELECT {by}, count(*) AS asked,
               count(*) FILTER (WHERE outcome = 'scored') AS scored,
               count(*) FILTER (WHERE outcome = 'unparsed') AS unparsed,
               count(*) FILTER (WHERE outcome = 'refused') AS refused,
               count(*) FILTER (WHERE outcome = 'errored') AS errored,
               count(*) FILTER (WHERE outcome IS NULL) AS pending,
               count(passed) AS verdicts,
               avg(CASE WHEN passed THEN 1.0 WHEN NOT passed THEN 0.0 END) AS pass_rate,
               sum(cost_usd) AS cost_usd
        FROM result GROUP BY {by}
    ), ranked AS (
        SELECT {by}, length, normalised,
               rank() OVER (PARTITION BY {by} ORDER BY length)
                   + (count(*) OVER (PARTITION BY {by}, length) - 1) / 2.0 AS length_rank,
               rank() OVER (PARTITION BY {by} ORDER BY normalised)
                   + (count(*) OVER (PARTITION BY {by}, normalised) - 1) / 2.0 AS score_rank
        FROM result WHERE normalised IS NOT NULL AND length IS NOT NULL
    ), baseline AS (
        SELECT {by}, count(*) AS answers, corr(length_rank, score_rank) AS correlation,
               count(DISTINCT length) AS lengths, count(DISTINCT normalised) AS scores
        FROM ranked GROUP BY {by}
    )
    SELECT * FROM counted JOIN clustered USING ({by}) LEFT JOIN baseline USING ({by})
"""
_TOTALS: Final = _FIGURES.format(by="revision_id")
_BY_TARGET: Final = f"""
    SELECT target.label, figures.* FROM target
    JOIN ({_FIGURES.format(by="revision_id, target_id")}) AS figures ON figures.target_id = target.id
    WHERE target.run_id = :run_id ORDER BY target.position
"""  # noqa: S608  # made of constants
_NOTHING: Final = dict.fromkeys(("asked", "scored", "unparsed", "refused", "errored", "pending", "verdicts"), 0)


async def evaluator_refs(connection: AsyncConnection, run_ids: Sequence[UUID]) -> dict[UUID, list[EvaluatorRef]]:
    """Of each run its evaluators, in the order in which they joined it."""
    refs: dict[UUID, list[EvaluatorRef]] = {}
    for row in await _refs(connection, run_ids):
        refs.setdefault(row["run_id"], []).append(EvaluatorRef.model_validate(dict(row)))
    return refs


async def by_evaluator(connection: AsyncConnection, run_id: UUID) -> list[EvaluatorOut]:
    totals = {row["revision_id"]: _figures(row) for row in await _all(connection, _TOTALS, run_id)}
    targets: dict[UUID, list[EvaluatorTargetOut]] = {}
    for row in await _all(connection, _BY_TARGET, run_id):
        targets.setdefault(row["revision_id"], []).append(EvaluatorTargetOut.model_validate(_figures(row)))
    return [
        EvaluatorOut.model_validate(
            dict(row)
            | totals.get(row["revision_id"], _none())
            | {"params": own_params(row["params"]), "targets": targets.get(row["revision_id"], [])}
        )
        for row in await _refs(connection, [run_id])
    ]


def _figures(row: RowMapping) -> dict[str, Any]:
    answers = row["answers"] or 0
    baseline = LengthBaseline(
        spearman=row["correlation"] if answers >= 3 else None,
        answers=answers,
        undefined_because=undefined_because(answers, lengths=row["lengths"] or 0, scores=row["scores"] or 0),
    )
    return dict(row) | mean_and_rate(row) | {"length_baseline": baseline}


def _none() -> dict[str, Any]:
    """Of one that was not asked about anything yet."""
    baseline = LengthBaseline(spearman=None, answers=0, undefined_because=undefined_because(0, lengths=0, scores=0))
    unknown = dict.fromkeys(("mean_score", "mean_score_interval", "pass_rate", "pass_rate_interval", "cost_usd"))
    return _NOTHING | unknown | {"length_baseline": baseline}


async def _refs(connection: AsyncConnection, run_ids: Sequence[UUID]) -> list[RowMapping]:
    return list((await connection.execute(_REFS, {"run_ids": list(run_ids)})).mappings())


async def _all(connection: AsyncConnection, query: str, run_id: UUID) -> list[RowMapping]:
    return list((await connection.execute(text(query), {"run_id": run_id})).mappings())
