"""The tables of a run's aggregated results, stored per block.

A block is a subset of a run's cases with all their answers. A change of an item or a score increments the
`version` of its block in the same transaction. Readers recompute only the blocks whose version has
changed, then sum up all blocks.
"""

from collections.abc import Iterator

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    DateTime,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    Table,
    Text,
    Uuid,
)
from sqlalchemy.dialects.postgresql import JSONB

from llmbench.db.columns import counter_column, owner_column
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

run_block = Table(
    "run_block",
    metadata,
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("block", Integer, primary_key=True),
    counter_column("version", BigInteger),
    owner_column(),
    info=owned_by("orchestrator"),
)

# The foreign key refers to the block and not to the run, because the orchestrator locks the row of a run that it
# processes.
counted_block = Table(
    "counted_block",
    metadata,
    Column("run_id", Uuid, primary_key=True),
    Column("block", Integer, primary_key=True),
    Column("version", BigInteger, nullable=False),
    # The position of the last evaluator that scores all items. Blocks may only be summed if it is the same in all of
    # them.
    Column("evaluators", Integer, nullable=False),
    # In the row of block 0: the highest mean score of a target of the run, by which lists of runs are sorted.
    Column("best_score", Float),
    ForeignKeyConstraint(["run_id", "block"], ["run_block.run_id", "run_block.block"], ondelete="CASCADE"),
    owner_column(),
    info=owned_by("orchestrator"),
)


def _of_block() -> "ForeignKeyConstraint":
    return ForeignKeyConstraint(
        ["run_id", "block"], ["counted_block.run_id", "counted_block.block"], ondelete="CASCADE"
    )


def _count(name: str) -> "Column[object]":
    return Column(name, BigInteger, nullable=False)


def _sum(name: str) -> "Column[object]":
    return Column(name, Float, nullable=False)


def _clustered() -> Iterator["Column[object]"]:
    """Yield columns for sums over the clusters that lie within one block: x, x * x, x * n and n * n.

    x is the sum of the scores of a cluster's n scored items. The `pass_` columns are the same for verdicts: x of n
    items passed.
    """
    yield from map(_count, ("clusters", "nn"))
    yield from map(_sum, ("x", "xx", "xn"))
    yield from map(_count, ("pass_clusters", "pass_nn", "pass_xx", "pass_xn"))


# The clusters with items in more than one block. No block contains all of such a cluster: see `block_cluster`.
spanning_cluster = Table(
    "spanning_cluster",
    metadata,
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("cluster", Text, primary_key=True),
    owner_column(),
    info=owned_by("orchestrator"),
)

# A row has counts and sums over the items of a block: all items, those of one target, or those of one category.
block_figure = Table(
    "block_figure",
    metadata,
    Column("run_id", Uuid, nullable=False),
    Column("block", Integer, nullable=False),
    Column("target_id", Uuid),
    Column("category", Text),
    *map(_count, ("items", "completed", "failed", "scored", "verdicts", "passed")),
    *_clustered(),
    *map(_count, ("timed", "cached", "first_tokens", "time_ms", "first_token_ms", "generated_tokens")),
    _sum("generating_s"),
    *map(_count, ("prompt_tokens", "completion_tokens", "reasoning_tokens", "estimated_usage", "priced")),
    # The number of answers that ended at their token limit.
    _count("cut"),
    _count("skipped"),
    _sum("cost_usd"),
    _of_block(),
    CheckConstraint("num_nulls(target_id, category) >= 1", name="part"),
    Index(None, "run_id", "block"),
    owner_column(),
    info=owned_by("orchestrator", maintainers=["orchestrator"]),
)

# A row has counts and sums over a block's scores by one evaluator revision, for one target or for all (null).
block_score_figure = Table(
    "block_score_figure",
    metadata,
    Column("run_id", Uuid, nullable=False),
    Column("block", Integer, nullable=False),
    Column("evaluator_revision_id", Uuid, nullable=False),
    Column("target_id", Uuid),
    *map(_count, ("asked", "scored", "unparsed", "refused", "errored", "pending", "verdicts", "passed", "priced")),
    _sum("cost_usd"),
    *_clustered(),
    _of_block(),
    Index(None, "run_id", "block"),
    owner_column(),
    info=owned_by("orchestrator", maintainers=["orchestrator"]),
)

# A row is the part of a spanning cluster within one block: `n` results with sum `x`; `passed` of `verdicts` passed.
# With a revision, the results are its scores. Without one they are items, of one target, of one category, or all.
block_cluster = Table(
    "block_cluster",
    metadata,
    Column("run_id", Uuid, nullable=False),
    Column("block", Integer, nullable=False),
    Column("evaluator_revision_id", Uuid),
    Column("target_id", Uuid),
    Column("category", Text),
    Column("cluster", Text, nullable=False),
    _count("n"),
    _sum("x"),
    *map(_count, ("verdicts", "passed")),
    _of_block(),
    CheckConstraint("num_nulls(target_id, category) >= 1", name="part"),
    Index(None, "run_id", "block"),
    owner_column(),
    info=owned_by("orchestrator", maintainers=["orchestrator"]),
)

# Quantiles, rank correlations and histograms cannot be summed over blocks. They are stored for the entire run, with the
# version of its blocks.
run_ranking = Table(
    "run_ranking",
    metadata,
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("body", JSONB, nullable=False),
    Column("counted_at", DateTime(timezone=True), nullable=False),
    Column("took_s", Float, nullable=False),
    owner_column(),
    info=owned_by("orchestrator"),
)
