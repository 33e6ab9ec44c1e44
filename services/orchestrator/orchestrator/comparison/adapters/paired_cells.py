"""Build the SQL queries that pair the cases of compared targets. For each case, the database computes the difference of
the two targets' values: target minus baseline. It sums these differences per cluster (cases that depend on each other).

A case without a value is missing, never 0. But in scores and pass rates, an answer counts as 0 if the model itself
failed to give it (see `FAILED_BY_ITSELF`).
"""

from dataclasses import dataclass
from typing import Final

from orchestrator.kernel.adapters.overall import CLUSTER, FAILED_BY_ITSELF, OF_ITEM, cluster_of
from orchestrator.kernel.adapters.primary_revision import with_primary_revisions

CHOSEN: Final = f"""
    chosen AS (
        SELECT run_id, target_id, place - 1 AS place, baseline,
               coalesce(scoring = (CAST(:scorings AS text[]))[baseline + 1], false) AS comparable
        FROM unnest(CAST(:runs AS uuid[]), CAST(:targets AS uuid[]), CAST(:scorings AS text[]),
                    CAST(:baselines AS integer[]))
             WITH ORDINALITY AS given (run_id, target_id, scoring, baseline, place)
    ), {with_primary_revisions("IN (SELECT run_id FROM chosen)")}
"""  # noqa: S608  # made of constants
"""SQL: the common table expressions `chosen` and `primary_revision` (the primary revisions of the compared runs).
`chosen` has one row per compared target, a column of the comparison. `place` is the target's index, `baseline` the
index of its baseline (for a baseline, its own index). `comparable` is true if the same primary revisions, with the same
weights, scored target and baseline.
"""


@dataclass(frozen=True)
class MetricSql:
    """The SQL of a metric by which targets are compared, such as the score or the cost of an item. `value` and
    `verdict` are expressions for the item's value and for whether it passed. `source` has the joins that they need.

    `overall` is true if the metric combines the scores of primary revisions. Targets that differ in these revisions or
    their weights are then not compared. `relative` is true if a difference is a share of the baseline's value. The
    weight of a case is then the baseline's value instead of 1. If `texts` is true, each case is also read to see
    whether its question and references are the same in both runs.
    """

    value: str
    verdict: str = "CAST(NULL AS boolean)"
    source: str = ""
    overall: bool = False
    relative: bool = False
    texts: bool = False


SCORE: Final = MetricSql(
    value=f"coalesce(overall.value, CASE WHEN {FAILED_BY_ITSELF} THEN 0 END)",
    verdict=f"coalesce(overall.verdict, CASE WHEN {FAILED_BY_ITSELF} THEN false END)",
    source=OF_ITEM,
    overall=True,
    texts=True,
)
PASS_RATE: Final = MetricSql(
    value=f"coalesce(CAST(overall.verdict AS integer), CASE WHEN {FAILED_BY_ITSELF} THEN 0 END)",
    source=OF_ITEM,
    overall=True,
)
# A cached answer cost no time and no money now, so it is left out of these metrics.
COST: Final = MetricSql(value="CASE WHEN NOT item.cached THEN item.cost_usd * 1000000 END", relative=True)
"""The cost in millionths of a US dollar, because sums are rounded to nine digits."""
LATENCY: Final = MetricSql(value="CASE WHEN NOT item.cached THEN item.time_ms END", relative=True)
"""The latency in milliseconds."""
EVALUATOR: Final = MetricSql(
    value=f"coalesce(score.normalised, CASE WHEN {FAILED_BY_ITSELF} THEN 0 END)",
    source="""LEFT JOIN score ON score.item_id = item.id AND score.evaluator_revision_id = CAST(:revision AS uuid)
                   AND score.status = 'SCORED'""",
)

# Hashes of what is asked, and of what judges and checks compare an answer with. An absent field equals null. The
# lateral subquery decompresses a large case once instead of once per field.
_QUESTION: Final = "hashtextextended(texts.of_case ->> 'question', 0)"
_REFERENCE: Final = """jsonb_hash_extended(jsonb_build_array(
                   texts.of_case -> 'excellent', texts.of_case -> 'good', texts.of_case -> 'pass',
                   texts.of_case -> 'incorrect_answer_direction', texts.of_case -> 'expected_output',
                   texts.of_case -> 'ground_truth', nullif(texts.of_case -> 'checks', '[]')), 0)"""
_TEXTS: Final = """CROSS JOIN LATERAL (SELECT item."case" #> '{}' AS of_case OFFSET 0) AS texts"""
_IN_TASKS: Final = "cell.suite_task = ANY(CAST(:tasks AS text[]))"
_OF_TASKS: Final = "WHERE item.suite_task = ANY(CAST(:tasks AS text[]))"
_KEY: Final = """nullif(left(item."case" -> 'metadata' ->> CAST(:cluster_by AS text), 255), '')"""
# The turns of a conversation stay in one cluster, even if they differ in the metadata field that the user clusters by.
_BY_KEY: Final = cluster_of(
    f"min({_KEY}) OVER (PARTITION BY place, coalesce('c' || item.conversation_id, 't' || item.task_id))"
)
# If two columns cluster a case by different kinds (key, conversation, case), take the coarser cluster. Otherwise take
# the baseline's.
_OF_BOTH: Final = """
    CASE WHEN base.cluster IS NULL OR strpos('kct', left(cell.cluster, 1)) < strpos('kct', left(base.cluster, 1))
         THEN cell.cluster ELSE base.cluster END
"""


def cells(metric: MetricSql, *, by_key: bool, tasks: bool = False) -> str:
    """Return SQL common table expressions. The query uses the last two: `cell` has one row per case and target in the
    comparison, and `base` has only the rows of the baselines.

    The query has the parameters that `pairing.given` returns. The metric `EVALUATOR` adds the parameter `revision`.

    If `by_key` is true, clusters are the values of the metadata key in the query parameter `cluster_by`; otherwise they
    are the clusters stored with the runs.

    If `tasks` is true, only the cases of some suite tasks are read: their names are the query parameter `:tasks`. The
    caller has to make sure that the same evaluators, with the same weights, scored these tasks in all columns.
    """
    cluster = _BY_KEY if by_key else CLUSTER
    fair = "comparable" if metric.overall and not tasks else "true"
    question, reference = (_QUESTION, _REFERENCE) if metric.texts else ["CAST(NULL AS bigint)"] * 2
    return f"""
    {CHOSEN}, measured AS (
        SELECT place, baseline, comparable, item.task_id, item.epoch, {cluster} AS cluster, item.position,
               item.category, item.suite_task,
               {metric.value} AS value, {metric.verdict} AS verdict, {FAILED_BY_ITSELF} AS zero,
               item.status = 'COMPLETED' AS completed,
               {question} AS question, {reference} AS reference
        FROM chosen
        JOIN item ON item.run_id = chosen.run_id AND item.target_id = chosen.target_id
        {metric.source} {_TEXTS if metric.texts else ""}
        {_OF_TASKS if tasks else ""}
        OFFSET 0  -- reads each case once, and sorts without it
    ), cell AS MATERIALIZED (
        SELECT place, baseline, task_id, min(cluster) AS cluster, min(position) AS position, min(category) AS category,
               min(suite_task) AS suite_task, min(question) AS question, min(reference) AS reference,
               count(*) AS items, count(value) AS known, count(verdict) AS verdicts,
               count(value) FILTER (WHERE zero) AS zeros, count(*) FILTER (WHERE completed) AS completed,
               round(CAST(avg(value) AS numeric), 9) AS value,
               avg(CAST(verdict AS integer)) AS passed, {fair} AS fair
        FROM measured GROUP BY place, baseline, comparable, task_id
    ), base AS (
        SELECT place, task_id, cluster, question, reference, items, known, verdicts, zeros, value, passed
        FROM cell WHERE place = baseline
    )
    """  # noqa: S608  # made of constants, as all that follows


_WEIGHED: Final = """, of_task AS (
        SELECT place, suite_task, count(difference) AS compared, count(task_id) AS shared,
               coalesce(sum(covered), 0) AS covered
        FROM pair WHERE suite_task = ANY(CAST(:tasks AS text[])) GROUP BY place, suite_task
    ), weighed AS (
        SELECT place, suite_task,
               weight * sum(compared) OVER of_place / compared / nullif(sum(weight) OVER of_place, 0) AS share
        FROM of_task
        JOIN unnest(CAST(:task_places AS integer[]), CAST(:task_names AS text[]), CAST(:task_weights AS numeric[]))
             AS task (place, suite_task, weight) USING (place, suite_task)
        WHERE compared > 0 WINDOW of_place AS (PARTITION BY place)
    )
"""


def _covered(counted: str) -> str:
    """Return SQL: the share of a case's epochs that have a value both in `cell` and in `base` (see `cells`); null for a
    case that `base` lacks. `counted` is the name of the field of both with the number of these values."""
    # `least` ignores nulls, so the expression first excludes a case that `base` lacks.
    both = (f"{column}.{counted} / CAST({column}.items AS numeric)" for column in ("cell", "base"))
    return f"CASE WHEN base.task_id IS NOT NULL THEN least({', '.join(both)}) END"


# The share of a case is 1 on average, and the shares of a task's cases sum up to the task's weight.
_JOIN_SHARE: Final = "LEFT JOIN weighed USING (place, suite_task)"
_COVERAGE_OF_TASKS: Final = """,
           CASE WHEN row_number() OVER (PARTITION BY place) = 1 THEN (
               SELECT jsonb_agg(jsonb_build_object('task', suite_task, 'shared', shared, 'covered', covered)
                                ORDER BY suite_task)
               FROM of_task WHERE of_task.place = clustered.place
           ) END AS of_tasks
"""


def pairs(metric: MetricSql, *, by_key: bool, tasks: bool = False, weighted: bool = False) -> str:
    """Return the query that pairs the cases of each target with those of its baseline. The differences of their values,
    target minus baseline, are summed per cluster.

    Clusters of one target that have equal sums share a row. In this row, `clusters` is their number, and `place` is the
    target's index. A baseline is also paired with itself, so that its cases are counted. `metric`, `by_key`, `tasks`
    and the query parameters are those of `cells`.

    If `weighted` is true, each suite task in the query parameter `:tasks` counts by its weight, whatever the number of
    its cases. The query parameters `:task_places`, `:task_names` and `:task_weights` are parallel arrays: the index of
    a target, a task, and its weight. Cases of tasks that are not in `:tasks` count in the numbers of cases, but not in
    the differences of values. The first row of each target has the coverage of each task in the column `of_tasks`.
    """
    share = "share" if weighted else "1"
    fair = f"cell.fair AND {_IN_TASKS}" if weighted else "cell.fair"
    case_weight = "CASE WHEN difference IS NOT NULL THEN there END" if metric.relative else f"difference * 0 + {share}"
    return f"""
    WITH {cells(metric, by_key=by_key, tasks=tasks)}, pair AS (
        SELECT cell.place, cell.suite_task, {_OF_BOTH} AS cluster, base.task_id, cell.zeros,
               base.zeros AS base_zeros, cell.question <> base.question AS questions_differ,
               cell.reference <> base.reference AS references_changed,
               {_covered("known")} AS covered, {_covered("verdicts")} AS covered_verdicts,
               CASE WHEN {fair} THEN cell.value - base.value END AS difference,
               CASE WHEN cell.fair THEN round(cell.passed - base.passed, 9) END AS passing,
               cell.value AS here, base.value AS there, cell.known - cell.zeros AS measured, cell.completed,
               cell.passed > 0.5 AS passes, base.passed > 0.5 AS base_passes
        FROM cell LEFT JOIN base ON base.place = cell.baseline AND base.task_id = cell.task_id
    ){_WEIGHED if weighted else ""}, clustered AS (
        SELECT place, cluster, count(*) AS cases, count(task_id) AS in_both,
               count(*) FILTER (WHERE questions_differ) AS questions_differ,
               count(*) FILTER (WHERE references_changed) AS references_changed,
               coalesce(sum(covered), 0) AS covered, coalesce(sum(covered_verdicts), 0) AS covered_verdicts,
               coalesce(sum({case_weight}), 0) AS weight, coalesce(sum(difference * {share}), 0) AS total,
               count(difference) AS compared, count(passing) AS verdicts,
               coalesce(round(sum(passing), 9), 0) AS passing,
               count(*) FILTER (WHERE difference > 0) AS better, count(*) FILTER (WHERE difference < 0) AS worse,
               count(*) FILTER (WHERE passing IS NOT NULL AND passes AND NOT base_passes) AS gained,
               count(*) FILTER (WHERE passing IS NOT NULL AND base_passes AND NOT passes) AS lost,
               coalesce(sum(here * {share}) FILTER (WHERE difference IS NOT NULL), 0) AS here,
               coalesce(sum(there * {share}) FILTER (WHERE difference IS NOT NULL), 0) AS there,
               coalesce(sum(zeros) FILTER (WHERE task_id IS NOT NULL), 0) AS zeros,
               coalesce(sum(base_zeros), 0) AS base_zeros, sum(measured) AS measured,
               sum(completed) AS completed, cluster LIKE 'k%' AS keyed
        FROM pair {_JOIN_SHARE if weighted else ""} GROUP BY place, cluster
    )
    SELECT place, weight, total, verdicts, passing, count(*) AS clusters, sum(cases) AS cases,
           sum(in_both) AS in_both, sum(compared) AS compared,
           sum(questions_differ) AS questions_differ, sum(references_changed) AS references_changed,
           sum(covered) AS covered,
           sum(covered_verdicts) AS covered_verdicts, sum(better) AS better, sum(worse) AS worse,
           sum(gained) AS gained, sum(lost) AS lost, sum(here) AS here, sum(there) AS there,
           sum(zeros) AS zeros, sum(base_zeros) AS base_zeros, sum(measured) AS measured,
           sum(completed) AS completed, bool_or(keyed) AS keyed, (SELECT count(DISTINCT task_id) FROM cell) AS all_cases
           {_COVERAGE_OF_TASKS if weighted else ""}
    FROM clustered GROUP BY 1, 2, 3, 4, 5
    """  # noqa: S608


def pooled(metric: MetricSql, *, by_key: bool, tasks: bool = False, weighted: bool = False) -> str:
    """Return the query that sums, per cluster, the differences of several pairs. A pair is a target and its baseline;
    its difference in a case is the target's value minus the baseline's.

    A cluster that occurs in several pairs is summed over all of them, so it counts as one cluster. Clusters with equal
    sums share a row, and `clusters` is their number. The parameters are those of `pairs`. If `weighted` is true, the
    tasks of each pair count by their weights in the suite. The weight of the pair itself is its number of compared
    cases.
    """
    fair = f"cell.fair AND {_IN_TASKS}" if weighted else "cell.fair"
    share = "share" if weighted else "1"
    return f"""
    WITH {cells(metric, by_key=by_key, tasks=tasks)}, pair AS (
        SELECT cell.place, cell.suite_task, {_OF_BOTH} AS cluster, base.task_id, 1 AS covered,
               CASE WHEN {fair} THEN cell.value - base.value END AS difference
        FROM cell JOIN base ON base.place = cell.baseline AND base.task_id = cell.task_id
        WHERE cell.place <> cell.baseline
    ){_WEIGHED if weighted else ""}, clustered AS (
        SELECT sum(difference * {share}) AS total, sum({share}) AS weight
        FROM pair {_JOIN_SHARE if weighted else ""} WHERE difference IS NOT NULL GROUP BY cluster
    )
    SELECT total, weight, count(*) AS clusters FROM clustered WHERE weight IS NOT NULL GROUP BY total, weight
    """  # noqa: S608


_OWN_SHARES: Final = f"""
    , pair AS (
        SELECT place, suite_task, value AS difference, task_id, 1 AS covered FROM cell
    ){_WEIGHED}
"""  # noqa: S608
_OWN_SHARE: Final = "LEFT JOIN weighed ON weighed.place = cell.place AND weighed.suite_task = cell.suite_task"


def against_itself(metric: MetricSql, *, by_key: bool, tasks: bool = False, weighted: bool = False) -> str:
    """Return the query for the values of a single target, without a baseline.

    Each row has one case: its cluster, its values (one per epoch) and its weight in the mean (`share`). Every row also
    has the target's mean, and its numbers of cases, clusters and values. If no case has a value, one row has only
    these.

    The rows cover only a sample of the clusters: at most as many as the query parameter `most` says. The same clusters
    are selected each time, by a hash of their names.

    The arguments are those of `pairs`, and so are the other query parameters.
    """
    share = "share" if weighted else "1"
    return f"""
    WITH {cells(metric, by_key=by_key, tasks=tasks)}{_OWN_SHARES if weighted else ""}, counted AS (
        SELECT count(DISTINCT cluster) FILTER (WHERE known > 0) AS clusters, count(*) AS cases,
               sum(known / CAST(items AS numeric)) AS covered, sum(known - zeros) AS measured,
               bool_or(cluster LIKE 'k%') AS keyed,
               sum(value * {share}) / sum({share}) FILTER (WHERE value IS NOT NULL) AS mean
        FROM cell {_JOIN_SHARE if weighted else ""}
    ), drawn AS (
        SELECT cluster FROM cell WHERE known > 0 GROUP BY cluster ORDER BY hashtextextended(cluster, 0) LIMIT :most
    ), of_case AS (
        SELECT cell.cluster, array_agg(CAST(measured.value AS float8) ORDER BY epoch) AS epochs,
               min(CAST({share} AS float8)) AS share
        FROM drawn JOIN cell USING (cluster) JOIN measured USING (task_id) {_OWN_SHARE if weighted else ""}
        WHERE measured.value IS NOT NULL GROUP BY cell.cluster, task_id
    )
    SELECT counted.*, of_case.* FROM counted LEFT JOIN of_case ON true ORDER BY of_case.cluster
    """  # noqa: S608
