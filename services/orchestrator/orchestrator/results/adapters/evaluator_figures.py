"""Compute the statistics of each evaluator revision of a run, such as its mean score, in total and per target."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, Uuid, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.chat import SamplingParams
from orchestrator.kernel.domain.revision import JUDGE_PARAMS, own_params
from orchestrator.results.adapters.agreements import agreements
from orchestrator.results.adapters.cluster_sums import WITHIN, added, spanning
from orchestrator.results.adapters.figures import mean_and_rate
from orchestrator.results.adapters.ranking import Ranking
from orchestrator.results.domain.agreement import NO_AGREEMENT
from orchestrator.results.domain.judge_figures import judge_figures
from orchestrator.results.domain.length_baseline import RankSums, length_baseline
from orchestrator.results.ports.schemas import EvaluatorOut, EvaluatorRef, EvaluatorTargetOut, PanelJudge, PanelOut

_REFS: Final = text(
    """
    SELECT run_id, slot AS name, title, kind, revision.id AS revision_id, judge_provider_id, judge_model, params,
           weight, required, pass_threshold, scale_min, scale_max, schema_name, schema_version, prompt_hash, whole,
           "primary", member, quorum, members, corrects, "only", unless
    FROM run_evaluator JOIN evaluator_revision AS revision ON revision.id = evaluator_revision_id
    WHERE run_id = ANY(:run_ids) ORDER BY run_id, position
    """
).bindparams(bindparam("run_ids", type_=ARRAY(Uuid)))

# One row per evaluator, with a null target, and one row per evaluator and target.
_FIGURES: Final = text(
    f"""
    SELECT figures.evaluator_revision_id AS revision_id, target.label, figures.*, {added()}
    FROM (
        SELECT evaluator_revision_id, target_id, sum(asked) AS asked, sum(scored) AS scored,
               sum(unparsed) AS unparsed, sum(refused) AS refused, sum(errored) AS errored, sum(pending) AS pending,
               sum(verdicts) AS verdicts, sum(passed) AS passed,
               sum(passed)::float8 / nullif(sum(verdicts), 0)::float8 AS pass_rate,
               CASE WHEN sum(priced) > 0 THEN sum(cost_usd) END AS cost_usd, sum(x) AS x, {WITHIN}
        FROM block_score_figure WHERE run_id = :run_id GROUP BY evaluator_revision_id, target_id
    ) AS figures
    LEFT JOIN ({spanning("evaluator_revision_id, target_id", "evaluator_revision_id IS NOT NULL")}) AS spanning
        ON spanning.evaluator_revision_id = figures.evaluator_revision_id
           AND spanning.target_id IS NOT DISTINCT FROM figures.target_id
    LEFT JOIN target ON target.id = figures.target_id
    ORDER BY target.position
    """  # noqa: S608  # made of constants
)
_NOTHING: Final = dict.fromkeys(
    ("asked", "scored", "unparsed", "refused", "errored", "pending", "verdicts", "clusters"), 0
)


async def evaluator_refs(connection: AsyncConnection, run_ids: Sequence[UUID]) -> dict[UUID, list[EvaluatorRef]]:
    """Return the evaluators of each run by run id, in the order in which they joined the run. A run without evaluators
    is missing."""
    refs: dict[UUID, list[EvaluatorRef]] = {}
    rows = await _refs(connection, run_ids)
    for row in rows:
        refs.setdefault(row["run_id"], []).append(EvaluatorRef.model_validate(dict(row) | {"panel": _panel(row, rows)}))
    return refs


async def by_evaluator(connection: AsyncConnection, run_id: UUID, ranking: Ranking) -> list[EvaluatorOut]:
    refs = await _refs(connection, [run_id])
    panels = {row["revision_id"] for row in refs if row["members"] and row["corrects"] is None}
    agreed = await agreements(connection, run_id) if panels else {}
    totals: dict[UUID, dict[str, Any]] = {}
    targets: dict[UUID, list[EvaluatorTargetOut]] = {}
    for row in (await connection.execute(_FIGURES, {"run_id": run_id})).mappings():
        revision_id, target_id = row["revision_id"], row["target_id"]
        of_panel = agreed.get((revision_id, target_id), NO_AGREEMENT) if revision_id in panels else None
        figures = _figures(row, ranking) | {"agreement": of_panel}
        if target_id is None:
            totals[revision_id] = figures
        else:
            targets.setdefault(revision_id, []).append(EvaluatorTargetOut.model_validate(figures))
    return [
        EvaluatorOut.model_validate(
            dict(row)
            | totals.get(row["revision_id"], _none())
            | {"params": own_params(row["params"]), "targets": targets.get(row["revision_id"], [])}
            | {"panel": _panel(row, refs)}
        )
        for row in refs
    ]


def _panel(row: RowMapping, rows: Sequence[RowMapping]) -> PanelOut | None:
    """Return the panel of the evaluator in `row`; `None` if the evaluator is no panel. A revision "corrected by people"
    is no panel, although it has a member: the revision that it corrects. `rows` are the evaluators of one or more
    runs, among them the members of the panel."""
    if row["members"] is None or row["corrects"] is not None:
        return None
    of_run = {revision["revision_id"]: revision for revision in rows if revision["run_id"] == row["run_id"]}
    judges = [
        PanelJudge(
            revision_id=member,
            provider_id=of_run[member]["judge_provider_id"],
            model=of_run[member]["judge_model"],
            params=SamplingParams.model_validate(of_run[member]["params"][JUDGE_PARAMS]),
        )
        for member in row["members"]
    ]
    return PanelOut(judges=judges, quorum=row["quorum"])


def _figures(row: RowMapping, ranking: Ranking) -> dict[str, Any]:
    baseline = length_baseline(ranking.ranks(row["revision_id"], row["target_id"]))
    judging = ranking.judging(row["revision_id"], row["target_id"])
    judged = {"judging": None if judging is None else judge_figures(judging)}
    return dict(row) | mean_and_rate(row) | {"length_baseline": baseline} | judged


def _none() -> dict[str, Any]:
    """Return the statistics of an evaluator without any score."""
    lacking = (
        "mean_score",
        "mean_score_interval",
        "pass_rate",
        "pass_rate_interval",
        "cost_usd",
        "agreement",
        "judging",
    )
    unknown = dict.fromkeys(lacking)
    return _NOTHING | unknown | {"length_baseline": length_baseline(RankSums(answers=0, xy=0, xx=0, yy=0))}


async def _refs(connection: AsyncConnection, run_ids: Sequence[UUID]) -> list[RowMapping]:
    return list((await connection.execute(_REFS, {"run_ids": list(run_ids)})).mappings())
