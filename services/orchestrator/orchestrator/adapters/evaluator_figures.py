"""What each evaluator of a run comes to, over all of it and per target."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, Uuid, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from orchestrator.adapters.figures import mean_and_rate
from orchestrator.adapters.rows import ANSWER_SQL
from orchestrator.domain.length_baseline import RankSums, length_baseline
from orchestrator.domain.revision import own_params
from orchestrator.ports.schemas import EvaluatorOut, EvaluatorRef, EvaluatorTargetOut

_REFS: Final = text(
    """
    SELECT run_id, slot AS name, title, kind, revision.id AS revision_id, judge_provider_id, judge_model, params,
           weight, required, pass_threshold, scale_min, scale_max, schema_name, schema_version, prompt_hash, whole,
           whole AND position = max(position) FILTER (WHERE whole) OVER (PARTITION BY run_id, slot) AS primary
    FROM run_evaluator JOIN evaluator_revision AS revision ON revision.id = evaluator_revision_id
    WHERE run_id = ANY(:run_ids) ORDER BY run_id, position
    """
).bindparams(bindparam("run_ids", type_=ARRAY(Uuid)))

# One row per evaluator and one per evaluator and target (whose label is null in the former), in one pass.
# Results are clustered by task. Ranks as Spearman has them: equal values share the mean of their places,
# found from how often each value is there. `octet_length` reads no text, however long.
_FIGURES: Final = text(
    f"""
    WITH result AS MATERIALIZED (
        SELECT score.evaluator_revision_id AS revision_id, item.target_id, item.task_id, score.outcome, score.cost_usd,
               score.normalised, score.passed, octet_length({ANSWER_SQL}) AS length
        FROM score JOIN item ON item.id = score.item_id LEFT JOIN model_call ON model_call.id = item.call_id
        WHERE score.run_id = :run_id
    ), cluster AS (
        SELECT revision_id, coalesce(target_id, :all) AS part, count(normalised) AS n,
               coalesce(sum(normalised), 0) AS x
        FROM result GROUP BY GROUPING SETS ((revision_id, task_id), (revision_id, target_id, task_id))
    ), clustered AS (
        SELECT revision_id, part, count(*) FILTER (WHERE n > 0) AS clusters,
               sum(x * x) AS xx, sum(x * n) AS xn, sum(n * n) AS nn, sum(x) AS x
        FROM cluster GROUP BY revision_id, part
    ), counted AS (
        SELECT revision_id, coalesce(target_id, :all) AS part, count(*) AS asked,
               count(*) FILTER (WHERE outcome = 'scored') AS scored,
               count(*) FILTER (WHERE outcome = 'unparsed') AS unparsed,
               count(*) FILTER (WHERE outcome = 'refused') AS refused,
               count(*) FILTER (WHERE outcome = 'errored') AS errored,
               count(*) FILTER (WHERE outcome IS NULL) AS pending,
               count(passed) AS verdicts,
               avg(CASE WHEN passed THEN 1.0 WHEN NOT passed THEN 0.0 END) AS pass_rate,
               sum(cost_usd) AS cost_usd
        FROM result GROUP BY GROUPING SETS ((revision_id), (revision_id, target_id))
    ), cell AS (
        SELECT revision_id, coalesce(target_id, :all) AS part, length, normalised, count(*) AS n
        FROM result WHERE normalised IS NOT NULL AND length IS NOT NULL
        GROUP BY GROUPING SETS ((revision_id, length, normalised), (revision_id, target_id, length, normalised))
    ), of_length AS (
        SELECT revision_id, part, length,
               (sum(sum(n)) OVER (PARTITION BY revision_id, part ORDER BY length) - (sum(n) - 1) / 2)::float8 AS rank
        FROM cell GROUP BY revision_id, part, length
    ), of_score AS (
        SELECT revision_id, part, normalised,
               (sum(sum(n)) OVER (PARTITION BY revision_id, part ORDER BY normalised) - (sum(n) - 1) / 2)::float8
                   AS rank
        FROM cell GROUP BY revision_id, part, normalised
    ), baseline AS (
        SELECT revision_id, part, sum(n)::bigint AS answers, sum(n * of_length.rank * of_score.rank) AS xy,
               sum(n * of_length.rank * of_length.rank) AS xx, sum(n * of_score.rank * of_score.rank) AS yy
        FROM cell
        JOIN of_length USING (revision_id, part, length)
        JOIN of_score USING (revision_id, part, normalised)
        GROUP BY revision_id, part
    )
    SELECT counted.*, clusters, clustered.xx, xn, nn, x, target.id AS target_id, label, answers,
           baseline.xy AS length_score, baseline.xx AS length_length, baseline.yy AS score_score
    FROM counted JOIN clustered USING (revision_id, part) LEFT JOIN baseline USING (revision_id, part)
    LEFT JOIN target ON target.id = part
    ORDER BY target.position
    """  # noqa: S608  # made of constants
).bindparams(bindparam("all", UUID(int=0), type_=Uuid))
_NOTHING: Final = dict.fromkeys(("asked", "scored", "unparsed", "refused", "errored", "pending", "verdicts"), 0)


async def evaluator_refs(connection: AsyncConnection, run_ids: Sequence[UUID]) -> dict[UUID, list[EvaluatorRef]]:
    """Of each run its evaluators, in the order in which they joined it."""
    refs: dict[UUID, list[EvaluatorRef]] = {}
    for row in await _refs(connection, run_ids):
        refs.setdefault(row["run_id"], []).append(EvaluatorRef.model_validate(dict(row)))
    return refs


async def by_evaluator(connection: AsyncConnection, run_id: UUID) -> list[EvaluatorOut]:
    totals: dict[UUID, dict[str, Any]] = {}
    targets: dict[UUID, list[EvaluatorTargetOut]] = {}
    for row in (await connection.execute(_FIGURES, {"run_id": run_id})).mappings():
        if row["target_id"] is None:
            totals[row["revision_id"]] = _figures(row)
        else:
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
    baseline = length_baseline(
        RankSums(
            answers=row["answers"] or 0,
            xy=row["length_score"] or 0.0,
            xx=row["length_length"] or 0.0,
            yy=row["score_score"] or 0.0,
        )
    )
    return dict(row) | mean_and_rate(row) | {"length_baseline": baseline}


def _none() -> dict[str, Any]:
    """Of one that was not asked about anything yet."""
    unknown = dict.fromkeys(("mean_score", "mean_score_interval", "pass_rate", "pass_rate_interval", "cost_usd"))
    return _NOTHING | unknown | {"length_baseline": length_baseline(RankSums(answers=0, xy=0, xx=0, yy=0))}


async def _refs(connection: AsyncConnection, run_ids: Sequence[UUID]) -> list[RowMapping]:
    return list((await connection.execute(_REFS, {"run_ids": list(run_ids)})).mappings())
