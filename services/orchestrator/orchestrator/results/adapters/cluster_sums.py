"""Build SQL for the sums over clusters from which confidence intervals are computed. Clusters that span several blocks
are summed separately, and added to the sums of the blocks."""

from decimal import Decimal
from typing import Final

from sqlalchemy import RowMapping

from orchestrator.results.domain.intervals import Clusters

_SUMS: Final = ("clusters", "nn", "xx", "xn", "pass_clusters", "pass_nn", "pass_xx", "pass_xn")
WITHIN: Final = ", ".join(f"coalesce(sum({name}), 0) AS {name}" for name in _SUMS)
"""SQL columns: the sums that are stored per block of cases, added up over blocks under the same names."""
# The names are those of the blocks' columns, because the sums are added to these columns.
OF_CLUSTERS: Final = """
    count(*) FILTER (WHERE n > 0) AS clusters, sum(n * n) AS nn, sum(x * x) AS xx, sum(x * n) AS xn,
    count(*) FILTER (WHERE verdicts > 0) AS pass_clusters, sum(verdicts * verdicts) AS pass_nn,
    sum(passed * passed) AS pass_xx, sum(passed * verdicts) AS pass_xn
"""


def added(part: str = "figures", spanning: str = "spanning") -> str:
    """Return a list of SQL columns. Each adds a sum of the table `part` (clusters within one block) and the same sum of
    the table `spanning` (clusters that span several blocks). A missing row of `spanning` counts as 0."""
    return ", ".join(f"{part}.{name} + coalesce({spanning}.{name}, 0) AS {name}" for name in _SUMS)


def spanning(columns: str, condition: str, *, of: str = "= :run_id") -> str:
    """Return the query for the sums of clusters that span several blocks, grouped by `columns`. `condition` is an SQL
    condition on the rows of `block_cluster`. `of` is an SQL comparison that the run's id has to meet. If several runs
    meet it, `columns` must include a column that differs between runs, such as the target id."""
    return f"""
        SELECT {columns}, {OF_CLUSTERS} FROM (
            SELECT {columns}, sum(n) AS n, sum(x) AS x, sum(verdicts) AS verdicts, sum(passed) AS passed
            FROM block_cluster WHERE run_id {of} AND {condition} GROUP BY {columns}, cluster
        ) AS whole GROUP BY {columns}
    """  # noqa: S608  # made of constants


def of_scores(row: RowMapping) -> Clusters:
    """Return the sums for each cluster of scores, read from a row of statistics."""
    return _clusters(row, "", n=row["scored"], x=row["x"])


def of_verdicts(row: RowMapping) -> Clusters:
    """Return the sums over clusters of verdicts, read from a row of statistics. A passed verdict counts as 1, a failed
    one as 0."""
    return _clusters(row, "pass_", n=row["verdicts"], x=row["passed"])


def _clusters(row: RowMapping, prefix: str, *, n: Decimal | int | None, x: Decimal | float | None) -> Clusters:
    def of(name: str) -> float:
        return float(row[f"{prefix}{name}"] or 0)

    return Clusters(
        count=int(of("clusters")),
        # A sum of counts is a Decimal, and a multiple of 10,000 is read as Decimal("1E+4"): never parse its text.
        n=int(n or 0),
        x=float(x or 0),
        xx=of("xx"),
        xn=of("xn"),
        nn=int(of("nn")),
    )
