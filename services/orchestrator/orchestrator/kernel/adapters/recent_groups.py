"""Build the SQL that reads the last groups of a model: how long they took, and what their answers cost."""

from typing import Final

_COUNTED: Final = 5
_READ: Final = 20

RECENT_ANSWERING_GROUPS: Final = f"""
    (
        SELECT id, opened_at, closed_at, concurrency, done_count - cached AS asked, priced, cost_usd
        FROM (
            SELECT id, opened_at, closed_at, concurrency, done_count FROM run_group
            WHERE provider_id = lane.provider_id AND model = lane.model AND phase = 'BENCHMARKING'
                  AND status = 'CLOSED' AND done_count > 0 AND closed_at >= opened_at
            ORDER BY closed_at DESC LIMIT {_READ}
        ) AS last
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(figure.cached), 0) AS cached, sum(figure.priced) AS priced,
                   sum(figure.cost_usd) AS cost_usd
            FROM target JOIN block_figure AS figure ON figure.run_id = target.run_id
                 AND figure.target_id = target.id AND figure.category IS NULL
            WHERE target.group_id = last.id
        ) AS figures
        WHERE done_count > cached
        ORDER BY closed_at DESC LIMIT {_COUNTED}
    )
"""  # noqa: S608  # made of constants
"""SQL: the last groups in which a model answered, as a subquery of a query with `lane.provider_id` and `lane.model`.

`asked` is the number of answers that the model gave. `cost_usd` is the cost of `priced` answers. Cached answers are
left out, because they took no time and cost nothing, which says nothing about the next answer. So are groups that have
only cached answers.
"""
