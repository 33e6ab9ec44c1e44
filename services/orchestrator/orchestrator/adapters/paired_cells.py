"""The queries that pair the cases of columns: one measure, read item by item, subtracted case by case, summed by
cluster. The database does all of it: what comes back is bounded by how many different sums there are.

A case without a value is missing, and never a 0; an answer that failed by the model's own doing is a 0 of every
measure of quality.
"""

from dataclasses import dataclass
from typing import Final

from orchestrator.adapters.overall import FAILED_BY_ITSELF, OF_ITEM, SPEAKING

CHOSEN: Final = f"""
    chosen AS (
        SELECT run_id, target_id, scoring, place - 1 AS place
        FROM unnest(CAST(:runs AS uuid[]), CAST(:targets AS uuid[]), CAST(:scorings AS text[]))
             WITH ORDINALITY AS given (run_id, target_id, scoring, place)
    ), {SPEAKING.format(runs="IN (SELECT run_id FROM chosen)")}
"""  # noqa: S608  # made of constants


@dataclass(frozen=True)
class Measure:
    """What is read of an `item`: expressions for its value and its verdict, over what `source` joins to it. `overall`:
    it is made of the evaluators that speak for the run, and not fair to subtract where these differ. Differences of a
    `relative` measure are shares of the baseline's values, which are the weights then; else each case weighs 1.
    `questions`: they are compared, too, which reads every case."""

    value: str
    verdict: str = "CAST(NULL AS boolean)"
    source: str = ""
    overall: bool = False
    relative: bool = False
    questions: bool = False


SCORE: Final = Measure(
    value=f"coalesce(overall.value, CASE WHEN {FAILED_BY_ITSELF} THEN 0 END)",
    verdict=f"coalesce(overall.verdict, CASE WHEN {FAILED_BY_ITSELF} THEN false END)",
    source=OF_ITEM,
    overall=True,
    questions=True,
)
PASS_RATE: Final = Measure(
    value=f"coalesce(CAST(overall.verdict AS integer), CASE WHEN {FAILED_BY_ITSELF} THEN 0 END)",
    source=OF_ITEM,
    overall=True,
)
# An answer from the cache was not timed and not paid for: it says nothing of what either comes to.
COST: Final = Measure(value="CASE WHEN NOT item.cached THEN item.cost_usd * 1000000 END", relative=True)
"""In millionths of a US dollar: sums are rounded to nine digits."""
LATENCY: Final = Measure(value="CASE WHEN NOT item.cached THEN item.time_ms END", relative=True)
"""In milliseconds."""
EVALUATOR: Final = Measure(
    value=f"coalesce(score.normalised, CASE WHEN {FAILED_BY_ITSELF} THEN 0 END)",
    source="""LEFT JOIN score ON score.item_id = item.id AND score.evaluator_revision_id = CAST(:revision AS uuid)
                   AND score.status = 'SCORED'""",
)

# The first digit orders the keys from the coarsest.
_CLUSTER: Final = "coalesce('1' || {key}, '2' || item.conversation_id, '3' || item.task_id)"
_OF_ITEM_ITSELF: Final = _CLUSTER.format(key="item.cluster_key")
_BY_KEY: Final = _CLUSTER.format(
    key="""nullif(left(item."case" -> 'metadata' ->> CAST(:cluster_by AS text), 255), '')"""
)
# The turns of a conversation stay together, whatever a key of the user says of them.
_TOGETHER: Final = (
    f"min({_BY_KEY}) OVER (PARTITION BY place, coalesce('2' || item.conversation_id, '3' || item.task_id))"
)
# Where two runs disagree, the coarser cluster holds, else the baseline's.
_OF_BOTH: Final = """
    CASE WHEN base.cluster IS NULL OR left(cell.cluster, 1) < left(base.cluster, 1)
         THEN cell.cluster ELSE base.cluster END
"""


def cells(measure: Measure, *, by_key: bool) -> str:
    """Return the common table expressions `cell`, one row per column and case, and `base`, those of the baseline.

    `by_key`: the clusters are the values of a metadata key, else those that the runs have. Parameters:
    `runs`, `targets`, `scorings`, `baseline`, and `cluster_by` and `revision` where they are asked for.
    """
    cluster = _TOGETHER if by_key else _OF_ITEM_ITSELF
    question = "hashtextextended(item.\"case\" ->> 'question', 0)" if measure.questions else "CAST(NULL AS bigint)"
    fair = "coalesce(scoring = (SELECT scoring FROM chosen WHERE place = :baseline), false)"
    return f"""
    {CHOSEN}, measured AS (
        SELECT place, scoring, item.task_id, item.epoch, {cluster} AS cluster, item.position, item.category,
               {measure.value} AS value, {measure.verdict} AS verdict, {FAILED_BY_ITSELF} AS zero,
               item.status = 'COMPLETED' AS completed,
               {question} AS question
        FROM chosen
        JOIN item ON item.run_id = chosen.run_id AND item.target_id = chosen.target_id
        {measure.source}
        OFFSET 0  -- reads each case once, and sorts without it
    ), cell AS MATERIALIZED (
        SELECT place, task_id, min(cluster) AS cluster, min(position) AS position, min(category) AS category,
               min(question) AS question, count(*) AS items, count(value) AS known, count(verdict) AS verdicts,
               count(value) FILTER (WHERE zero) AS zeros, count(*) FILTER (WHERE completed) AS completed,
               round(CAST(avg(value) AS numeric), 9) AS value,
               avg(CAST(verdict AS integer)) AS passed, {fair if measure.overall else "true"} AS fair
        FROM measured GROUP BY place, task_id, scoring
    ), base AS (
        SELECT task_id, cluster, question, items, known, verdicts, zeros, value, passed
        FROM cell WHERE place = :baseline
    )
    """  # noqa: S608  # made of constants, as all that follows


def pairs(measure: Measure, *, by_key: bool) -> str:
    """Return the query of what the cases of each column come to against the baseline's: clusters of the same sums are
    one row. The baseline is its own pair: that counts its cases."""
    each = "CASE WHEN difference IS NOT NULL THEN there END" if measure.relative else "difference * 0 + 1"
    return f"""
    WITH {cells(measure, by_key=by_key)}, pair AS (
        SELECT cell.place, {_OF_BOTH} AS cluster, base.task_id, cell.zeros,
               base.zeros AS base_zeros, cell.question <> base.question AS questions_differ,
               least(cell.known / CAST(cell.items AS numeric), base.known / CAST(base.items AS numeric)) AS covered,
               least(cell.verdicts / CAST(cell.items AS numeric), base.verdicts / CAST(base.items AS numeric))
                   AS covered_verdicts,
               CASE WHEN cell.fair THEN cell.value - base.value END AS difference,
               CASE WHEN cell.fair THEN round(cell.passed - base.passed, 9) END AS passing,
               cell.value AS here, base.value AS there, cell.known - cell.zeros AS measured, cell.completed,
               cell.passed > 0.5 AS passes, base.passed > 0.5 AS base_passes
        FROM cell LEFT JOIN base USING (task_id)
    ), clustered AS (
        SELECT place, cluster, count(*) AS cases, count(task_id) AS in_both,
               count(*) FILTER (WHERE questions_differ) AS questions_differ,
               coalesce(sum(covered), 0) AS covered, coalesce(sum(covered_verdicts), 0) AS covered_verdicts,
               coalesce(sum({each}), 0) AS weight, coalesce(sum(difference), 0) AS total,
               count(difference) AS compared, count(passing) AS verdicts,
               coalesce(round(sum(passing), 9), 0) AS passing,
               count(*) FILTER (WHERE difference > 0) AS better, count(*) FILTER (WHERE difference < 0) AS worse,
               count(*) FILTER (WHERE passing IS NOT NULL AND passes AND NOT base_passes) AS gained,
               count(*) FILTER (WHERE passing IS NOT NULL AND base_passes AND NOT passes) AS lost,
               coalesce(sum(here) FILTER (WHERE difference IS NOT NULL), 0) AS here,
               coalesce(sum(there) FILTER (WHERE difference IS NOT NULL), 0) AS there,
               coalesce(sum(zeros), 0) AS zeros, coalesce(sum(base_zeros), 0) AS base_zeros, sum(measured) AS measured,
               sum(completed) AS completed, cluster LIKE '1%' AS keyed
        FROM pair GROUP BY place, cluster
    )
    SELECT place, weight, total, verdicts, passing, count(*) AS clusters, sum(cases) AS cases,
           sum(in_both) AS in_both, sum(compared) AS compared,
           sum(questions_differ) AS questions_differ, sum(covered) AS covered,
           sum(covered_verdicts) AS covered_verdicts, sum(better) AS better, sum(worse) AS worse,
           sum(gained) AS gained, sum(lost) AS lost, sum(here) AS here, sum(there) AS there,
           sum(zeros) AS zeros, sum(base_zeros) AS base_zeros, sum(measured) AS measured,
           sum(completed) AS completed, bool_or(keyed) AS keyed, (SELECT count(DISTINCT task_id) FROM cell) AS all_cases
    FROM clustered GROUP BY 1, 2, 3, 4, 5
    """  # noqa: S608


def against_itself(measure: Measure, *, by_key: bool) -> str:
    """Return the query of what one column's cases are measured with: at most `most` clusters, drawn by their hash."""
    return f"""
    WITH {cells(measure, by_key=by_key)}, counted AS (
        SELECT count(DISTINCT cluster) FILTER (WHERE known > 0) AS clusters, count(*) AS cases,
               sum(known / CAST(items AS numeric)) AS covered, sum(known - zeros) AS measured,
               bool_or(cluster LIKE '1%') AS keyed, avg(value) AS mean
        FROM cell
    ), drawn AS (
        SELECT cluster FROM cell WHERE known > 0 GROUP BY cluster ORDER BY hashtextextended(cluster, 0) LIMIT :most
    ), of_case AS (
        SELECT cell.cluster, array_agg(CAST(measured.value AS float8) ORDER BY epoch) AS epochs
        FROM drawn JOIN cell USING (cluster) JOIN measured USING (task_id)
        WHERE measured.value IS NOT NULL GROUP BY cell.cluster, task_id
    )
    SELECT counted.*, of_case.* FROM counted LEFT JOIN of_case ON true ORDER BY of_case.cluster
    """  # noqa: S608
